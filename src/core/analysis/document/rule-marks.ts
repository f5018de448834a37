import type { LanguageId, RuleMatch } from "../../model/quality.js";
import type { RuleMatcher, RuleScan, SyntaxNode } from "../measurer.js";
import type { Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { movePoint, replacementBetween, rowChange, type Point, type RowChange } from "./change.js";
import { changedStretch, outlineOf, widen, type Statement, type Stretch } from "./outline.js";

/** A text whose matches are known. */
interface Scanned {
  readonly source: Source;
  readonly outline: readonly Statement[];
  readonly scan: RuleScan;
  /** Whether ast-grep's tree has the same statements without an error, so that parts of it can be trusted. */
  readonly isAlike: boolean;
}

export interface RuleReading {
  readonly scan: RuleScan;
  /** False when rules that look far may still match elsewhere; `scanAll` tells. */
  readonly isWhole: boolean;
}

/** A part of a text larger than this is not worth to be told from the whole. */
const MOST_OF_TEXT = 0.6;
/** A comment in the first line may suppress matches in the whole text. */
const MAY_SUPPRESS_ALL = "ignore";

/**
 * The rule matches of a document. After an edit, rules are applied to the statements that it touched and to their
 * neighbours only, as a text of their own; other matches move with their lines.
 */
export class RuleMarks {
  #last: Scanned | undefined;

  constructor(
    private readonly matcher: RuleMatcher,
    private readonly path: string,
    private readonly language: LanguageId,
  ) {}

  /** The matches that were found last, where they stand in a later text; what was edited away is left out. */
  moved(source: Source): RuleScan {
    const last = this.#last;
    if (last === undefined) return { matches: [], suppressed: [] };
    const change = replacementBetween(last.source.text, source.text);
    if (change === undefined) return last.scan;
    return mapScan(last.scan, movedBy(rowChange(change, last.source, source)));
  }

  /** Brings the matches up to a tree. */
  scan(tree: FlatTree): RuleReading {
    const last = this.#last;
    const reach = this.matcher.reach?.(this.language);
    if (last?.isAlike !== true || reach === undefined) return this.scanAll(tree);
    const change = replacementBetween(last.source.text, tree.source.text);
    if (change === undefined) return { scan: last.scan, isWhole: reach.far.size === 0 };
    if (mayReachAll(last.source) || mayReachAll(tree.source)) return this.scanAll(tree);
    const outline = outlineOf(tree);
    const rows = rowChange(change, last.source, tree.source);
    const part = partToScan(last.outline, outline, rows, Math.max(1, reach.statements));
    const scan = this.#scanPart(tree, outline, part, last.scan);
    if (scan === undefined) return this.scanAll(tree);
    this.#last = { source: tree.source, outline, scan, isAlike: true };
    return { scan, isWhole: reach.far.size === 0 };
  }

  /** Applies the rules to the whole text. */
  scanAll(tree: FlatTree): RuleReading {
    const outline = outlineOf(tree);
    const { scan, isAlike } = this.#apply(tree.source.text, outline, 0);
    this.#last = { source: tree.source, outline, scan, isAlike };
    return { scan, isWhole: true };
  }

  /** @returns undefined when the part does not read alone as it does within the text, or is most of it */
  #scanPart(
    tree: FlatTree,
    outline: readonly Statement[],
    part: Part,
    before: RuleScan,
  ): RuleScan | undefined {
    const { rowStarts, text } = tree.source;
    const { read } = part;
    const firstRow = firstRowOf(outline, read.from);
    const from = rowStarts[firstRow] ?? 0;
    const to = rowStarts[outline[read.to]?.firstRow ?? rowStarts.length] ?? text.length;
    if (to - from > text.length * MOST_OF_TEXT) return undefined;
    // An empty line stands first, as a comment on a first line may count for all that follows.
    const above = firstRow === 0 ? "" : "\n";
    const rows = firstRow - above.length;
    const { scan, isAlike } = this.#apply(
      above + text.slice(from, to),
      outline.slice(read.from, read.to),
      rows,
    );
    return isAlike ? joined(before, mapScan(scan, byRows(rows)), part) : undefined;
  }

  /** @param rows how far the text stands below the first row of the statements' text */
  #apply(text: string, statements: readonly Statement[], rows: number): { scan: RuleScan; isAlike: boolean } {
    const seen = { isAlike: false };
    const scan = this.matcher.scan(this.path, this.language, text, (root) => {
      seen.isAlike = isAlikeTo(root, statements, rows);
    });
    return { scan, ...seen };
  }
}

