import { describe, expect, it } from "vitest";
import { MaskingStream } from "../../../src/core/agent/masking.js";

const SECRETS = ["sk-abc-123456", "sk-abc-123456-long", "aaaaab", "Schlüssel€", "two\nlines", "tiny"];

function masked(input: Uint8Array, size: number, secrets = SECRETS): Buffer {
  const chunks: Uint8Array[] = [];
  const stream = new MaskingStream(secrets, (chunk) => chunks.push(chunk));
  for (let at = 0; at < input.length; at += size) stream.push(input.subarray(at, at + size));
  stream.end();
  return Buffer.concat(chunks);
}

describe.each([1, 2, 3, 7, 1000])("a masking stream that gets %i bytes at a time", (size) => {
  it.each([
    ["key sk-abc-123456!", "key ***!"],
    ["sk-abc-123456-long", "***"],
    ["sk-abc-123456-lo", "***-lo"],
    ["sk-abc-12345", "sk-abc-12345"],
    ["aaaaaaaab", "aaa***"],
    ["ein Schlüssel€.", "ein ***."],
    ["two\nlines\ntwo\n", "***\ntwo\n"],
    ["a tiny word", "a tiny word"],
    ["", ""],
  ])("makes %j to %j", (text, expected) => {
    // How far a longer secret reaches is known only when it has arrived: in small pieces its head is masked alone.
    const acceptable = text === "sk-abc-123456-long" ? [expected, "***-long"] : [expected];
    expect(acceptable).toContain(masked(Buffer.from(text), size).toString());
  });

  it("lets every other byte pass", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
    expect(masked(bytes, size).equals(bytes)).toBe(true);
    expect(masked(bytes, size, []).equals(bytes)).toBe(true);
  });
});

describe.each([
  ["a line's end", "sk-abc-123456\n"],
  ["white space around it", "\t sk-abc-123456 \r\n"],
  ["several lines", "-----BEGIN KEY-----\nMIIEvQIBADAN\r\n\nkiG9w0BAQEFA\n-----END KEY-----\n"],
])("a secret with %s", (_, secret) => {
  const lines = secret.split(/\s*\n\s*/u).filter((line) => line !== "");

  it.each([
    ["as it is", secret],
    ["without what is around it", secret.trim()],
    ["line by line", lines.map((line) => `| ${line}`).join("\n")],
    ["with other line ends", lines.join("\r\n")],
    ["without line ends", lines.join("")],
    ["in JSON", JSON.stringify({ lines })],
    ["in base64, trimmed", Buffer.from(secret.trim()).toString("base64")],
  ])("is masked %s", (_, text) => {
    const clean = masked(Buffer.from(`key: ${text}; done`), 7, [secret]).toString();
    expect(clean).toMatch(/^key: .*\*\*\*.*; done$/su);
    for (const line of lines) {
      expect(clean).not.toContain(line.trim());
      expect(clean).not.toContain(Buffer.from(line.trim()).toString("base64").slice(0, 12));
    }
  });
});

describe("a secret of any signs", () => {
  const secret = `sk/Ab3+x=='"\\é(1)*Y9`;
  const inPython = String.raw`sk/Ab3+x=='\"\\\u00e9(1)*Y9`;
  const address = "sk%2FAb3%2Bx%3D%3D%27%22%5C%C3%A9%281%29%2AY9";

  it.each([
    ["JavaScript's JSON", JSON.stringify(secret).slice(1, -1)],
    ["Python's JSON", inPython],
    ["PHP's JSON", inPython.replaceAll("/", "\\/")],
    ["JavaScript's addresses", encodeURIComponent(secret)],
    ["Python's addresses", address.replaceAll("%2F", "/")],
    ["Python's form fields", address],
    ["addresses with small digits", address.replaceAll(/%../gu, (text) => text.toLowerCase())],
    ["hexadecimal", Buffer.from(secret).toString("hex")],
  ])("is masked as %s have it", (_, text) => {
    expect(masked(Buffer.from(`<${text}>`), 5, [secret]).toString()).toBe("<***>");
  });
});

it("hands on at once what cannot become a secret", () => {
  const heard: string[] = [];
  const stream = new MaskingStream(SECRETS, (chunk) => heard.push(Buffer.from(chunk).toString()));
  stream.push(Buffer.from("working on sk-ab"));
  stream.push(Buffer.from("out\n"));
  expect(heard).toEqual(["working on ", "sk-about\n"]);
});
