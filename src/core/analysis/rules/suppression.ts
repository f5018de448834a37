import type { FlatTree } from "../tree/flat-tree.js";

/** Tells whether a match of `rule` that starts on 1-based `line` is suppressed by a comment. */
export type Suppression = (line: number, rule: string) => boolean;

const AST_GREP = "ast-grep-ignore";
const OWN = "slop-lens-ignore";
const OWN_COMMENT = /slop-lens-ignore\[([^\]]*)\]/;

/**
 * Reads the suppression comments of a file, in the comment syntax of its language.
 *
 * `# ast-grep-ignore[: id, id]`, as the scan of ast-grep 0.42.1 reads it: behind code that starts on its line it stands
 * for that line, else for the next one, and on a first line that is followed by an empty one for the whole file. All that
 * follows the colon are ids, and of two comments for one line the last holds.
 *
 * `# slop-lens-ignore[id, id]`: behind code it stands for its own line, else for the next line that holds code.
 */
export function readSuppressions(tree: FlatTree): Suppression {
  const { text } = tree.source;
  if (!text.includes(AST_GREP) && !text.includes(OWN)) return () => false;
  const comments = tree.nodesOf(tree.grammar.comments);
  const own = comments.flatMap((comment) => ownScopes(tree, comment));
  const astGrep = new Map(comments.flatMap((comment) => astGrepScopes(tree, comment)));
  return (line, rule) => {
    const scopes = [
      ...own.filter(([row]) => row === line - 1).map(([, ids]) => ids),
      astGrep.get("all"),
      astGrep.get(line - 1),
    ];
    return scopes.some((ids) => ids === "all" || ids?.has(rule) === true);
  };
}

/** Matches that start on a 0-based row. */
type Row = number | "all";
/** Rules that a comment names. */
type Ids = ReadonlySet<string> | "all";

function ownScopes(tree: FlatTree, comment: number): [Row, Ids][] {
  const list = OWN_COMMENT.exec(tree.text(comment))?.[1];
  if (list === undefined) return [];
  const ids = list.split(",").map((id) => id.trim().split(" ")[0] ?? "");
  return [[ownTarget(tree, comment), new Set(ids)]];
}

function astGrepScopes(tree: FlatTree, comment: number): [Row, Ids][] {
  const words = tree.text(comment);
  return words.includes(AST_GREP) ? [[astGrepTarget(tree, comment), astGrepIds(words)]] : [];
}

/** The end of a block comment is no part of an id. */
function astGrepIds(comment: string): Ids {
  const after = comment.slice(comment.indexOf(AST_GREP) + AST_GREP.length).replace(/\*\/$/u, "");
  const colon = after.indexOf(":");
  return colon < 0
    ? "all"
    : new Set(
        after
          .slice(colon + 1)
          .split(",")
          .map((id) => id.trim()),
      );
}

function astGrepTarget(tree: FlatTree, comment: number): Row {
  const row = rowOf(tree, comment);
  const before = siblings(tree, comment).findLast((node) => node < comment);
  if (before !== undefined && rowOf(tree, before) === row) return row;
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
  const isComment = tree.grammar.comments;
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