/** Row on which a statement starts; the first for the first, so that nothing is above it. */
function firstRowOf(outline: readonly Statement[], index: number): number {
  return index === 0 ? 0 : (outline[index]?.firstRow ?? 0);
}

/** Which statements are read, and the rows whose matches are replaced by what is found there. */
interface Part {
  readonly read: Stretch;
  readonly firstRow: number;
  /** First row behind, in the text before and now. */
  readonly oldBehind: number;
  readonly newBehind: number;
}

/**
 * Matches may change as far from an edit as rules look; to find them, rules must see as far again.
 */
function partToScan(
  before: readonly Statement[],
  now: readonly Statement[],
  { start, oldEnd, newEnd }: RowChange,
  statements: number,
): Part {
  const rows = { first: start.row, oldLast: oldEnd.row, newLast: newEnd.row };
  const replaced = widen(now, changedStretch(before, now, rows), statements);
  const newBehind = now[replaced.to]?.firstRow ?? Infinity;
  return {
    read: widen(now, replaced, statements),
    firstRow: firstRowOf(now, replaced.from),
    oldBehind: newBehind - (newEnd.row - oldEnd.row),
    newBehind,
  };
}

function mayReachAll({ text }: Source): boolean {
  const end = text.indexOf("\n");
  return text.slice(0, end < 0 ? text.length : end).includes(MAY_SUPPRESS_ALL);
}

/** Whether a root has the given statements, `rows` further up, and no error. */
function isAlikeTo(root: SyntaxNode, statements: readonly Statement[], rows: number): boolean {
  const children = root.children();
  return (
    children.length === statements.length &&
    children.every((child, index) => {
      const { start, end } = child.range();
      const statement = statements[index];
      return start.line + rows === statement?.firstRow && end.line + rows === statement.endRow;
    }) &&
    root.find({ rule: { kind: "ERROR" } }) === null
  );
}

type MoveMatch = (match: RuleMatch) => RuleMatch | undefined;

function mapScan({ matches, suppressed }: RuleScan, move: MoveMatch): RuleScan {
  const map = (all: readonly RuleMatch[]) => all.map(move).filter((match) => match !== undefined);
  return { matches: map(matches), suppressed: map(suppressed) };
}

function byRows(rows: number): MoveMatch {
  if (rows === 0) return (match) => match;
  return (match) => ({ ...match, start: match.start + rows, end: match.end + rows });
}

/** Moves matches with an edit; one that has an end within what was replaced is gone. */
function movedBy(change: RowChange): MoveMatch {
  const move = (line: number, column: number): Point | undefined =>
    movePoint({ row: line - 1, column: column - 1 }, change);
  return (match) => {
    const start = move(match.start, match.startColumn);
    const end = move(match.end, match.endColumn);
    if (start === undefined || end === undefined) return undefined;
    return {
      ...match,
      start: start.row + 1,
      startColumn: start.column + 1,
      end: end.row + 1,
      endColumn: end.column + 1,
    };
  };
}

function joined(before: RuleScan, found: RuleScan, part: Part): RuleScan {
  const behind = byRows(part.newBehind - part.oldBehind);
  const join = (old: readonly RuleMatch[], now: readonly RuleMatch[]): RuleMatch[] => [
    ...old.filter(({ start }) => start - 1 < part.firstRow),
    ...now.filter(({ start }) => start - 1 >= part.firstRow && start - 1 < part.newBehind),
    ...old.filter(({ start }) => start - 1 >= part.oldBehind).flatMap((match) => behind(match) ?? []),
  ];
  return {
    matches: join(before.matches, found.matches),
    suppressed: join(before.suppressed, found.suppressed),
  };
}
