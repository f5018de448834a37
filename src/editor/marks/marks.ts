/** From a report on one document to what is marked in it. Lines and columns are 1-based, as in the report. */
import { l10n } from "vscode";
import { integer, share } from "../../core/report/format.js";
import {
  HIGH_CC,
  type CallableMetrics,
  type CloneClass,
  type CloneInstance,
  type QualityReport,
  type RuleMatch,
} from "../../core/model/quality.js";
import type { MarkKinds } from "./kinds.js";

/** A function above the threshold, marked on its signature line. */
export interface FunctionMark {
  readonly line: number;
  /** `CC 23 · mass 118 · 31 % of the file's mass`. */
  readonly text: string;
  readonly callable: CallableMetrics;
  /** Part of the document's mass, 0 to 1. */
  readonly share: number;
}

/** One instance of a clone that lies in this document. */
export interface CloneMark {
  /** Id of the clone class; all its instances have the same. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The first of its copies: of thousands, a few are enough to choose from. */
  readonly copies: readonly CloneInstance[];
  /** How many copies it has. */
  readonly count: number;
}

/** What a verbosity rule names, on its first line. */
export interface VerbosityMark {
  readonly line: number;
  readonly startColumn: number;
  /** Exclusive. */
  readonly endColumn: number;
  /** Last line of what matched. */
  readonly end: number;
  readonly rule: string;
  readonly message: string;
  readonly note: string | undefined;
  /** The match behind it; undefined for what no rule but the profile flags. */
  readonly match: RuleMatch | undefined;
}

export interface Marks {
  readonly functions: readonly FunctionMark[];
  readonly clones: readonly CloneMark[];
  readonly verbosity: readonly VerbosityMark[];
  /** How many marks there would be without the cap; a clone counts once a line. */
  readonly total: number;
  readonly shown: number;
  /** The figures of functions stand in CodeLenses, not at the ends of lines. */
  readonly asLenses: boolean;
  /** The marks are entries of the Problems view too, which underlines by itself. */
  readonly asProblems: boolean;
}

export const NO_MARKS: Marks = {
  functions: [],
  clones: [],
  verbosity: [],
  total: 0,
  shown: 0,
  asLenses: false,
  asProblems: false,
};

type TextOf = (line: number) => string;

/** More decorations than this slow an editor down. */
export const MOST_MARKS = 1000;

/**
 * The marks of one document.
 * @param textOf text of a 1-based line of the document, for the ends of underlines
 * @param path the document's path in the report, whose clones in other files are only linked
 */
export function buildMarks(
  report: QualityReport,
  textOf: TextOf,
  path: string,
  kinds: MarkKinds,
  most = MOST_MARKS,
): Marks {
  const functions = kinds.complexity ? functionMarks(report) : [];
  const clones = kinds.clones ? clonePlaces(report, path) : [];
  const verbosity = kinds.verbosity ? verbosityMarks(report, textOf) : [];
  const capped = cap({ functions, clones, verbosity }, most);
  return {
    ...capped,
    clones: capped.clones.map(cloneMark),
    asLenses: kinds.codeLens,
    asProblems: kinds.problems,
  };
}

function functionMarks({ functions, totals }: QualityReport): FunctionMark[] {
  return functions
    .filter(({ cc }) => cc > HIGH_CC)
    .map((callable) => {
      const part = totals.totalMass === 0 ? 0 : callable.mass / totals.totalMass;
      const text = l10n.t(
        "CC {0} · mass {1} · {2} of the file's mass",
        callable.cc,
        integer(callable.mass),
        share(part),
      );
      return { line: callable.start, text, callable, share: part };
    })
    .sort((a, b) => a.line - b.line);
}

/** An instance of a clone that lies in the document. */
interface ClonePlace {
  readonly clone: CloneClass;
  readonly own: CloneInstance;
  readonly start: number;
  readonly end: number;
}

function clonePlaces({ clones }: QualityReport, path: string): ClonePlace[] {
  return clones
    .flatMap((clone) =>
      clone.instances
        .filter((instance) => instance.path === path)
        .map((own) => ({ clone, own, start: own.start, end: own.end })),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** More copies of a clone are counted, not named. */
const MOST_COPIES = 50;

/** Of what is shown only: in a class of thousands, each would have all the others. */
function cloneMark({ clone: { id, instances, more = 0 }, own }: ClonePlace): CloneMark {
  const { start, end } = own;
  const copies = instances.slice(0, MOST_COPIES + 1).filter((other) => other !== own);
  return { id, start, end, copies: copies.slice(0, MOST_COPIES), count: instances.length - 1 + more };
}

function verbosityMarks({ matches, structural }: QualityReport, textOf: TextOf): VerbosityMark[] {
  const matched = matches.map((match) => ruleMark(match, textOf));
  const shaped = structural.map(({ start, end, kind, name }) => ({
    ...lineSpan(start, textOf),
    end,
    rule: kind,
    message:
      kind === "alias"
        ? l10n.t("{0} only gives another name to something", name)
        : l10n.t("{0} only passes its call on", name),
    note: undefined,
    match: undefined,
  }));
  return [...matched, ...shaped].sort((a, b) => a.line - b.line || a.startColumn - b.startColumn);
}

/** Of a match over several lines only the first is underlined, which holds the condition or keyword. */
function ruleMark(match: RuleMatch, textOf: TextOf): VerbosityMark {
  const { start, end, startColumn, rule, message, note } = match;
  const endColumn = end === start ? match.endColumn : lineSpan(start, textOf).endColumn;
  const last = Math.max(endColumn, startColumn);
  return { line: start, startColumn, endColumn: last, end, rule, message, note, match };
}

function lineSpan(line: number, textOf: TextOf): Pick<VerbosityMark, "line" | "startColumn" | "endColumn"> {
  const text = textOf(line);
  return {
    line,
    startColumn: text.length - text.trimStart().length + 1,
    endColumn: text.trimEnd().length + 1,
  };
}

interface Kinds extends Pick<Marks, "functions" | "verbosity"> {
  readonly clones: readonly ClonePlace[];
}

/** Functions are kept first, then clones, then verbosity; of each kind the first in the document. */
function cap({ functions, clones, verbosity }: Kinds, most: number): Kinds & Pick<Marks, "total" | "shown"> {
  const cloneSize = clones.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const total = functions.length + cloneSize + verbosity.length;
  if (total <= most) return { functions, clones, verbosity, total, shown: total };
  const shownFunctions = functions.slice(0, most);
  let left = most - shownFunctions.length;
  const shownClones = clones.filter(({ start, end }) => {
    const fits = end - start + 1 <= left;
    if (fits) left -= end - start + 1;
    return fits;
  });
  const shownVerbosity = verbosity.slice(0, left);
  left -= shownVerbosity.length;
  return {
    functions: shownFunctions,
    clones: shownClones,
    verbosity: shownVerbosity,
    total,
    shown: most - left,
  };
}
