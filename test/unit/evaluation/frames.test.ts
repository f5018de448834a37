import { describe, expect, it } from "vitest";
import { FrameReader } from "../../../src/core/evaluation/frames.js";

const NONCE = "0123456789abcdef0123456789abcdef";

function frame(source: string, sequence: number, piece: string, flag = ".", nonce = NONCE): string {
  return `\x1e${nonce} ${source} ${sequence} ${flag} ${piece}\n`;
}

/** Feeds a stream in the given chunks. */
function read(chunks: readonly Buffer[]): {
  messages: string[];
  text: string;
  damage: string | undefined;
} {
  const messages: string[] = [];
  const texts: Buffer[] = [];
  const reader = new FrameReader(NONCE, {
    onMessage: (message) => messages.push(message),
    onText: (bytes) => texts.push(Buffer.from(bytes)),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { messages, text: Buffer.concat(texts).toString("utf8"), damage: reader.damage };
}

const whole = (text: string): Buffer[] => [Buffer.from(text)];

describe("FrameReader", () => {
  const stream = Buffer.from(
    `noise ü\n${frame("supervisor", 0, '{"a":1}')}mid${frame("pytest", 0, '{"b"', "+")}\x1e${frame("pytest", 1, ":2}")}` +
      `\x1e0123 not ours\n${frame("supervisor", 1, '{"c":3}')}end without a line feed`,
  );
  const expected = {
    messages: ['{"a":1}', '{"b":2}', '{"c":3}'],
    text: "noise ü\nmid\x1e\x1e0123 not ours\nend without a line feed",
    damage: undefined,
  };

  it("takes frames out of other output", () => {
    expect(read([stream])).toEqual(expected);
  });

  it("gives the same whichever byte the stream is cut at", () => {
    for (let at = 0; at <= stream.length; at++) {
      expect(read([stream.subarray(0, at), stream.subarray(at)])).toEqual(expected);
    }
  });

  it("gives the same byte by byte", () => {
    expect(read([...stream].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it("hands text on at once, except what may be the beginning of a frame", () => {
    const texts: string[] = [];
    const reader = new FrameReader(NONCE, {
      onMessage: () => undefined,
      onText: (bytes) => texts.push(bytes.toString()),
    });
    reader.push(Buffer.from("abc\x1e0123"));
    expect(texts).toEqual(["abc"]);
    reader.push(Buffer.from("x"));
    expect(texts).toEqual(["abc", "\x1e0123x"]);
  });

  it("takes frames without the nonce for text", () => {
    const forged = frame("pytest", 0, '{"event":"finish"}', ".", "f".repeat(32));
    expect(read(whole(forged))).toEqual({ messages: [], text: forged, damage: undefined });
  });

  it("notices a lost frame, a repeated one, and goes on reading", () => {
    expect(read(whole(frame("pytest", 1, "{}")))).toEqual({
      messages: ["{}"],
      text: "",
      damage: "frame 1 of pytest came where 0 was due",
    });
    expect(read(whole(frame("pytest", 0, "{}") + frame("pytest", 0, "{}"))).damage).toBe(
      "frame 0 of pytest came where 1 was due",
    );
  });

  it("counts each source on its own", () => {
    const mixed = frame("supervisor", 0, "1") + frame("pytest", 0, "2") + frame("supervisor", 1, "3");
    expect(read(whole(mixed)).damage).toBeUndefined();
  });

  it("notices a message that never ends", () => {
    expect(read(whole(frame("pytest", 0, '{"a"', "+"))).damage).toBe("the last message is not complete");
  });

  it("calls a frame broken that other output has cut into, without waiting for its end for ever", () => {
    const broken = read(whole(`\x1e${NONCE} pytest noise\n${frame("pytest", 0, "{}")}`));
    expect(broken.damage).toBe("a frame is broken");
    expect(broken.messages).toEqual(["{}"]);
    const endless = read([Buffer.from(`\x1e${NONCE} pytest 0 . `), Buffer.alloc(5000, "x")]);
    expect(endless.damage).toBe("a frame is broken");
    expect(endless.text).toHaveLength(5000 + "pytest 0 . ".length + NONCE.length + 2);
  });

  it("keeps its hands off frames of exactly the longest length", () => {
    const room = 4096 - Buffer.byteLength(frame("pytest", 0, ""));
    expect(read(whole(frame("pytest", 0, "x".repeat(room)))).damage).toBeUndefined();
    expect(read(whole(frame("pytest", 0, "x".repeat(room + 1)))).damage).toBe("a frame is broken");
  });
});
