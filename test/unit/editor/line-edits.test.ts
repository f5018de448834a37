import { describe, expect, it } from "vitest";
import {
  hasFewer,
  moveLine,
  moveMarks,
  untouchedMarks,
  type LineEdit,
} from "../../../src/editor/marks/line-edits.js";
import { NO_MARKS } from "../../../src/editor/marks/marks.js";
import { areSame, draw, movedAlong } from "../../../src/editor/marks/placed.js";
import * as make from "./support.js";

/** Two lines more behind line 3, and line 8 gone. */
const LONGER: LineEdit = { first: 3, last: 3, now: 3 };
const SHORTER: LineEdit = { first: 8, last: 9, now: 1 };

describe("a line", () => {
  it("stays above an edit, moves behind it, and is held where it was edited", () => {
    expect([2, 3, 4, 10].map((line) => moveLine(line, LONGER))).toEqual([2, 3, 6, 12]);
    expect([7, 8, 9, 10].map((line) => moveLine(line, SHORTER))).toEqual([7, 8, 8, 9]);
  });
});

describe("marks", () => {
  const marks = {
    ...NO_MARKS,
    functions: [{ line: 5, text: "CC 11", callable: make.callable("f", {}), share: 1 }],
    clones: [{ id: "a", start: 2, end: 9, copies: [], count: 0 }],
  };

  it("move with edits, one after the other", () => {
    const moved = moveMarks(marks, [SHORTER, LONGER]);
    expect(moved.functions.map(({ line }) => line)).toEqual([7]);
    expect(moved.clones.map(({ start, end }) => [start, end])).toEqual([[2, 10]]);
  });

  it("are expected to stay when no edit touched their lines", () => {
    const behind = untouchedMarks(marks, [{ first: 10, last: 12, now: 1 }]);
    expect([behind.functions.length, behind.clones.length]).toEqual([1, 1]);
    const within = untouchedMarks(marks, [LONGER]);
    expect([within.functions.map(({ line }) => line), within.clones.length]).toEqual([[7], 0]);
    expect(hasFewer(NO_MARKS, within)).toBe(true);
    expect(hasFewer(marks, within)).toBe(false);
  });

  it("are the very same after an edit within a line", () => {
    expect(moveMarks(marks, [{ first: 5, last: 5, now: 1 }])).toBe(marks);
  });
});

describe("decorations", () => {
  const underline = { line: 9, from: 4, to: 8 };

  it("are known to have moved when the edit was on other lines", () => {
    expect(movedAlong([underline], [LONGER, SHORTER])).toEqual([{ line: 11 - 1, from: 4, to: 8 }]);
  });

  it("are unknown when their own line was edited, before or behind them", () => {
    expect(movedAlong([underline], [{ first: 10, last: 10, now: 1 }])).toBeUndefined();
    expect(movedAlong([underline], [{ first: 8, last: 10, now: 1 }])).toBeUndefined();
  });

  it("stay within the text, each line beside a clone once", () => {
    const drawing = draw(
      {
        ...NO_MARKS,
        clones: [
          { id: "a", start: 1, end: 3, copies: [], count: 0 },
          { id: "b", start: 2, end: 9, copies: [], count: 0 },
        ],
        verbosity: [
          {
            line: 2,
            startColumn: 2,
            endColumn: 99,
            end: 2,
            rule: "r",
            message: "",
            note: undefined,
            match: undefined,
          },
          {
            line: 9,
            startColumn: 1,
            endColumn: 2,
            end: 9,
            rule: "r",
            message: "",
            note: undefined,
            match: undefined,
          },
        ],
      },
      () => 5,
      4,
    );
    expect(drawing.verbosity).toEqual([{ line: 1, from: 1, to: 5 }]);
    expect(drawing.start.map(({ line }) => line)).toEqual([0]);
    expect(drawing.middle.map(({ line }) => line)).toEqual([1, 3]);
    expect(drawing.end.map(({ line }) => line)).toEqual([2]);
  });

  it("are the same when place and text are", () => {
    expect(areSame([underline], [{ ...underline }])).toBe(true);
    expect(areSame([underline], [{ ...underline, text: "CC 12" }])).toBe(false);
    expect(areSame([underline], [])).toBe(false);
  });
});
