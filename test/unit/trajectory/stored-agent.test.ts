import { expect, test } from "vitest";
import type { RunAgent } from "../../../src/core/model/run.js";
import { storedAgent } from "../../../src/core/trajectory/stored-agent.js";

function agent(part: Partial<RunAgent>): RunAgent {
  return { type: "unknown", version: undefined, model: undefined, detail: undefined, ...part };
}

test("a program is known again by its file's name, with its model and how much it thinks", () => {
  expect(storedAgent(agent({ type: "claude_code", model: "opus", detail: "thinking high" }))).toEqual({
    kind: "named",
    name: "claude-code",
    model: "opus",
    thinking: "high",
  });
  expect(storedAgent(agent({ type: "codex" }))).toMatchObject({ name: "codex", thinking: undefined });
});

test.each([
  { type: "unknown" },
  { type: "model", model: "gpt-5", detail: "copilot" },
  { type: "replay", detail: "recording" },
  { type: "command", detail: "run --key ***" },
])("$type with $detail is to be given anew", (part) => {
  expect(storedAgent(agent(part))).toBeUndefined();
});

test("replays and commands tell all that is needed", () => {
  expect(storedAgent(agent({ type: "replay", detail: "/runs/old" }))).toEqual({
    kind: "replay",
    source: { kind: "folder", folder: "/runs/old" },
  });
  expect(storedAgent(agent({ type: "command", detail: "true" }))).toEqual({
    kind: "command",
    command: "true",
  });
});
