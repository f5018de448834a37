import { describe, expect, it } from "vitest";
import type { Run, RunAgent } from "../../../src/core/model/run.js";
import { agentRunLabel, runLabel } from "../../../src/core/report/run-label.js";

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
    [run({ name: "mine", model: "glm-5" }, "just-solve"), "mine · just-solve"],
    [run({ type: "replay", name: "old", detail: "/runs/x" }, "just-solve"), "replay: old"],
  ])("tells two runs apart (%#)", (given, expected) => {
    expect(runLabel(given)).toBe(expected);
  });

  it.each([
    [run({ type: "mine", model: "glm-5" }, "just-solve"), "mine · glm-5 · just-solve"],
    [run({ type: "mine", name: "good", model: "glm-5" }, "just-solve"), "good · just-solve"],
    [run({}, "just-solve"), "command · just-solve"],
    [run({ type: "replay", detail: "solutions" }), "replay: reference"],
  ])("names the agent where a run stands alone (%#)", (given, expected) => {
    expect(agentRunLabel(given)).toBe(expected);
  });
});
