import { readFileSync } from "node:fs";
import path from "node:path";
import { readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ModelError } from "../../../src/core/agent/tool-loop/model-error.js";
import { readTranscript } from "../../../src/core/transcript/read-transcript.js";
import {
  bash,
  calls,
  finish,
  never,
  prepareImage,
  ScriptedModel,
  SECRET,
  TurnFolder,
} from "./tool-loop-support.js";

// The first use on a machine installs pytest into a virtual environment.
beforeAll(prepareImage, 300_000);

let turns: TurnFolder;

beforeEach(async () => {
  turns = await TurnFolder.make();
});

afterEach(async () => {
  await turns[Symbol.asyncDispose]();
});

describe.skipIf(process.platform === "win32")("a model with tools", () => {
  it("reads, writes, edits, lists, searches and runs in the workspace, and ends with finish", async () => {
    const model = new ScriptedModel([
      { text: "Let me see.", ...calls(["list_files", {}], ["read_file", { path: "shelf.py" }]) },
      calls(
        ["write_file", { path: "lib/words.py", content: "WORD = 'one'\nWORD = 'two'\nprint(WORD)\n" }],
        ["edit_file", { path: "lib/words.py", old: "'one'", new: "'eins'" }],
        ["read_file", { path: "lib/words.py", start_line: 2, end_line: 2 }],
        ["search", { pattern: "W[A-Z]+ =", glob: "*.py" }],
      ),
      bash('python lib/words.py; echo "$SLOP_LENS_ENTRY_FILE"; echo trouble >&2; exit 3'),
      finish,
    ]);
    const result = await turns.take(model);
    expect(result).toMatchObject({
      ...{ status: "done", reason: undefined, retryable: false },
      usage: { steps: 4, inputTokens: 400, outputTokens: 80, costUsd: undefined },
    });
    expect(result.usage.agentSeconds).toBeGreaterThan(0);
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(model.outputs(1)).toEqual(["shelf.py (13 bytes)", "print('old')\n"]);
    expect(model.outputs(2)).toEqual([
      "Wrote 38 bytes to lib/words.py",
      "Replaced 1 in lib/words.py",
      "[lines 2-2 of 3]\nWORD = 'two'\n",
      "lib/words.py:1: WORD = 'eins'\nlib/words.py:2: WORD = 'two'",
    ]);
    expect(model.outputs(3)).toEqual(["two\nshelf.py\ntrouble\n[exit code 3]"]);
    expect(await turns.after("lib/words.py")).toBe("WORD = 'eins'\nWORD = 'two'\nprint(WORD)\n");
    expect(turns.heard).toContain("Let me see.\n");
    expect(turns.heard).toContain("▸ list_files {}\n");
  });

  it("is done with an answer that asks for nothing", async () => {
    expect(await turns.take(new ScriptedModel([{ text: "All done." }]))).toMatchObject({ status: "done" });
    expect(await turns.after("shelf.py")).toBe("print('old')\n");
  });

  it("keeps what was said as a trajectory that reads", async () => {
    await turns.take(
      new ScriptedModel([
        { text: "I look.", thinking: "hm", ...bash("echo hi") },
        { ...calls(["read_file", { path: "gone.py" }]), isEstimated: true },
        finish,
      ]),
      { options: { prices: { input: 10, output: 100, cachedInput: undefined } } },
    );
    const transcript = await readTranscript(turns.in("agent"), never);
    expect(transcript).toMatchObject({
      format: "atif",
      agent: { type: "slop-lens", model: "scripted" },
      usage: { steps: 3, inputTokens: 300, outputTokens: 60 },
      failure: undefined,
      faults: [],
    });
    expect(transcript.usage.costUsd).toBeCloseTo(0.009, 10);
    expect(transcript.messages.map(({ source }) => source)).toEqual([
      "system",
      "user",
      "agent",
      "agent",
      "agent",
    ]);
    const [, , first, second] = transcript.messages;
    expect(first).toMatchObject({ text: "I look.", thinking: "hm", usage: { inputTokens: 100 } });
    expect(first?.calls).toMatchObject([{ name: "bash", input: { command: "echo hi" }, failed: false }]);
    expect(first?.calls[0]?.output).toBe("hi\n[exit code 0]");
    expect(second?.calls).toMatchObject([{ output: "There is no file gone.py", failed: true }]);
    expect(await turns.trajectory()).toContain("Tokens are estimated");
  });

  it("says a secret nowhere, whoever brings it up", async () => {
    const model = new ScriptedModel([
      { text: `key ${SECRET}`, thinking: SECRET, ...bash(`echo ${SECRET}`) },
      new ModelError("refused", `bad key ${SECRET}`),
    ]);
    const state = turns.in("state");
    const session = { mode: "fresh" as const, stateBefore: undefined, stateAfter: state };
    const result = await turns.take(model, { turn: { session } });
    expect(result.reason).toBe("bad key ***");
    const kept = await Promise.all([
      turns.trajectory(),
      readFile(path.join(state, "conversation.json"), "utf8"),
    ]);
    expect([turns.heard, ...kept].join()).not.toContain(SECRET);
    expect(kept.every((text) => text.includes("***"))).toBe(true);
  });
});

