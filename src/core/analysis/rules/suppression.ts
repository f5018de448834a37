import type { SgNode } from "@ast-grep/napi";

/** Tells whether a match of `rule` that starts on 1-based `line` is suppressed by a comment. */
export type Suppression = (line: number, rule: string) => boolean;

const AST_GREP = "ast-grep-ignore";
const OWN = "slop-lens-ignore";
const OWN_COMMENT = /slop-lens-ignore\[([^\]]*)\]/;

/**
 * Reads the suppression comments of a file.
 *
 * `# ast-grep-ignore[: id, id]`, as ast-grep's own scan reads it: behind code it stands for the line where that code
 * starts, else for the next line, and on a first line that is followed by an empty one for the whole file.
 *
 * `# slop-lens-ignore[id, id]`: behind code it stands for its own line, else for the next line that holds code.
 */
export function readSuppressions(root: SgNode, text: string): Suppression {
  if (!text.includes(AST_GREP) && !text.includes(OWN)) return () => false;
  const lines = text.split("\n");
  const scopes: Scope[] = [];
  for (const comment of root.findAll({ rule: { kind: "comment", regex: `${AST_GREP}|${OWN}` } })) {
    const words = comment.text();
    const own = OWN_COMMENT.exec(words);
    if (own !== null) scopes.push({ row: ownTarget(lines, comment), ids: idSet(own[1] ?? "") });
    if (words.includes(AST_GREP)) {
      scopes.push({ row: astGrepTarget(lines, comment), ids: astGrepIds(words) });
    }
  }
  return (line, rule) =>
    scopes.some(({ row, ids }) => (row === "all" || row === line - 1) && (ids === "all" || ids.has(rule)));
}

/** What a comment suppresses: matches that start on a 0-based row, of the rules that it names. */
interface Scope {
  readonly row: number | "all";
  readonly ids: ReadonlySet<string> | "all";
}

function idSet(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((id) => id.trim()));
}

function astGrepIds(comment: string): Scope["ids"] {
  const after = comment.slice(comment.indexOf(AST_GREP) + AST_GREP.length);
  const colon = after.indexOf(":");
  return colon < 0 ? "all" : idSet(after.slice(colon + 1));
}

function astGrepTarget(lines: readonly string[], comment: SgNode): Scope["row"] {
  const row = comment.range().start.line;
  const before = comment.prev()?.range();
  if (before?.end.line === row) return before.start.line;
  return row === 0 && isBlank(lines[1]) ? "all" : row + 1;
}

function ownTarget(lines: readonly string[], comment: SgNode): number {
  const { line, column } = comment.range().start;
  if (!isBlank(lines[line]?.slice(0, column))) return line;
  let target = line + 1;
  while (target < lines.length && isBlank(lines[target]?.replace(/#.*/, ""))) target += 1;
  return target;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}
