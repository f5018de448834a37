import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRun } from "../../src/core/store/read-run.js";
import { readTranscript } from "../../src/core/transcript/read-transcript.js";
import { IMAGE } from "../support/image.js";
import { type ChatScript, ScriptedChat, sendError, sendStream, streamOf } from "../support/scripted-chat.js";
import { cli, jsonLines, lay, wordPack } from "../unit/cli/support.js";

const KEY = "sk-docker-0123456789";
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-model-"));
  await lay(root, wordPack("words"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

/** Runs the pack of words with a scripted endpoint as its agent, as a user would from a shell. */
async function take(script: ChatScript, ...more: string[]): ReturnType<typeof cli> {
  await using chat = await ScriptedChat.start(script);
  const model = ["--agent", "model", "--endpoint", chat.url, "--model", "tiny", "--key-env", "MY_KEY"];
  const place = ["--image", IMAGE, "--template", "just-solve", "--json"];
  return await cli(root, ["run", "words", ...model, ...place, ...more], { env: { MY_KEY: KEY } });
}

async function runFolder(): Promise<string> {
  const [name = ""] = await readdir(path.join(root, "runs"));
  return path.join(root, "runs", name);
}

/** Every file below a folder, as text. */
async function texts(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name), "latin1")));
}

describe("a model behind an endpoint, with its tools in a container", () => {
  it("solves two checkpoints by tool calls, as non-root, and its key is nowhere", async () => {
    const script: ChatScript = ({ messages }, response, { headers }) => {
      if (headers.authorization !== `Bearer ${KEY}`) {
        sendError(response, 401, { error: { message: "no key" } });
        return;
      }
      const words =
        /word\d/u.exec(messages.findLast(({ role }) => role === "user")?.content ?? "")?.[0] ?? "";
      const answered = messages.filter(({ role }) => role === "tool").length;
      const steps = [
        [
          {
            name: "bash",
            arguments: { command: "id -u; env | grep -c sk-docker; ls /opt/slop-lens/harness" },
          },
        ],
        words === "word1"
          ? [{ name: "write_file", arguments: { path: "words.py", content: 'print("word1")\n' } }]
          : [{ name: "edit_file", arguments: { path: "words.py", old: 'word1"', new: 'word1 word2"' } }],
        [{ name: "bash", arguments: { command: "python words.py" } }],
      ];
      sendStream(response, streamOf(answered < 3 ? "Working." : "Done.", steps[answered]));
    };
    const { code, out, err } = await take(script, "--prices", "1,10", "--verbose");
    expect({ code, err: err.includes(KEY), out: out.includes(KEY) }).toEqual({
      code: 0,
      err: false,
      out: false,
    });
    const turns = jsonLines(out);
    expect(turns.map(({ verdict }) => verdict)).toEqual(["passed", "passed"]);
    const folder = await runFolder();
    const run = await readRun(folder);
    expect(run.agent).toMatchObject({ type: "model", model: "tiny" });
    for (const turn of run.problems[0]?.turns ?? []) {
      expect(turn.usage).toMatchObject({ steps: 4, inputTokens: 400, outputTokens: 80 });
      expect(turn.usage.costUsd).toBeCloseTo(0.0012, 10);
    }
    const agent = path.join(folder, "words/checkpoint_2/agent");
    const transcript = await readTranscript(agent, new AbortController().signal);
    expect(transcript).toMatchObject({ format: "atif", usage: { steps: 4, inputTokens: 400 } });
    const outputs = transcript.messages.flatMap(({ calls }) => calls.map(({ output }) => output));
    expect(outputs).toEqual([
      "1000\n0\nslop_lens_harness\ntool_server.py\n[exit code 0]",
      "Replaced 1 in words.py",
      "word1 word2\n[exit code 0]",
    ]);
    const snapshot = path.join(folder, "words/checkpoint_2/snapshot");
    expect(await readFile(path.join(snapshot, "words.py"), "utf8")).toBe('print("word1 word2")\n');
    const all = await texts(path.join(root, "runs"));
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((text) => text.includes(KEY))).toEqual([]);
  });

  it("that refuses the key is the agent's error with the endpoint's reason, the key masked", async () => {
    const { out } = await take((_asked, response) => {
      sendError(response, 401, { error: { message: `Incorrect API key provided: ${KEY}` } });
    });
    const [first, second] = jsonLines(out);
    expect(first).toMatchObject({
      verdict: "agent-error",
      reason: expect.stringMatching(
        /refused the key; check the variable MY_KEY \(401: Incorrect .*: \*\*\*\)/u,
      ) as string,
    });
    expect(second).toMatchObject({ verdict: "not-reached" });
    expect((await texts(path.join(root, "runs"))).filter((text) => text.includes(KEY))).toEqual([]);
  });
});
