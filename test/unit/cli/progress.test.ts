import { describe, expect, it } from "vitest";
import type { CliIo } from "../../../src/cli/io.js";
import { finishedText, ProgressLine } from "../../../src/cli/progress.js";
import type { RunEvent } from "../../../src/core/model/run.js";
import type { Turn, TurnPhase } from "../../../src/core/model/turn.js";
import { run as aRun } from "../editor/support.js";
import { aTurn, counts } from "../trajectory/samples.js";

const turn = aTurn(3, {
  verdict: "failed",
  counts: counts({
    Core: { passed: 7, failed: 5, skipped: 1 },
    Regression: { passed: 50, failed: 0, skipped: 0 },
  }),
  // Long ago, as of a turn that is evaluated again.
  startedAt: "2026-01-02T03:04:05.000Z",
  finishedAt: "2026-01-12T03:04:19.200Z",
});

/** What is printed when a turn ends. */
function printed(isTerminal: boolean, quiet: boolean, finished: Turn): string {
  return told(
    [{ type: "turn-finished", folder: "/runs/1", turn: finished, seconds: 14.2 }],
    isTerminal,
    quiet,
  );
}

/** What is printed of events. */
function told(events: readonly RunEvent[], isTerminal = false, quiet = false): string {
  let text = "";
  const io: CliIo = {
    out: () => undefined,
    err: (part) => {
      text += part;
    },
    isTerminal,
    columns: 80,
    program: "slop-lens",
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  };
  const progress = new ProgressLine(io, quiet);
  for (const event of events) progress.listen(event);
  return text;
}

function step(phase: TurnPhase, part: Partial<Turn> = {}, detail?: string): RunEvent {
  const progress = { phase, detail, queued: [], running: undefined };
  return {
    type: "turn-progress",
    folder: "/runs/1",
    turn: aTurn(1, { verdict: undefined, ...part }),
    progress,
  };
}

describe("where no terminal is", () => {
  const pulls = ["Pulling python:3.12-slim: 4 % of 45 MB", "Pulling python:3.12-slim: 43 % of 45 MB"];
  const events: RunEvent[] = [
    ...pulls.map((message) => ({ type: "log", level: "info", message }) as const),
    step("preparing"),
    step("agent"),
    step("agent"),
    step("snapshot"),
    step("testing"),
    step("measuring"),
    step("testing"),
  ];

  it("a phase that takes its time is told once, when it begins", () => {
    const { problem } = turn;
    expect(told(events).split("\n")).toEqual([
      "preparing the image, Pulling python:3.12-slim:",
      `${problem}, checkpoint_1: preparing the image`,
      `${problem}, checkpoint_1: agent at work`,
      `${problem}, checkpoint_1: running hidden tests`,
      "",
    ]);
  });

  it("nothing is told beside the objects of --json", () => {
    expect(told(events, false, true)).toBe("");
  });

  it("tries of a round and attempts tell which they are", () => {
    const candidate = { index: 2, of: 4 };
    const attempt = { of: 3, index: 2, group: "g" };
    const run = { ...aRun("/runs/1", []), attempt };
    const finished = aTurn(1, { candidate, verdict: "agent-error" });
    expect(
      told([
        { type: "run-started", run },
        step("agent", { candidate }),
        { type: "turn-finished", folder: "/runs/1", turn: finished },
      ]).split("\n"),
    ).toEqual([
      `attempt 2 of 3, ${turn.problem}, checkpoint_1, try 2 of 4: agent at work`,
      "attempt 2 of 3, checkpoint_1, try 2 of 4: agent-error",
      "",
    ]);
  });
});

describe("a finished checkpoint", () => {
  it("is told with its verdict, tests and time, as far as they are known", () => {
    expect(finishedText(turn, 14.2)).toBe("checkpoint_3: failed, 57 of 62 tests, 1 skipped, 14 s");
    expect(finishedText(aTurn(1, { verdict: "agent-error" }))).toBe("checkpoint_1: agent-error");
    expect(finishedText(aTurn(1, {}), 3)).toBe("checkpoint_1: passed, 3 s");
  });

  it("takes a line where no terminal is, unless the objects of --json tell it", () => {
    expect(printed(false, false, turn)).toBe("checkpoint_3: failed, 57 of 62 tests, 1 skipped, 14 s\n");
    expect(printed(false, true, turn)).toBe("");
    expect(printed(true, false, turn)).toBe("");
  });
});
