import type { CallableMetrics, RuleMatch } from "../model/quality.js";
import { apartCallables, findCallables, headOf, type Callable } from "./measures/callables.js";
import { cloneCandidates, type CloneCandidate } from "./measures/clones.js";
import { cognitiveComplexity } from "./measures/cognitive.js";
import { Decisions } from "./measures/complexity.js";
import { LineCount } from "./measures/line-count.js";
import { countLostLines } from "./measures/lost-lines.js";
import { OwnLines } from "./measures/own-lines.js";
import { NO_STRUCTURE, type StructuralReading } from "./measures/structural.js";
import type { FlatTree } from "./tree/flat-tree.js";

/** A callable without its path: measures of a text do not depend on where it lies. */
export type MeasuredCallable = Omit<CallableMetrics, "path">;
export type MeasuredMatch = Omit<RuleMatch, "path">;

/** Everything measured on one text. Plain JSON, so that it can travel between threads and be kept. */
export interface FileMeasures {
  /** Ascending 1-based numbers of the lines of code. */
  readonly sloc: readonly number[];
  readonly callables: readonly MeasuredCallable[];
  /** Nodes of the syntax tree, the unnamed ones included. */
  readonly syntaxNodes: number;
  readonly cloneCandidates: readonly CloneCandidate[];
  readonly structure: StructuralReading;
  readonly matches: readonly MeasuredMatch[];
  /** Matches that a comment in the text suppresses. */
  readonly suppressed: readonly MeasuredMatch[];
  /** Number of lines of code that could not be parsed; absent when there are none. */
  readonly lostLines?: number;
}

/** Measures a parsed text; a pure function of tree and language. Rule matches are added by the caller. */
export function measureTree(tree: FlatTree): FileMeasures {
  const { language } = tree.grammar;
  const sloc = language.sloc(tree);
  const lines = new LineCount(sloc);
  const callables = findCallables(tree);
  const lostLines = countLostLines(tree, lines);
  return {
    sloc,
    callables: measureCallables(tree, callables, lines),
    syntaxNodes: tree.count,
    cloneCandidates: cloneCandidates(tree, lines),
    structure: language.structure?.(tree, callables) ?? NO_STRUCTURE,
    matches: [],
    suppressed: [],
    ...(lostLines > 0 && { lostLines }),
  };
}

function measureCallables(
  tree: FlatTree,
  callables: readonly Callable[],
  lines: LineCount,
): MeasuredCallable[] {
  const decisions = new Decisions(tree);
  const ownLines = new OwnLines(tree, lines);
  const apart = apartCallables(tree, callables);
  return callables.map(({ node, name, qualifiedName, kind }) => {
    const inner = apart.get(node) ?? [];
    const head = headOf(tree, node);
    const spans = inner.map((start) => ({ node: start, end: tree.after(start) }));
    const inside = decisions.within(head, tree.after(node), spans);
    const cc = 1 + inside.length;
    const sloc = ownLines.count(tree.start[head] ?? 0, tree.end[node] ?? 0, inner);
    return {
      name,
      qualifiedName,
      kind,
      start: tree.firstLine(head),
      end: tree.lastLine(node),
      cc,
      cognitive: cognitiveComplexity(tree, node, inner),
      sloc,
      mass: massOf(cc, sloc),
      decisions: inside,
    };
  });
}

/** A file of which a larger share of lines cannot be parsed is skipped: its figures would tell little. */
const MOST_LOST = 0.25;

/** @returns why a file with so many syntax errors is skipped; undefined when its measures count */
export function faultOf({ lostLines = 0, sloc }: FileMeasures): string | undefined {
  if (lostLines <= MOST_LOST * sloc.length) return undefined;
  return `syntax errors: ${lostLines} of ${sloc.length} lines of code could not be parsed`;
}

/** Mass of a callable, `complexity · √sloc`. */
export function massOf(complexity: number, sloc: number): number {
  return complexity * Math.sqrt(sloc);
}
