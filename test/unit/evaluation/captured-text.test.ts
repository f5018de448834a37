import { describe, expect, it } from "vitest";
import { CapturedText } from "../../../src/core/evaluation/captured-text.js";

function capture(limit: number, chunks: readonly string[]): string {
  const text = new CapturedText(limit);
  for (const chunk of chunks) text.push(Buffer.from(chunk));
  return text.toString();
}

describe("CapturedText", () => {
  it("keeps short output as it is, characters cut between chunks included", () => {
    const bytes = Buffer.from("größe");
    const text = new CapturedText(100);
    text.push(bytes.subarray(0, 3));
    text.push(bytes.subarray(3));
    expect(text.toString()).toBe("größe");
  });

  it("keeps output of exactly both ends whole", () => {
    expect(capture(3, ["abcdef"])).toBe("abcdef");
    expect(capture(3, ["a", "bcd", "ef"])).toBe("abcdef");
  });

  it("drops the middle and says how much", () => {
    expect(capture(3, ["abcdefgh"])).toBe("abc\n[… 2 bytes left out …]\nfgh");
    expect(capture(3, Array.from("abcdefghijklmnopqrstuvwxyz"))).toBe("abc\n[… 20 bytes left out …]\nxyz");
  });

  it("does not change what it was given later on", () => {
    const text = new CapturedText(10);
    const bytes = Buffer.from("abc");
    text.push(bytes);
    bytes.fill("x");
    expect(text.toString()).toBe("abc");
  });
});
