import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkpointWith } from "../transcript/support.js";
import { cli } from "./support.js";

const lines = (text: string) => [
  { type: "system", subtype: "init", session_id: "s1", tools: [], model: "m-1" },
  {
    type: "assistant",
    message: {
      id: "a",
      model: "m-1",
      content: [
        { type: "text", text },
        { type: "tool_use", id: "t", name: "Bash", input: { command: "cat /tests/test_a.py" } },
      ],
      usage: { input_tokens: 5, output_tokens: 2 },
    },
  },
];

describe("slop-lens transcript", () => {
  it("prints what the agent did, what it took, and what to look at", async () => {
    const folder = await checkpointWith({
      "prompt.txt": "Build.",
      "agent/stdout.jsonl": lines("I \u001B[31mlook."),
    });
    const { code, out, err } = await cli(folder, ["transcript", "."]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.trimEnd().split("\n")).toEqual([
      "claude_code m-1, session s1",
      "total: steps 1, in 5, out 2, cache read 0, cache write 0",
      "look: message 2 seems to look at hidden tests: /tests/test_a.py",
      "",
      "#1 user",
      "  Build.",
      "",
      "#2 agent · m-1 · in 5, out 2, cache read 0, cache write 0",
      "  I look.",
      "  > Bash",
      "    command: cat /tests/test_a.py",
      "    no answer",
    ]);
  });

  it("prints all transcripts of a run, one JSON document a line, and says which checkpoint has none", async () => {
    const folder = await checkpointWith({
      "shelf/checkpoint_10/agent/stdout.jsonl": lines("ten"),
      "shelf/checkpoint_2/agent/stdout.jsonl": lines("two"),
      "shelf/checkpoint_1/agent/stdout.txt": "",
    });
    const { code, out, err } = await cli(folder, ["transcript", ".", "--format", "atif"]);
    expect(code).toBe(0);
    const documents = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { steps: { message: string }[] });
    expect(documents.map(({ steps }) => steps[0]?.message)).toEqual(["two", "ten"]);
    expect(err).toContain("shelf/checkpoint_1: This checkpoint has no transcript of its agent");
  });

  it("reads back what it wrote", async () => {
    const folder = await checkpointWith({ "agent/stdout.jsonl": lines("one") });
    const json = await cli(folder, ["transcript", "agent", "--format", "json"]);
    const atif = await cli(folder, ["transcript", "agent/stdout.jsonl", "--format", "atif"]);
    const again = await checkpointWith({ "trajectory.json": atif.out });
    const { messages, usage } = JSON.parse(
      (await cli(again, ["transcript", ".", "--format", "json"])).out,
    ) as Record<string, unknown>;
    expect({ messages, usage }).toEqual({ ...pick(JSON.parse(json.out) as Record<string, unknown>) });
  });

  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ["a file", { "notes.txt": "" }, "notes.txt", "notes.txt is no transcript in any form that is known"],
    ["nothing", {}, "gone", "gone does not exist"],
    ["some folder", { "a/b.txt": "x" }, "a", "There is no transcript in a"],
    [
      "a pack",
      { "p/config.yaml": "", "p/tests/x.py": "" },
      "p",
      "p is a problem pack, and only runs have transcripts",
    ],
    [
      "a folder of runs",
      { "runs/1/checkpoint_results.jsonl": "", "runs/2/checkpoint_results.jsonl": "" },
      "runs",
      `runs holds 2 runs or more and is none itself. Name one: ${path.join("runs", "1")}`,
    ],
    [
      "a replayed checkpoint",
      { "r/p/checkpoint_1/prompt.txt": "", "r/p/checkpoint_1/evaluation.json": "{}" },
      "r/p/checkpoint_1",
      `The checkpoint ${path.join("r", "p", "checkpoint_1")} has no transcript of its agent. Replays have none`,
    ],
    [
      "a replayed run",
      { "r/p/checkpoint_1/prompt.txt": "", "r/p/problem.yaml": "" },
      "r",
      "No checkpoint in r has a transcript of its agent. Replays have none",
    ],
  ])("says of %s why it has no transcript", async (_what, files, place, expected) => {
    const folder = await checkpointWith(files);
    const { code, out, err } = await cli(folder, ["transcript", place]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`slop-lens: ${expected}`);
  });

  it("says what it wants when there is nothing", async () => {
    const folder = await checkpointWith({ "a/b.txt": "x" });
    expect(await cli(folder, ["transcript", "."])).toMatchObject({ code: 2, out: "" });
    expect((await cli(folder, ["transcript", ".", "--format", "html"])).code).toBe(2);
  });
});

function pick({ messages, usage }: Record<string, unknown>) {
  return { messages, usage };
}
