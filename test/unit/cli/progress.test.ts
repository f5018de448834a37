import { describe, expect, it } from "vitest";
import type { CliIo } from "../../../src/cli/io.js";
import { finishedText, ProgressLine } from "../../../src/cli/progress.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import { aTurn, counts } from "../trajectory/samples.js";

const turn = aTurn(3, {
  verdict: "failed",
  counts: counts({
    Core: { passed: 7, failed: 5, skipped: 1 },
    Regression: { passed: 50, failed: 0, skipped: 0 },
  }),
  startedAt: "2026-01-02T03:04:05.000Z",
  finishedAt: "2026-01-02T03:04:19.200Z",
});

/** What is printed when a turn ends. */
function printed(isTerminal: boolean, quiet: boolean, finished: Turn): string {
  let text = "";
  const io: CliIo = {
    out: () => undefined,
    err: (part) => {
      text += part;
    },
    isTerminal,
    columns: 80,
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  };
  new ProgressLine(io, quiet).listen({ type: "turn-finished", folder: "/runs/1", turn: finished });
  return text;
}

describe("a finished checkpoint", () => {
  it("is told with its verdict, tests and time, as far as they are known", () => {
    expect(finishedText(turn)).toBe("checkpoint_3: failed, 57 of 62 tests, 14 s");
    expect(finishedText(aTurn(1, { verdict: "agent-error" }))).toBe("checkpoint_1: agent-error");
    expect(finishedText(aTurn(1, { usage: { ...NO_USAGE, testSeconds: 3 } }))).toBe(
      "checkpoint_1: passed, 3 s",
    );
  });

  it("takes a line where no terminal is, unless the objects of --json tell it", () => {
    expect(printed(false, false, turn)).toBe("checkpoint_3: failed, 57 of 62 tests, 14 s\n");
    expect(printed(false, true, turn)).toBe("");
    expect(printed(true, false, turn)).toBe("");
  });
});
