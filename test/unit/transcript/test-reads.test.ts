import { describe, expect, it } from "vitest";
import type { ToolCall, ToolInput, Transcript } from "../../../src/core/model/transcript.js";
import { fileEdits } from "../../../src/core/transcript/edits.js";
import { findTestReads } from "../../../src/core/transcript/test-reads.js";
import { readFrom } from "./support.js";

function call(name: string, input: ToolInput): ToolCall {
  return { id: undefined, name, input, output: "", failed: false };
}

async function transcriptOf(...calls: ToolCall[]): Promise<Transcript> {
  const read = await readFrom({ "agent/stdout.txt": "x" });
  const [message] = read.messages;
  if (message === undefined) throw new Error("no message");
  return { ...read, messages: [{ ...message, calls }] };
}

async function cues(...calls: ToolCall[]): Promise<string[]> {
  return findTestReads(await transcriptOf(...calls)).map(
    ({ kind, call: index, found }) => `${index} ${kind} ${found}`,
  );
}

describe("findTestReads", () => {
  it("tells what looks at hidden tests, grading and other checkpoints", async () => {
    expect(
      await cues(
        call("Read", { file_path: "/workspace/.evaluation_tests/test_checkpoint_1.py" }),
        call("Bash", { command: "cd / && ls /tests; cat /logs/verifier/reward.txt" }),
        call("shell", { command: ["bash", "-lc", "cat ../checkpoint_3/snapshot/a.py"] }),
        call("Glob", { pattern: "**/test_checkpoint_2*" }),
        call("Read", { path: "../evaluation/report.json" }),
      ),
    ).toEqual([
      "0 hidden-tests /workspace/.evaluation_tests/test_checkpoint_1.py",
      "1 hidden-tests /tests",
      "1 grading /logs/verifier/reward.txt",
      "2 other-checkpoint ../checkpoint_3/snapshot/a.py",
      "3 hidden-tests **/test_checkpoint_2*",
      "4 grading ../evaluation/report.json",
    ]);
  });

  it("says nothing of the agent's own tests, and of what it writes", async () => {
    expect(
      await cues(
        call("Write", { file_path: "/workspace/tests/test_checkpoint_1.py", content: "import a" }),
        call("Bash", { command: "pytest tests/test_checkpoint_1.py && ls tests /workspace/tests" }),
        call("Edit", { file_path: "a.py", old_string: "/tests/x", new_string: "checkpoint_2/" }),
        call("Bash", { command: "python evaluate.py --out my_evaluation.json; cat src/solution/main.py" }),
      ),
    ).toEqual([]);
  });
});

describe("fileEdits", () => {
  it("reads what the usual tools are given", () => {
    const edits = [
      call("Write", { file_path: "/w/a", content: "x" }),
      call("edit", { filePath: "a", oldString: "x", newString: "y" }),
      call("MultiEdit", {
        file_path: "a",
        edits: [
          { old_string: "1", new_string: "2" },
          { old_string: "3", new_string: "4" },
        ],
      }),
      call("str_replace_editor", { command: "create", path: "a", file_text: "x" }),
      call("StrReplaceFile", { path: "a", edit: { old: "1", new: "2" } }),
      call("file_change", { changes: [{ path: "a", kind: "add" }] }),
      call("Read", { file_path: "a" }),
      call("search", { path: "a", text: "x" }),
    ].map(fileEdits);
    expect(edits).toEqual([
      [{ path: "/w/a", changes: [{ before: undefined, after: "x" }] }],
      [{ path: "a", changes: [{ before: "x", after: "y" }] }],
      [
        {
          path: "a",
          changes: [
            { before: "1", after: "2" },
            { before: "3", after: "4" },
          ],
        },
      ],
      [{ path: "a", changes: [{ before: undefined, after: "x" }] }],
      [{ path: "a", changes: [{ before: "1", after: "2" }] }],
      [{ path: "a", changes: [] }],
      [],
      [],
    ]);
  });

  it("reads Codex' patches, in a tool or in a command", () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: a.py",
      "@@ def f():",
      " keep",
      "-old",
      "+new",
      "@@",
      "+more",
      "*** Add File: b.py",
      "+x = 1",
      "*** End Patch",
    ].join("\n");
    const expected = [
      {
        path: "a.py",
        changes: [
          { before: "keep\nold", after: "keep\nnew" },
          { before: "", after: "more" },
        ],
      },
      { path: "b.py", changes: [{ before: "", after: "x = 1" }] },
    ];
    expect(fileEdits(call("apply_patch", { input: patch }))).toEqual(expected);
    expect(fileEdits(call("shell", { command: ["apply_patch", patch] }))).toEqual(expected);
  });
});
