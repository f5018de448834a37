import { basename, extname } from "node:path";
import type { CloneClass, QualityReport, RuleMatch } from "../../model/quality.js";
import type { AnalysisOptions } from "../analysis.js";
import { assemble } from "../assemble.js";
import type { CloneMemory } from "../clone-memory.js";
import { faultOf, measureTree, type FileMeasures } from "../measure.js";
import type { DocumentTools, RuleScan } from "../measurer.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { DocumentTree } from "./document-tree.js";
import { suppressionFor } from "../rules/suppress.js";
import { rowAt, type Source } from "../source.js";
import { parseText } from "../tree/parsers.js";
import type { DocumentReading, Remedy, RemedyKind } from "./reading.js";
import { RuleMarks } from "./rule-marks.js";

export interface DocumentParts {
  readonly path: string;
  readonly options: AnalysisOptions;
  readonly tools: DocumentTools;
  readonly clones: CloneMemory;
}

/** A measured text. */
interface Measured {
  readonly tree: FlatTree;
  readonly measures: FileMeasures;
}

/** A document in the thread that measures it: its tree, and what is known of it. */
export class OpenDocument {
  readonly #tree: DocumentTree;
  readonly #rules: RuleMarks | undefined;
  /** The text that was measured last. */
  #measured: Measured | undefined;
  /** How far the matches of the last reading were. */
  #reached: DocumentReading["rules"] = "earlier";
  /** The clones that were told last. */
  #clones = "[]";

  constructor(private readonly parts: DocumentParts) {
    const { path, tools } = parts;
    this.#tree = new DocumentTree(tools.grammar);
    if (tools.rules !== undefined) this.#rules = new RuleMarks(tools.rules, path);
  }

  /**
   * Measures a text but for its rules.
   * @param atRest takes a text with more syntax errors than before, too: it is not only half written
   */
  measure(version: number, text: string, atRest: boolean): DocumentReading {
    const tree = this.#tree.update(text);
    const measures = tree === undefined ? undefined : measureTree(tree);
    if (tree === undefined || measures === undefined || !this.#isTaken(measures, atRest)) {
      return { version, report: undefined, rules: "earlier" };
    }
    this.#measured = { tree, measures };
    this.#reached = this.#rules === undefined ? "whole" : "earlier";
    return this.#reading(version, this.#measured, this.#rules?.moved(tree.source));
  }

  /** Applies the rules to the text that was measured last. */
  applyRules(version: number): DocumentReading | undefined {
    if (this.#measured === undefined || this.#rules === undefined) return undefined;
    const { tree } = this.#measured;
    const scan = this.#rules.scan(tree);
    this.#reached = "whole";
    return this.#reading(version, this.#measured, scan);
  }

  /** The reading once more when clones in other files came or went. */
  refresh(version: number): DocumentReading | undefined {
    if (this.#measured === undefined) return undefined;
    const before = this.#clones;
    const reading = this.#reading(version, this.#measured, this.#rules?.moved(this.#measured.tree.source));
    return this.#clones === before ? undefined : reading;
  }

  /** What can be done about a match in the text that was measured last; undefined when nothing can. */
  remedy(kind: RemedyKind, match: RuleMatch): Remedy | undefined {
    const { rules, grammar } = this.parts.tools;
    if (this.#measured === undefined || rules === undefined) return undefined;
    const { tree } = this.#measured;
    const fix =
      kind === "fix"
        ? rules.fixOf?.(match, tree)
        : suppressionFor(match, tree, rules, (text) => parseText(grammar, text));
    return (
      fix && { start: placeOf(tree.source, fix.start), end: placeOf(tree.source, fix.end), text: fix.text }
    );
  }

  close(): void {
    this.#tree.close();
  }

  /** A text that is being written has syntax errors for a moment; its figures would come and go. */
  #isTaken(measures: FileMeasures, atRest: boolean): boolean {
    if (faultOf(measures) !== undefined) return false;
    return atRest || (measures.lostLines ?? 0) <= (this.#measured?.measures.lostLines ?? 0);
  }

  #reading(version: number, { measures }: Measured, scan: RuleScan | undefined): DocumentReading {
    return { version, report: this.#report(measures, scan), rules: this.#reached };
  }

  #report(measures: FileMeasures, scan: RuleScan | undefined): QualityReport {
    const { path, options, tools, clones } = this.parts;
    const report = assemble(
      [
        {
          path,
          language: tools.grammar.grammar.language.id,
          module: basename(path, extname(path)),
          measures: { ...measures, ...scan },
        },
      ],
      {
        profile: options.profile,
        rules: tools.ruleSet,
        skipped: [],
        otherClones: clones.update(path, measures.cloneCandidates),
      },
    );
    this.#clones = summaryOf(report.clones);
    return report;
  }
}

function placeOf(source: Source, position: number): Remedy["start"] {
  const row = rowAt(source, position);
  return { line: row + 1, column: position - (source.rowStarts[row] ?? 0) + 1 };
}

function summaryOf(clones: readonly CloneClass[]): string {
  return JSON.stringify(clones.map(({ id, instances, more = 0 }) => [id, instances.length + more]));
}
