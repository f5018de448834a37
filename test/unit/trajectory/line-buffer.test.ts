import { expect, it } from "vitest";
import { LineBuffer, LONGEST_LINE } from "../../../src/core/trajectory/line-buffer.js";

it("hands on whole lines, and the rest at the end", () => {
  const lines: string[] = [];
  const buffer = new LineBuffer((line) => lines.push(line));
  for (const text of ["on", "e\ntwo\r", "\n", "\nth", "ree"]) buffer.push(text);
  expect(lines).toEqual(["one", "two", ""]);
  buffer.end();
  buffer.end();
  expect(lines).toEqual(["one", "two", "", "three"]);
});

it("keeps no line that never ends: what is too long goes on in pieces, in order and complete", () => {
  const lines: string[] = [];
  const buffer = new LineBuffer((line) => lines.push(line));
  const piece = "0123456789".repeat(500);
  for (let count = 1; count <= 40; count++) {
    buffer.push(piece);
    // All but the last piece's worth has been handed on, however long the line grows.
    expect(count * piece.length - lines.join("").length).toBeLessThan(LONGEST_LINE + piece.length);
  }
  buffer.push("!\nnext\n");
  expect(lines.every((line) => line.length <= LONGEST_LINE)).toBe(true);
  expect(lines.join("")).toBe(`${piece.repeat(40)}!next`);
  expect(lines.at(-1)).toBe("next");
});
