import { expect, it } from "vitest";
import { LineBuffer } from "../../../src/core/trajectory/line-buffer.js";

it("hands on whole lines, and the rest at the end", () => {
  const lines: string[] = [];
  const buffer = new LineBuffer((line) => lines.push(line));
  for (const text of ["on", "e\ntwo\r", "\n", "\nth", "ree"]) buffer.push(text);
  expect(lines).toEqual(["one", "two", ""]);
  buffer.end();
  buffer.end();
  expect(lines).toEqual(["one", "two", "", "three"]);
});
