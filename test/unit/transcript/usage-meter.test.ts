import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import { readUsage, USAGE_PARSERS, usageMeter } from "../../../src/core/transcript/usage-meter.js";
import { checkpointWith, jsonLines, NEVER } from "./support.js";

const STEP = {
  type: "step_finish",
  part: {
    id: "p1",
    type: "step-finish",
    cost: 0.25,
    tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 3 } },
  },
};
const OPENCODE = [
  { type: "step_start", sessionID: "s", part: { id: "p0", type: "step-start" } },
  STEP,
  { ...STEP, part: { ...STEP.part, id: "p2" } },
];

describe("a usage meter", () => {
  it("counts as output arrives, wherever it is cut", () => {
    const meter = usageMeter("opencode");
    const text = jsonLines(OPENCODE);
    const half = text.indexOf("p2");
    meter.push(text.slice(0, half));
    expect(meter.report.usage).toMatchObject({ steps: 1, costUsd: 0.25, inputTokens: 10 });
    meter.push(text.slice(half));
    expect(meter.report.usage).toMatchObject({
      ...{ steps: 2, costUsd: 0.5, inputTokens: 20, outputTokens: 4 },
      ...{ reasoningTokens: 2, cacheReadTokens: 10, cacheWriteTokens: 6 },
    });
  });

  it("passes over what is no event, and knows nothing then", () => {
    for (const parser of USAGE_PARSERS) {
      const meter = usageMeter(parser);
      meter.push("npm warn something\n{broken\n[]\n\u0000\n");
      expect(meter.report).toMatchObject({ usage: NO_USAGE, failure: undefined });
    }
  });

  it("tells the agent's own words for its failure", () => {
    const failures = {
      "claude-code": { type: "result", is_error: true, result: "API Error: 500" },
      codex: { type: "turn.failed", error: { message: "stream disconnected" } },
      gemini: { type: "result", status: "error", error: { type: "E", message: "quota" } },
      opencode: { type: "error", error: { name: "APIError", data: { message: "refused", statusCode: 401 } } },
    } as const;
    const told = Object.entries(failures).map(([parser, event]) => {
      const meter = usageMeter(parser as keyof typeof failures);
      meter.push(jsonLines([event]));
      return meter.report.failure;
    });
    expect(told).toEqual(["API Error: 500", "stream disconnected", "quota", "APIError 401: refused"]);
  });
});

describe("readUsage", () => {
  it("reads the same from the files, whatever the agent's folder holds besides", async () => {
    const folder = await checkpointWith({
      "agent/messages.jsonl": OPENCODE,
      "agent/stdout.txt": "done\n",
      "agent/settings.json": "{}",
    });
    const { usage } = await readUsage("opencode", folder, NEVER);
    expect(usage).toMatchObject({ steps: 2, costUsd: 0.5 });
    expect(await readUsage("none", folder, NEVER)).toMatchObject({ usage: NO_USAGE, failure: undefined });
  });

  it("knows nothing of an agent that left nothing, and settles when it is aborted", async () => {
    const folder = await checkpointWith({ "agent/stdout.txt": "" });
    expect(await readUsage("codex", folder, NEVER)).toMatchObject({ usage: NO_USAGE, failure: undefined });
    await expect(readUsage("codex", folder, AbortSignal.abort())).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
