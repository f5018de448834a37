import picomatch from "picomatch";
import type { LanguageId, RuleMatch } from "../../model/quality.js";
import type { RuleScan } from "../measurer.js";
import type { AstGrep } from "../native.js";
import { rowAt } from "../source.js";
import type { Progress } from "../threads/progress.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { expandFix, type Fix } from "./fix.js";
import { fillIn, type Hit } from "./hit.js";
import type { Matcher } from "./match/matcher.js";
import { RuleTable, type OnHit } from "./match/rule-table.js";
import type { Subject } from "./match/subject.js";
import { NativeText } from "./native-rules.js";
import type { RuleSource } from "./rule-file.js";
import { readSuppressions } from "./suppression.js";

/** A rule that can be applied to a language: compiled, or by ast-grep's own library. */
export interface UsableRule {
  readonly source: RuleSource;
  readonly matcher: Matcher | AstGrep;
}

interface Compiled {
  readonly source: RuleSource;
  readonly appliesTo: (path: string) => boolean;
}

/** The rules of one language, ready to be applied. */
export class LanguageRules {
  readonly #compiled: readonly Compiled[];
  readonly #table: RuleTable;
  readonly #native: readonly (Compiled & { readonly astGrep: AstGrep })[];

  constructor(
    private readonly language: LanguageId,
    rules: readonly UsableRule[],
    readonly isWhole: boolean,
  ) {
    const compiled: (Compiled & { readonly matcher: Matcher })[] = [];
    const native: (Compiled & { readonly astGrep: AstGrep })[] = [];
    for (const { source, matcher } of rules) {
      const rule = { source, appliesTo: pathTest(source) };
      if ("test" in matcher) compiled.push({ ...rule, matcher });
      else native.push({ ...rule, astGrep: matcher });
    }
    this.#compiled = compiled;
    this.#table = new RuleTable(compiled.map(({ matcher }) => matcher));
    this.#native = native;
  }

  /** The rule of a number that `scan` tells its progress by. */
  ruleAt(number: number): RuleSource | undefined {
    return [...this.#compiled, ...this.#native][number]?.source;
  }

  /**
   * @param path is reported, and tested against the globs of rules that have some
   * @param progress is told of each rule before it is tried
   */
  scan(path: string, tree: FlatTree, progress?: Progress): RuleScan {
    const isSuppressed = readSuppressions(tree);
    const matches: RuleMatch[] = [];
    const suppressed: RuleMatch[] = [];
    const take = ({ source, appliesTo }: Compiled, hit: () => Hit) => {
      if (!appliesTo(path)) return;
      const match: RuleMatch = { path, ...hit(), rule: source.id, note: source.note };
      (isSuppressed(match.start, match.rule) ? suppressed : matches).push(match);
    };
    const onHit: OnHit = (index, node, subject) => {
      const rule = this.#compiled[index];
      if (rule !== undefined) take(rule, () => toHit(rule.source.message, node, subject));
    };
    this.#table.run(tree, onHit, progress);
    for (const [rule, hit] of this.#nativeHits(tree, progress)) take(rule, () => hit);
    progress?.beginRule(-1);
    return { matches: matches.sort(bySource), suppressed: suppressed.sort(bySource) };
  }

  /** What a rule proposes instead of one of its matches; undefined when it proposes nothing. */
  fixOf(match: RuleMatch, tree: FlatTree): Fix | undefined {
    let fix: Fix | undefined;
    this.#table.run(tree, (index, node, subject) => {
      const source = this.#compiled[index]?.source;
      if (source?.id !== match.rule || !isAt(toHit("", node, subject), match)) return;
      fix ??= expandFix(source.fix, node, subject);
    });
    return fix;
  }

  *#nativeHits({ source: { text } }: FlatTree, progress?: Progress): Generator<[Compiled, Hit]> {
    const [first] = this.#native;
    if (first === undefined) return;
    const parsed = new NativeText(first.astGrep, this.language, text);
    for (const [index, rule] of this.#native.entries()) {
      progress?.beginRule(this.#compiled.length + index);
      for (const hit of parsed.find(rule.source, rule.source.message)) yield [rule, hit];
    }
  }
}

function toHit(message: string, node: number, { tree, bindings }: Subject): Hit {
  const { source } = tree;
  const start = tree.start[node] ?? 0;
  const end = tree.end[node] ?? 0;
  const startRow = rowAt(source, start);
  const endRow = rowAt(source, end);
  return {
    start: startRow + 1,
    end: endRow + 1,
    startColumn: start - (source.rowStarts[startRow] ?? 0) + 1,
    endColumn: end - (source.rowStarts[endRow] ?? 0) + 1,
    message: fillIn(message, (name) => {
      const bound = bindings.node(name);
      return bound === undefined ? undefined : tree.text(bound);
    }),
  };
}

function isAt(hit: Hit, { start, startColumn, end, endColumn }: RuleMatch): boolean {
  return (
    hit.start === start && hit.startColumn === startColumn && hit.end === end && hit.endColumn === endColumn
  );
}

function pathTest({ files, ignores }: RuleSource): (path: string) => boolean {
  if (files === undefined && ignores === undefined) return () => true;
  const isIncluded = files === undefined ? () => true : picomatch([...files]);
  const isIgnored = ignores === undefined ? () => false : picomatch([...ignores]);
  return (path) => isIncluded(path) && !isIgnored(path);
}

function bySource(a: RuleMatch, b: RuleMatch): number {
  return (
    a.start - b.start ||
    a.startColumn - b.startColumn ||
    a.end - b.end ||
    a.endColumn - b.endColumn ||
    (a.rule < b.rule ? -1 : Number(a.rule > b.rule))
  );
}
