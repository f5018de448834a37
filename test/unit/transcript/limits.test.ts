import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import path from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { Allowance } from "../../../src/core/transcript/allowance.js";
import { linesOf } from "../../../src/core/transcript/lines.js";
import { readTranscript } from "../../../src/core/transcript/read-transcript.js";
import { brief, checkpointWith, jsonLines, NEVER, readFrom } from "./support.js";

const INIT = { type: "system", subtype: "init", tools: [], model: "m" };
const said = (id: string, text: string) => ({
  type: "assistant",
  parent_tool_use_id: null,
  message: { id, content: [{ type: "text", text }], usage: { input_tokens: 1, output_tokens: 1 } },
});

async function archived(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

describe("a broken transcript", () => {
  it("is read around its broken lines, which are told", async () => {
    const transcript = await readFrom({
      "agent/stdout.jsonl": `npm warn\n${jsonLines([INIT, said("a", "one")])}{"type":"assistant","mess\n${jsonLines([said("b", "two")])}{"type":`,
    });
    expect(brief(transcript)).toEqual(["agent: one", "agent: two"]);
    expect(transcript.faults.map(({ line, severity }) => [line, severity])).toEqual([
      [1, "warning"],
      [4, "warning"],
      [6, "warning"],
    ]);
  });

  it("does not list broken lines for ever", async () => {
    const { faults } = await readFrom({ "agent/stdout.jsonl": `${jsonLines([INIT])}${"{\n".repeat(500)}` });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)?.message).toBe("More lines cannot be read; they are not listed");
  });

  it("survives events of other shapes than expected", async () => {
    const shapes = [
      null,
      [],
      3,
      "x",
      { content: null },
      { id: 4, content: [null, 3, { type: "tool_use", input: null }] },
    ];
    const transcript = await readFrom({
      "agent/stdout.jsonl": [
        INIT,
        ...["assistant", "user", "result", "system"].flatMap((type) =>
          shapes.map((message) => ({ type, message, usage: message })),
        ),
      ],
    });
    expect(transcript.faults).toEqual([]);
    expect(brief(transcript)).toEqual(["agent:  tool{}=?"]);
  });
});

describe("agent.tar.gz", () => {
  it("is read as its folder is, with or without the folder's name", async () => {
    const text = jsonLines([INIT, said("a", "one")]);
    for (const prefix of ["", "./", "agent/"]) {
      const folder = await checkpointWith({ "prompt.txt": "Build." });
      await writeFile(
        path.join(folder, "agent.tar.gz"),
        await archived({ [`${prefix}other.txt`]: "x", [`${prefix}stdout.jsonl`]: text }),
      );
      expect(brief(await readTranscript(folder, NEVER))).toEqual(["user: Build.", "agent: one"]);
    }
  });

  it("is read up to where it is cut off", async () => {
    const text = jsonLines([INIT, said("a", "one")]);
    const whole = await archived({
      "stdout.jsonl": text,
      "z.bin": Array.from({ length: 5000 }, Math.random).join(),
    });
    const folder = await checkpointWith({});
    await writeFile(path.join(folder, "agent.tar.gz"), whole.subarray(0, whole.length - 2000));
    expect(brief(await readTranscript(folder, NEVER))).toEqual(["agent: one"]);
  });

  it("that is none is refused", async () => {
    const folder = await checkpointWith({ "agent.tar.gz": "no archive" });
    await expect(readTranscript(folder, NEVER)).rejects.toMatchObject({ name: "SlopLensError" });
  });
});

describe("a huge transcript", () => {
  it("is counted to its end and kept in part", async () => {
    const folder = await checkpointWith({ "agent/stderr.txt": "" });
    const file = createWriteStream(path.join(folder, "agent/stdout.jsonl"));
    const long = "x".repeat(200_000);
    file.write(jsonLines([INIT]));
    for (let index = 0; index < 1000; index++) {
      if (!file.write(jsonLines([said(`m${index}`, `${index} ${long}`)]))) await once(file, "drain");
    }
    file.end();
    await finished(file);
    const transcript = await readTranscript(folder, NEVER);
    const kept = transcript.messages.reduce((sum, { text }) => sum + text.length, 0);
    expect(kept).toBeLessThanOrEqual(49 * 1024 * 1024);
    expect(transcript.usage).toMatchObject({ steps: 1000, inputTokens: 1000 });
    expect(transcript.messages.length).toBeLessThan(300);
    expect(transcript.notes).toEqual([
      expect.stringMatching(/^Only the first \d+ messages are shown; \d+ more/u),
    ]);
  });

  it("settles soon when it is aborted", async () => {
    const folder = await checkpointWith({});
    const archive = createGzip();
    const file = path.join(folder, "agent.tar.gz");
    archive.pipe(createWriteStream(file));
    archive.end(Buffer.alloc(1024));
    await finished(archive);
    await expect(readTranscript(folder, AbortSignal.abort())).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("linesOf", () => {
  async function* pieces(...texts: string[]) {
    for (const text of texts) yield await Promise.resolve(Buffer.from(text, "latin1"));
  }

  it("joins what is cut, also within a character, and passes over what is too long", async () => {
    const lines = [];
    const bytes = Buffer.from("é\r\n", "utf8").toString("latin1");
    for await (const line of linesOf(
      pieces("a", "b\nabcdef", "gh\n", bytes.slice(0, 1), bytes.slice(1), "end"),
      6,
    ))
      lines.push(line);
    expect(lines).toEqual([
      { number: 1, text: "ab" },
      { number: 2, text: undefined },
      { number: 3, text: "é" },
      { number: 4, text: "end" },
    ]);
  });
});

describe("an allowance", () => {
  it("keeps beginning and end of a long text, and leaves alone what it has cut", () => {
    const allowance = new Allowance({ text: 10_000, messages: 10, oneText: 200 });
    const kept = allowance.keep(`begin${"-".repeat(2000)}end`);
    expect(kept).toMatch(/^begin-+\n\[… \d+ characters left out …\]\n-+end$/u);
    expect(allowance.keep(kept)).toBe(kept);
    expect(JSON.stringify(allowance.keepInput({ a: [{ b: "y".repeat(2000) }], c: 3 }))).toMatch(
      /^\{"a":\[\{"b":"y+\\n\[… 1800 characters left out …\]\\ny+"\}\],"c":3\}$/u,
    );
  });
});
