import { rowAt } from "../source.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** Tells whether a match of `rule` that starts on 1-based `line` is suppressed by a comment. */
export type Suppression = (line: number, rule: string) => boolean;

const AST_GREP = "ast-grep-ignore";
const OWN = "slop-lens-ignore";
const OWN_COMMENT = /slop-lens-ignore\[([^\]]*)\]/;

/**
 * Reads the suppression comments of a file, in the comment syntax of its language.
 *
 * `# ast-grep-ignore[: id, id]`, as ast-grep's own scan reads it: behind code it stands for the line where that code
 * starts, else for the next line, and on a first line that is followed by an empty one for the whole file.
 *
 * `# slop-lens-ignore[id, id]`: behind code it stands for its own line, else for the next line that holds code.
 */
export function readSuppressions(tree: FlatTree): Suppression {
  const { text } = tree.source;
  if (!text.includes(AST_GREP) && !text.includes(OWN)) return () => false;
  const scopes = tree.nodesOf(commentMask(tree)).flatMap((comment) => scopesOf(tree, comment));
  return (line, rule) =>
    scopes.some(({ row, ids }) => (row === "all" || row === line - 1) && (ids === "all" || ids.has(rule)));
}

/** What a comment suppresses: matches that start on a 0-based row, of the rules that it names. */
interface Scope {
  readonly row: number | "all";
  readonly ids: ReadonlySet<string> | "all";
}

function commentMask({ grammar }: FlatTree): Uint8Array {
  return Uint8Array.from(grammar.names, (name) => Number(name.includes("comment")));
}

function scopesOf(tree: FlatTree, comment: number): Scope[] {
  const words = tree.text(comment);
  const own = OWN_COMMENT.exec(words);
  return [
    ...(own === null ? [] : [{ row: ownTarget(tree, comment), ids: idSet(own[1] ?? "") }]),
    ...(words.includes(AST_GREP) ? [{ row: astGrepTarget(tree, comment), ids: astGrepIds(words) }] : []),
  ];
}

function idSet(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((id) => id.trim().split(" ")[0] ?? ""));
}

function astGrepIds(comment: string): Scope["ids"] {
  const after = comment.slice(comment.indexOf(AST_GREP) + AST_GREP.length);
  const colon = after.indexOf(":");
  return colon < 0 ? "all" : idSet(after.slice(colon + 1));
}

function astGrepTarget(tree: FlatTree, comment: number): Scope["row"] {
  const row = rowOf(tree, comment);
  const before = siblings(tree, comment).findLast((node) => node < comment);
  if (before !== undefined && rowAt(tree.source, tree.end[before] ?? 0) === row) return rowOf(tree, before);
  const { text, rowStarts } = tree.source;
  const isFirst = row === 0 && text.slice(rowStarts[1] ?? text.length, rowStarts[2]).trim() === "";
  return isFirst ? "all" : row + 1;
}

/** The next node that is no comment has the next code; a comment in braces of its own, as JSX has it, counts whole. */
function ownTarget(tree: FlatTree, comment: number): number {
  const row = rowOf(tree, comment);
  const { text, rowStarts } = tree.source;
  const before = text.slice(rowStarts[row], tree.start[comment]).trim();
  const whole = before === "{" && isAloneInBraces(tree, comment) ? tree.parentOf(comment) : comment;
  if (before !== "" && whole === comment) return row;
  const isComment = commentMask(tree);
  let next = tree.after(whole);
  while (next < tree.count && (isComment[tree.typeOf(next)] === 1 || isEmpty(tree, next)))
    next = tree.after(next);
  return next < tree.count ? rowOf(tree, next) : row + 1;
}

function isAloneInBraces(tree: FlatTree, comment: number): boolean {
  return /^\{\s*\}$/.test(tree.text(tree.parentOf(comment)).replace(tree.text(comment), ""));
}

function isEmpty(tree: FlatTree, node: number): boolean {
  return tree.text(node).trim() === "";
}

function siblings(tree: FlatTree, node: number): number[] {
  const parent = tree.parentOf(node);
  return parent < 0 ? [] : tree.children(parent);
}

function rowOf(tree: FlatTree, node: number): number {
  return tree.row[node] ?? 0;
}
