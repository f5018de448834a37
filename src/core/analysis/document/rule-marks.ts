import type { RuleMatch } from "../../model/quality.js";
import type { RuleScan, RuleScanner } from "../measurer.js";
import type { Source } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { movePoint, replacementBetween, rowChange, type Point, type RowChange } from "./change.js";

/** A tree whose matches are known. */
interface Scanned {
  readonly tree: FlatTree;
  readonly scan: RuleScan;
}

/** The rule matches of a document. Until the rules are applied after an edit, matches move with their lines. */
export class RuleMarks {
  #last: Scanned | undefined;

  constructor(
    private readonly rules: RuleScanner,
    private readonly path: string,
  ) {}

  /** The matches that were found last, where they stand in a later text; what was edited away is left out. */
  moved(source: Source): RuleScan {
    if (this.#last === undefined) return { matches: [], suppressed: [] };
    const { tree, scan } = this.#last;
    const change = replacementBetween(tree.source.text, source.text);
    if (change === undefined) return scan;
    return mapScan(scan, movedBy(rowChange(change, tree.source, source)));
  }

  /** Brings the matches up to a tree. */
  scan(tree: FlatTree): RuleScan {
    if (this.#last?.tree.source.text !== tree.source.text) {
      this.#last = { tree, scan: this.rules.scan(this.path, tree) };
    }
    return this.#last.scan;
  }
}

type MoveMatch = (match: RuleMatch) => RuleMatch | undefined;

function mapScan({ matches, suppressed }: RuleScan, move: MoveMatch): RuleScan {
  const map = (all: readonly RuleMatch[]) => all.map(move).filter((match) => match !== undefined);
  return { matches: map(matches), suppressed: map(suppressed) };
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
