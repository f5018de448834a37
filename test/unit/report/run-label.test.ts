import { describe, expect, it } from "vitest";
import type { Run, RunAgent } from "../../../src/core/model/run.js";
import { runLabel } from "../../../src/core/report/run-label.js";

function run(agent: Partial<RunAgent>, prompt?: string): Run {
  return {
    folder: "/runs/one",
    agent: { type: "command", version: undefined, model: undefined, detail: undefined, ...agent },
    prompt,
    environment: undefined,
    isolation: "docker",
    startedAt: undefined,
    state: "finished",
    problems: [],
    faults: [],
  };
}

describe("the name of a run", () => {
  it.each([
    [run({ type: "replay", detail: "solutions" }, "just-solve"), "replay: reference"],
    [run({ type: "replay", detail: "/packs/recordings/rotting/" }), "replay: rotting"],
    [run({ type: "replay", detail: "C:\\packs\\clean" }), "replay: clean"],
    [run({ type: "replay" }), "replay: recording"],
    [run({ type: "claude_code", model: "glm-5" }, "just-solve"), "glm-5 · just-solve"],
    [run({}, undefined), "command"],
  ])("tells two runs apart (%#)", (given, expected) => {
    expect(runLabel(given)).toBe(expected);
  });
});
