import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/model/run.js";
import {
  endText,
  notificationText,
  RunFollower,
  runFraction,
  statusBarText,
} from "../../../src/editor/run/progress.js";
import { testLabel } from "../../../src/editor/words.js";
import * as make from "./support.js";

describe("testLabel", () => {
  it("reads like words and keeps parameters", () => {
    expect(testLabel("test_move_is_an_alias_of_mv")).toBe("move is an alias of mv");
    expect(testLabel("TestShelf::test_add[two_items-1]")).toBe("add [two_items-1]");
    expect(testLabel("test_a[x::y]")).toBe("a [x::y]");
  });
});

describe("a run in words", () => {
  const follower = new RunFollower("shelf", 3);
  const started = make.run("/runs/a", [], { state: "running" });
  const tests = Array.from({ length: 14 }, (_, index) =>
    make.outcome(`test_${index}`, { status: index < 2 ? "failed" : "passed" }),
  );
  const queued = Array.from({ length: 14 }, (_, index) => make.test(`test_q${index}`));

  it("begins with the image, before anything is heard", () => {
    expect(notificationText(follower.standing, 0)).toBe(
      "shelf, checkpoint 1 of 3: preparing the image, 0:00",
    );
    expect(runFraction(follower.standing)).toBe(0);
  });

  it("says what is made ready, as long as there is no run folder", () => {
    const pulling = new RunFollower("shelf", 3);
    pulling.hear({ type: "log", level: "info", message: "pulling python:3.12-slim, 40 %" });
    pulling.hear({ type: "log", level: "debug", message: "timings" });
    expect(notificationText(pulling.standing, 5)).toBe(
      "shelf, checkpoint 1 of 3: preparing the image, pulling python:3.12-slim, 40 %, 0:05",
    );
  });

  it("counts tests while they run", () => {
    follower.hear({ type: "run-started", run: started });
    follower.hear({
      type: "turn-progress",
      folder: "/runs/a",
      turn: make.turn(2, { verdict: undefined, outcomes: tests }),
      progress: { ...make.NO_PROGRESS, queued, running: make.test("test_r") },
    });
    expect(notificationText(follower.standing, 102)).toBe(
      "shelf, checkpoint 2 of 3: running hidden tests, 14 of 29 (2 failed), 1:42",
    );
    expect(statusBarText(follower.standing, 102)).toBe("$(loading~spin) shelf 2/3 · 14/29 tests · 1:42");
    expect(runFraction(follower.standing)).toBeGreaterThan(1 / 3);
    expect(runFraction(follower.standing)).toBeLessThan(2 / 3);
    expect(follower.folder).toBe("/runs/a");
  });

  it("always says that a local run is not isolated", () => {
    const local = new RunFollower("shelf", 3);
    local.hear({ type: "run-started", run: { ...started, isolation: "local" } });
    expect(notificationText(local.standing, 5)).toContain("local, not isolated");
  });

  it("says how it ended only when it did not go through", () => {
    expect(endText([make.run("/r", [make.turn(1)])])).toBeUndefined();
    expect(endText([make.run("/r", [make.turn(1, { verdict: "failed" })])])).toBeUndefined();
    const cancelled = make.run("/r", [make.turn(1), make.turn(2, { verdict: "not-reached" })], {
      state: "cancelled",
    });
    expect(endText([cancelled])).toBe("Cancelled after checkpoint 1. The run folder is readable.");
    const reason = "the image python:3.12-slim cannot be pulled (no route to host)";
    expect(
      endText([make.run("/r", [make.turn(1), make.turn(2, { verdict: "infrastructure", reason })])]),
    ).toBe(`Checkpoint 2 stopped: ${reason}. Not scored.`);
    const timeout = make.turn(1, { verdict: "agent-timeout", reason: "The agent took longer than 60 s" });
    expect(endText([make.run("/r", [timeout])])).toBe("Checkpoint 1: The agent took longer than 60 s.");
  });

  it("speaks for all attempts at their end", () => {
    const attempt = (index: number, ...rest: Parameters<typeof make.run>): Run => ({
      ...make.run(...rest),
      attempt: { of: 3, index, group: "g" },
    });
    const well = (index: number): Run => attempt(index, "/r", [make.turn(1)]);
    const refused = make.turn(1, { verdict: "agent-error", reason: "API Error: 401" });
    expect(endText([well(1), well(2), well(3)])).toBeUndefined();
    expect(endText([well(1), attempt(2, "/r", [refused]), well(3)])).toBe(
      "2 of 3 attempts went through. Attempt 2: Checkpoint 1: API Error: 401.",
    );
    expect(endText([well(1), attempt(2, "/r", [make.turn(1)], { state: "cancelled" })])).toBe(
      "Attempt 2: Cancelled after checkpoint 1. The run folder is readable.",
    );
  });
});
