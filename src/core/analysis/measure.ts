import type { CallableMetrics, RuleMatch } from "../model/quality.js";
import { findCallables } from "./measures/callables.js";
import { cloneCandidates, type CloneCandidate } from "./measures/clones.js";
import { cognitiveComplexity } from "./measures/cognitive.js";
import { Decisions } from "./measures/complexity.js";
import { LineCount } from "./measures/line-count.js";
import type { StructuralReading } from "./measures/structural.js";
import type { FlatTree } from "./tree/flat-tree.js";

/** A callable without its path: measures of a text do not depend on where it lies. */
export type MeasuredCallable = Omit<CallableMetrics, "path">;

/** Everything measured on one text. Plain JSON, so that it can travel between threads and be kept. */
export interface FileMeasures {
  /** Ascending 1-based numbers of the lines of code. */
  readonly sloc: readonly number[];
  readonly callables: readonly MeasuredCallable[];
  /** Nodes of the syntax tree, the unnamed ones included. */
  readonly syntaxNodes: number;
  readonly cloneCandidates: readonly CloneCandidate[];
  readonly structure: StructuralReading;
  readonly matches: readonly RuleMatch[];
  /** Matches that a comment in the text suppresses. */
  readonly suppressed: readonly RuleMatch[];
}

/** Measures a parsed text; a pure function of tree and language. Rule matches are added by the caller. */
export function measureTree(tree: FlatTree): FileMeasures {
  const { language } = tree.grammar;
  const sloc = language.sloc(tree);
  const lines = new LineCount(sloc);
  const callables = findCallables(tree);
  const decisions = new Decisions(tree);
  return {
    sloc,
    callables: callables.map(({ node, name, qualifiedName, kind }) => {
      const inside = decisions.within(node, tree.after(node));
      const cc = 1 + inside.length;
      const start = tree.firstLine(node);
      const end = tree.lastLine(node);
      const loc = lines.within(start, end);
      const cognitive = cognitiveComplexity(tree, node);
      return {
        name,
        qualifiedName,
        kind,
        start,
        end,
        cc,
        cognitive,
        sloc: loc,
        mass: massOf(cc, loc),
        decisions: inside,
      };
    }),
    syntaxNodes: tree.count,
    cloneCandidates: cloneCandidates(tree, lines),
    structure: language.structure(tree, callables),
    matches: [],
    suppressed: [],
  };
}

/** Mass of a callable, `complexity · √sloc`. */
export function massOf(complexity: number, sloc: number): number {
  return complexity * Math.sqrt(sloc);
}
