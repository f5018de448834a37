import { describe, expect, it } from "vitest";
import type { Transcript } from "../../../src/core/model/transcript.js";
import { toAtif } from "../../../src/core/transcript/atif-export.js";
import { brief, readFrom } from "./support.js";

async function again(transcript: Transcript): Promise<Transcript> {
  return readFrom({ "agent/trajectory.json": JSON.stringify(toAtif(transcript)) });
}

/** What a round trip keeps: all but where it was read from and what was wrong there. */
function content({ format, agent, session, messages, usage, inputHoldsCached, failure, notes }: Transcript) {
  return { format, agent, session, messages, usage, inputHoldsCached, failure, notes };
}

const STEP = { source: "agent", message: "", model_name: "m" };

describe("ATIF", () => {
  it("keeps all of a transcript there and back", async () => {
    const read = await readFrom({
      "prompt.txt": "Build.",
      "agent/stdout.jsonl": [
        { type: "system", subtype: "init", session_id: "s", tools: [], model: "m" },
        {
          type: "assistant",
          parent_tool_use_id: "t0",
          message: {
            id: "a",
            content: [
              { type: "thinking", thinking: "Hm." },
              { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls", deep: [{ a: 1 }] } },
              { type: "tool_use", id: "t2", name: "Read", input: {} },
              { type: "tool_use", name: "Odd", input: "text" },
            ],
            usage: {
              input_tokens: 7,
              output_tokens: 3,
              cache_read_input_tokens: 11,
              cache_creation_input_tokens: 5,
            },
          },
        },
        {
          type: "user",
          timestamp: "today",
          message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "no", is_error: true }] },
        },
        { type: "user", timestamp: "today", message: { content: "Go on." } },
        {
          type: "result",
          is_error: true,
          result: "429",
          total_cost_usd: 0.5,
          usage: { input_tokens: 8, output_tokens: 3, cache_read_input_tokens: 12 },
        },
      ],
    });
    const noted: Transcript = { ...read, notes: ["something was left out"] };
    expect(content(await again(noted))).toEqual(content(noted));
    const document = toAtif(noted);
    expect(document).toMatchObject({
      schema_version: "ATIF-v1.7",
      final_metrics: { total_prompt_tokens: 20, total_cached_tokens: 12 },
    });
  });

  it("keeps what is not known unknown", async () => {
    const read = await readFrom({ "agent/stdout.txt": "some output\n" });
    expect(read.usage.steps).toBeUndefined();
    expect(content(await again(read))).toEqual(content(read));
  });

  it("sums steps where there is no sum, without what was copied or not asked of a model", async () => {
    const metrics = { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.25 };
    const transcript = await readFrom({
      "agent/trajectory.json": JSON.stringify({
        schema_version: "ATIF-v1.2",
        session_id: "s",
        agent: { name: "terminus-2", version: "2.0", model_name: "m" },
        steps: [
          {
            step_id: 1,
            source: "user",
            message: [
              { type: "text", text: "Build." },
              { type: "image", source: {} },
            ],
          },
          { ...STEP, step_id: 2, metrics, is_copied_context: true },
          { ...STEP, step_id: 3, metrics, reasoning_content: "Hm." },
          { ...STEP, step_id: 4, message: "prepared", llm_call_count: 0 },
        ],
      }),
    });
    expect(transcript.agent).toEqual({ type: "terminus-2", version: "2.0", model: "m" });
    expect(transcript.usage).toMatchObject({ steps: 1, inputTokens: 10, cacheReadTokens: 4, costUsd: 0.25 });
    expect(transcript.messages[0]?.text).toBe("Build.[image]");
    expect(transcript.messages[1]?.copied).toBe(true);
  });

  it("knows calls by their ids within a step, and shows helpers behind the call that began them", async () => {
    const call = (name: string) => ({ tool_call_id: "c", function_name: name, arguments: {} });
    const results = (content: string, more: object = {}) => ({
      results: [{ source_call_id: "c", content, ...more }],
    });
    const transcript = await readFrom({
      "agent/trajectory.json": JSON.stringify({
        schema_version: "ATIF-v1.7",
        agent: { name: "a", version: "1" },
        steps: [
          {
            ...STEP,
            tool_calls: [call("ask")],
            observation: results("told", { subagent_trajectory_ref: [{ trajectory_id: "h" }] }),
          },
          { ...STEP, tool_calls: [call("run")], observation: results("ran") },
          { source: "system", message: "", observation: { results: [{ content: "booted" }] } },
        ],
        subagent_trajectories: [
          {
            schema_version: "ATIF-v1.7",
            trajectory_id: "h",
            agent: { name: "b", version: "1" },
            steps: [{ ...STEP, message: "helping" }],
          },
        ],
      }),
    });
    expect(brief(transcript)).toEqual([
      "agent:  ask{}=told",
      "agent: helping",
      "agent:  run{}=ran",
      "system: booted",
    ]);
    expect(transcript.messages[1]?.parentCall).toBe("c");
    expect(transcript.agent.type).toBe("a");
  });

  it("is read on where it goes on, once, and tells when that is missing", async () => {
    const part = (message: string, next?: string) =>
      JSON.stringify({
        schema_version: "ATIF-v1.5",
        agent: { name: "a", version: "1" },
        steps: [{ ...STEP, message }],
        continued_trajectory_ref: next,
      });
    const files = { "agent/trajectory.json": part("one", "trajectory.cont-1.json") };
    const whole = await readFrom({
      ...files,
      "agent/trajectory.cont-1.json": part("two", "trajectory.json"),
    });
    expect(brief(whole)).toEqual(["agent: one", "agent: two"]);
    expect((await readFrom(files)).notes).toEqual([
      "The transcript goes on in trajectory.cont-1.json, which is not there",
    ]);
  });
});
