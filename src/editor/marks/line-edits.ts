/** What edits do to lines, and to marks that stand on them. Lines are 1-based, as in marks. */
import type { Marks } from "./marks.js";

/** Lines `first` to `last` gave way to `now` lines; both ends were edited, not only moved. */
export interface LineEdit {
  readonly first: number;
  readonly last: number;
  readonly now: number;
}

/** Where a line stands after an edit; one that was edited itself stays as near as it can. */
export function moveLine(line: number, { first, last, now }: LineEdit): number {
  if (line < first) return line;
  return line > last ? line + now - (last - first + 1) : Math.min(line, first + now - 1);
}

export function isEdited(line: number, { first, last }: LineEdit): boolean {
  return line >= first && line <= last;
}

/** Marks where they stand after edits, each placed in the text that the one before left. */
export function moveMarks(marks: Marks, edits: readonly LineEdit[]): Marks {
  if (edits.every(({ first, last, now }) => last - first + 1 === now)) return marks;
  const move = (line: number): number => edits.reduce(moveLine, line);
  return {
    ...marks,
    functions: marks.functions.map((mark) => ({ ...mark, line: move(mark.line) })),
    clones: marks.clones.map((mark) => ({ ...mark, start: move(mark.start), end: move(mark.end) })),
    verbosity: marks.verbosity.map((mark) => ({ ...mark, line: move(mark.line), end: move(mark.end) })),
  };
}

/** The marks of whose lines none was edited; only those can be expected to be there again. */
export function untouchedMarks(marks: Marks, edits: readonly LineEdit[]): Marks {
  return edits.reduce((left, edit) => {
    const isApart = (start: number, end: number): boolean => end < edit.first || start > edit.last;
    const untouched = {
      ...left,
      functions: left.functions.filter(({ line }) => isApart(line, line)),
      clones: left.clones.filter(({ start, end }) => isApart(start, end)),
      verbosity: left.verbosity.filter(({ line, end }) => isApart(line, end)),
    };
    return moveMarks(untouched, [edit]);
  }, marks);
}

/** Whether there are fewer marks of a kind than expected. */
export function hasFewer(marks: Marks, expected: Marks): boolean {
  return (
    marks.functions.length < expected.functions.length ||
    marks.clones.length < expected.clones.length ||
    marks.verbosity.length < expected.verbosity.length
  );
}
