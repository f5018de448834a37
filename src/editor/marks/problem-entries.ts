/** Marks as entries of the Problems view. Lines and columns are 1-based. */
import { l10n } from "vscode";
import { HIGH_CC, type CloneInstance } from "../../core/model/quality.js";
import { integer } from "../../core/report/format.js";
import type { Marks } from "./marks.js";

export interface ProblemEntry {
  readonly line: number;
  readonly startColumn: number;
  /** Exclusive. */
  readonly endColumn: number;
  readonly message: string;
  /** The rule, or what is measured. */
  readonly code: string;
  readonly related: readonly { readonly place: CloneInstance; readonly message: string }[];
}

/** VS Code shows them all below their entry. */
const MOST_RELATED = 8;

/**
 * One entry a mark. A function is named by its name alone and a clone by its first line, as whole bodies would be
 * underlined else.
 * @param textOf text of a 1-based line
 */
export function problemEntries(marks: Marks, textOf: (line: number) => string): readonly ProblemEntry[] {
  if (!marks.asProblems) return [];
  const functions = marks.functions.map(({ line, callable }) => ({
    line,
    ...nameSpan(textOf(line), callable.name),
    message: l10n.t(
      "{0} has a cyclomatic complexity of {1}; high is above {2}.",
      callable.qualifiedName,
      callable.cc,
      HIGH_CC,
    ),
    code: "complexity",
    related: [],
  }));
  const clones = marks.clones.map(({ start, end, copies, count }) => ({
    line: start,
    ...codeSpan(textOf(start)),
    message:
      count === 1
        ? l10n.t("Lines {0} to {1} have one other copy.", start, end)
        : l10n.t("Lines {0} to {1} have {2} other copies.", start, end, integer(count)),
    code: "clone",
    related: copies.slice(0, MOST_RELATED).map((place) => ({ place, message: l10n.t("A copy") })),
  }));
  const verbosity = marks.verbosity.map(({ line, startColumn, endColumn, message, rule }) => ({
    line,
    startColumn,
    endColumn,
    message,
    code: rule,
    related: [],
  }));
  return [...functions, ...clones, ...verbosity];
}

function nameSpan(text: string, name: string): Pick<ProblemEntry, "startColumn" | "endColumn"> {
  const at = text.indexOf(name);
  return at < 0 ? codeSpan(text) : { startColumn: at + 1, endColumn: at + 1 + name.length };
}

function codeSpan(text: string): Pick<ProblemEntry, "startColumn" | "endColumn"> {
  return { startColumn: text.length - text.trimStart().length + 1, endColumn: text.trimEnd().length + 1 };
}
