import { describe, expect, it } from "vitest";
import { integer } from "../../../src/core/report/format.js";
import { pageMessage, transcriptHead } from "../../../src/core/report/transcript-view.js";
import { readFrom } from "../transcript/support.js";

const LINES = [
  { type: "system", subtype: "init", session_id: "s", tools: [], model: "m", claude_code_version: "2" },
  {
    type: "assistant",
    message: {
      id: "a",
      model: "m",
      content: [
        { type: "text", text: " I \u001B[1mwrite.\u001B[0m " },
        {
          type: "tool_use",
          id: "1",
          name: "Edit",
          input: { file_path: "/workspace/src/a.py", old_string: "one\ntwo", new_string: "one\n2\nthree" },
        },
        { type: "tool_use", id: "2", name: "Write", input: { file_path: "/tmp/a.py", content: "x" } },
        { type: "tool_use", id: "3", name: "Bash", input: { command: "cat /tests/a\nls", timeout: 5 } },
      ],
      usage: { input_tokens: 1234, output_tokens: 0, cache_read_input_tokens: 5 },
    },
  },
  {
    type: "result",
    is_error: true,
    result: "500",
    total_cost_usd: 0.0125,
    usage: { input_tokens: 2000, output_tokens: 7 },
  },
];

describe("a transcript's page", () => {
  it("begins with who it was, what it took, why it ended and what to look at", async () => {
    const head = transcriptHead(
      await readFrom({ "agent/stdout.jsonl": ["x", ...LINES] }),
      "shelf · Checkpoint 1",
    );
    expect(head).toMatchObject({
      title: "shelf · Checkpoint 1",
      agent: ["claude_code", "2", "m", "s"],
      totals: ["1 step", `${integer(2000)} tokens in`, "7 out", "$0.0125"],
      failure: "500",
      notes: ["1 place could not be read: This line is not JSON and was passed over"],
      cues: [{ message: 0, call: 2, text: "message 1 seems to look at hidden tests: /tests/a" }],
      messages: 1,
    });
  });

  it("shows edits as diffs, and leads to files that are in the snapshot only", async () => {
    const transcript = await readFrom({ "agent/stdout.jsonl": LINES });
    const [message] = transcript.messages.map((one) =>
      pageMessage(one, transcript, new Set(["src/a.py", "a.py"])),
    );
    expect(message).toMatchObject({
      text: "I write.",
      model: undefined,
      usage: [`${integer(1234)} tokens in`, "5 cached", "0 out"],
    });
    const [edit, write, bash] = message?.calls ?? [];
    expect(edit?.edits).toEqual([
      {
        path: "/workspace/src/a.py",
        file: "src/a.py",
        added: 2,
        removed: 1,
        applied: true,
        lines: [" one", "-two", "+2", "+three"],
      },
    ]);
    expect(write?.edits).toEqual([
      { path: "/tmp/a.py", file: undefined, added: 1, removed: 0, applied: true, lines: ["+x"] },
    ]);
    expect(bash).toMatchObject({
      about: "cat /tests/a",
      input: "command:\ncat /tests/a\nls\ntimeout: 5",
      output: undefined,
      edits: [],
    });
  });
});
