import { describe, expect, it } from "vitest";
import {
  applyChanges,
  movePoint,
  replacementBetween,
  rowChange,
} from "../../../../src/core/analysis/document/change.js";
import { toSource } from "../../../../src/core/analysis/source.js";
import { Random } from "./editing.js";

describe("what differs between two texts", () => {
  it("is nothing when they are equal", () => {
    expect(replacementBetween("abc", "abc")).toBeUndefined();
  });

  it.each([
    ["a letter more", "abc", "abxc", { start: 2, oldEnd: 2, newEnd: 3 }],
    ["one of two alike less", "aab", "ab", { start: 1, oldEnd: 2, newEnd: 1 }],
    ["all", "abc", "xyz", { start: 0, oldEnd: 3, newEnd: 3 }],
    ["an end", "abc", "", { start: 0, oldEnd: 3, newEnd: 0 }],
  ])("is found: %s", (_, before, after, replacement) => {
    expect(replacementBetween(before, after)).toEqual(replacement);
  });

  it("is the least span that makes one text of the other, in long texts too", () => {
    const random = new Random(3);
    const letters = () => Array.from({ length: random.below(9000) }, () => random.pick(["a", "b"])).join("");
    for (let round = 0; round < 40; round++) {
      const [head, old, now, tail] = [letters(), letters(), letters(), letters()];
      const [before, after] = [head + old + tail, head + now + tail];
      const found = replacementBetween(before, after);
      if (found === undefined) continue;
      const { start, oldEnd, newEnd } = found;
      const change = { offset: start, length: oldEnd - start, text: after.slice(start, newEnd) };
      expect(applyChanges(before, [change])).toBe(after);
      expect(start).toBeGreaterThanOrEqual(head.length);
      expect(Math.min(oldEnd - start, newEnd - start)).toBeLessThanOrEqual(Math.min(old.length, now.length));
      if (oldEnd > start && newEnd > start) {
        expect(before[start]).not.toBe(after[start]);
        expect(before[oldEnd - 1]).not.toBe(after[newEnd - 1]);
      }
    }
  });
});

describe("a point", () => {
  const before = toSource("one\ntwo\nsix");
  const after = toSource("one\nX\nYZo\nsix");
  const change = rowChange({ start: 4, oldEnd: 6, newEnd: 8 }, before, after);

  it("moves with what is before it, and is gone within what was replaced", () => {
    const move = (row: number, column: number) => movePoint({ row, column }, change);
    expect(move(0, 2)).toEqual({ row: 0, column: 2 });
    expect(move(1, 0)).toEqual({ row: 1, column: 0 });
    expect(move(1, 1)).toBeUndefined();
    expect(move(1, 2)).toEqual({ row: 2, column: 2 });
    expect(move(2, 1)).toEqual({ row: 3, column: 1 });
  });
});
