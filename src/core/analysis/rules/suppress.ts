import type { RuleMatch } from "../../model/quality.js";
import type { RuleScanner } from "../measurer.js";
import { ERROR_TYPE, type FlatTree } from "../tree/flat-tree.js";
import type { Fix } from "./fix.js";

/** A suppression comment of ast-grep that names its rules and is open for more. */
const LIST = /ast-grep-ignore:[^*]*[\w-]$/u;

/**
 * Works out a comment that suppresses a match and changes nothing else. Places are tried in turn, each on the text with
 * the comment in it, because only that tells whether a comment may stand there: lines may be continued, or text of a
 * string.
 *
 * The comment is ast-grep's own where that can be: scb-check goes by it too, so that its figures and ours stay the same.
 * @param parse tree of a text; undefined when syntax errors keep it from being measured
 * @returns undefined when no comment can stand anywhere
 */
export function suppressionFor(
  match: RuleMatch,
  tree: FlatTree,
  rules: RuleScanner,
  parse: (text: string) => FlatTree | undefined,
): Fix | undefined {
  const before = rules.scan(match.path, tree);
  const isMeant = (other: RuleMatch): boolean => other.rule === match.rule && other.start === match.start;
  if (!before.matches.some(isMeant)) return undefined;
  const kept = idsOf(before.matches.filter((other) => !isMeant(other)));
  const suppressed = idsOf([...before.suppressed, ...before.matches.filter(isMeant)]);
  return commentsFor(match, tree).find((comment) => {
    const after = parse(applied(tree.source.text, comment));
    if (after === undefined || errorsIn(after) > errorsIn(tree)) return false;
    const scan = rules.scan(match.path, after);
    return idsOf(scan.matches) === kept && idsOf(scan.suppressed) === suppressed;
  });
}

/** Comments that may suppress a match, the best first. */
function commentsFor({ start, rule }: RuleMatch, tree: FlatTree): Fix[] {
  const { line, inMarkup } = tree.grammar.language.comments;
  const own = rowOf(tree, start - 1);
  const above = rowOf(tree, start - 2);
  const indent = /^[ \t]*/.exec(own.text)?.[0] ?? "";
  const astGrep = `${line} ast-grep-ignore: ${rule}`;
  const ours = `slop-lens-ignore[${rule}]`;
  const joined = [above, own]
    .filter(({ text }) => LIST.test(text))
    .map(({ end }) => insert(end, `, ${rule}`));
  // The parser takes a comment between a line and what continues it, languages do not.
  const before = (comment: string): Fix[] =>
    above.text.endsWith("\\") ? [] : [insert(own.start, `${indent}${comment}\n`)];
  const behind = (comment: string): Fix[] =>
    own.text.endsWith("\\") ? [] : [insert(own.end, `  ${comment}`)];
  return [
    ...joined,
    ...before(astGrep),
    ...behind(astGrep),
    ...(inMarkup === undefined ? [] : before(`${inMarkup[0]} ${ours} ${inMarkup[1]}`)),
    ...behind(`${line} ${ours}`),
  ];
}

interface Row {
  readonly start: number;
  /** Behind its last unit that is no white space. */
  readonly end: number;
  readonly text: string;
}

/** A 0-based row; an empty one outside the text. */
function rowOf({ source: { text, rowStarts } }: FlatTree, row: number): Row {
  const start = rowStarts[row] ?? 0;
  const trimmed = row < 0 ? "" : text.slice(start, rowStarts[row + 1] ?? text.length).trimEnd();
  return { start, end: start + trimmed.length, text: trimmed };
}

function insert(position: number, text: string): Fix {
  return { start: position, end: position, text };
}

/** A text with a change made. */
export function applied(text: string, { start, end, text: put }: Fix): string {
  return text.slice(0, start) + put + text.slice(end);
}

function idsOf(matches: readonly RuleMatch[]): string {
  return matches
    .map(({ rule }) => rule)
    .sort()
    .join();
}

function errorsIn({ type, count }: FlatTree): number {
  let errors = 0;
  for (let node = 0; node < count; node++) if (type[node] === ERROR_TYPE) errors++;
  return errors;
}