describe.skipIf(process.platform === "win32")("calls that cannot be made", () => {
  it("are told to the model, which goes on", async () => {
    const model = new ScriptedModel([
      calls(
        ["fly", { to: "moon" }],
        ["read_file", '{"path": '],
        ["read_file", { path: 7 }],
        ["bash", { command: "true", seconds: 1e9 }],
        ["read_file", { path: "." }],
        ["edit_file", { path: "shelf.py", old: "new", new: "x" }],
        ["write_file", { path: "\u0000", content: "x" }],
        ["search", { pattern: "(" }],
      ),
      finish,
    ]);
    expect(await turns.take(model)).toMatchObject({ status: "done" });
    expect(model.outputs(1)).toEqual([
      expect.stringMatching(/^There is no tool fly\. The tools are read_file, /u),
      "The arguments are not a JSON object. Call the tool again.",
      expect.stringMatching(/^The arguments do not fit read_file: path: /u),
      expect.stringMatching(/^The arguments do not fit bash: seconds: /u),
      ". is a folder",
      expect.stringMatching(/^`old` is not in shelf\.py/u),
      expect.stringMatching(/null byte/u),
      expect.stringMatching(/^The pattern is not a regular expression/u),
    ]);
  });

  it("are those that lead out of the workspace, by any way", async () => {
    await writeFile(turns.in("outside.txt"), "not yours");
    await symlink(turns.in("outside.txt"), turns.in("before/link.txt"));
    await symlink("/", turns.in("before/up"));
    const outside = turns.in("outside.txt");
    const model = new ScriptedModel([
      calls(
        ["read_file", { path: outside }],
        ["read_file", { path: "../home/x" }],
        ["read_file", { path: "link.txt" }],
        ["write_file", { path: "link.txt", content: "x" }],
        ["edit_file", { path: `up${outside}`, old: "not", new: "now" }],
        ["write_file", { path: "up/tmp/slop-lens-escape", content: "x" }],
        ["list_files", { path: "up" }],
        ["search", { pattern: "yours", path: "up" }],
        ["search", { pattern: "yours" }],
        ["list_files", {}],
      ),
      finish,
    ]);
    await turns.take(model);
    const outputs = model.outputs(1);
    expect(outputs.slice(0, 8).every((text) => text.endsWith("is outside of the workspace"))).toBe(true);
    expect(outputs.slice(8)).toEqual(["[no match]", `link.txt -> ${outside}\nshelf.py (13 bytes)\nup -> /`]);
    expect(readFileSync(outside, "utf8")).toBe("not yours");
    expect(await readlink(turns.in("after/up"))).toBe("/");
  });
});

describe.skipIf(process.platform === "win32")("what tools give back", () => {
  it("of a huge output is its beginning and its end", async () => {
    const model = new ScriptedModel([bash("echo first; yes | head -c 5000000; echo last"), finish]);
    await turns.take(model);
    const [output = ""] = model.outputs(1);
    expect(output.length).toBeLessThan(31_000);
    expect(output).toMatch(/^first\ny\n/u);
    expect(output).toMatch(/\[… 4970011 bytes of output left out …\]/u);
    expect(output).toMatch(/y\nlast\n\[exit code 0\]$/u);
  });

  it("of files that are no UTF-8 can be read, and an edit leaves their other bytes alone", async () => {
    await writeFile(turns.in("before/latin.txt"), Buffer.from("caf\xe9 = old\r\n", "latin1"));
    await writeFile(turns.in("before/data.bin"), Buffer.from([1, 0, 2]));
    const model = new ScriptedModel([
      calls(
        ["read_file", { path: "latin.txt" }],
        ["edit_file", { path: "latin.txt", old: "old", new: "neü" }],
        ["read_file", { path: "data.bin" }],
        ["bash", { command: "printf 'a\\377b'" }],
      ),
      finish,
    ]);
    await turns.take(model);
    expect(model.outputs(1)).toEqual([
      expect.stringMatching(/not UTF-8, shown as Latin-1\]\ncafé = old/u),
      "Replaced 1 in latin.txt",
      "data.bin is binary, 3 bytes",
      "a\ufffdb\n[exit code 0]",
    ]);
    const expected = Buffer.concat([Buffer.from("caf\xe9 = ", "latin1"), Buffer.from("neü\r\n")]);
    expect(await readFile(turns.in("after/latin.txt"))).toEqual(expected);
  });

  it("of a command that does not end is what it said; what it left behind has ended", async () => {
    const model = new ScriptedModel([
      calls(
        ["bash", { command: "echo started; sleep 7131", seconds: 0.5 }],
        ["bash", { command: "(setsid sleep 7132 &) ; sleep 7133 & echo on" }],
        ["bash", { command: "sleep 0.2; pgrep -f 'sleep 713[123]' | wc -l" }],
      ),
      finish,
    ]);
    await turns.take(model);
    const [first, second, third] = model.outputs(1);
    expect(first).toBe("started\n[killed: it ran longer than 0.5 s]");
    expect(second).toMatch(/^on\n\[exit code 0\]/u);
    expect(third).toBe("0\n[exit code 0]");
  });
});
