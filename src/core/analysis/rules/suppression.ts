import type { SgNode } from "@ast-grep/napi";

/** Tells whether a match of `rule` that starts on 1-based `line` is suppressed by a comment. */
export type Suppression = (line: number, rule: string) => boolean;

const AST_GREP = "ast-grep-ignore";
const OWN = "slop-lens-ignore";
const OWN_COMMENT = /slop-lens-ignore\[([^\]]*)\]/;

/** `all`, or the ids that a comment names. */
type Scope = "all" | ReadonlySet<string>;

/**
 * Reads the suppression comments of a file:
 * `# ast-grep-ignore[: id, id]` as ast-grep's own scan reads it (same line after code, else the next line; the whole
 * file when it stands on the first line before an empty one), and `# slop-lens-ignore[id, id]` (same line after code,
 * else the next line that holds code).
 */
export function readSuppressions(root: SgNode, text: string): Suppression {
  if (!text.includes(AST_GREP) && !text.includes(OWN)) return () => false;
  const lines = text.split("\n");
  const scopes = new Map<number, Scope[]>();
  const wholeFile: Scope[] = [];
  for (const comment of root.findAll({ rule: { kind: "comment", regex: `${AST_GREP}|${OWN}` } })) {
    const words = comment.text();
    const row = comment.range().start.line;
    const own = OWN_COMMENT.exec(words);
    if (own !== null) add(scopes, ownTarget(lines, row, comment), idSet(own[1] ?? ""));
    if (!words.includes(AST_GREP)) continue;
    const scope = astGrepScope(words);
    if (row === 0 && isBlank(lines[1])) wholeFile.push(scope);
    else add(scopes, startsOnRow(comment.prev(), row) ? row : row + 1, scope);
  }
  return (line, rule) =>
    wholeFile.some((scope) => covers(scope, rule)) ||
    (scopes.get(line - 1)?.some((scope) => covers(scope, rule)) ?? false);
}

function covers(scope: Scope, rule: string): boolean {
  return scope === "all" || scope.has(rule);
}

function add(scopes: Map<number, Scope[]>, row: number, scope: Scope): void {
  const known = scopes.get(row);
  if (known === undefined) scopes.set(row, [scope]);
  else known.push(scope);
}

function startsOnRow(node: SgNode | null, row: number): boolean {
  return node !== null && node.range().start.line === row;
}

function astGrepScope(comment: string): Scope {
  const after = comment.slice(comment.indexOf(AST_GREP) + AST_GREP.length);
  const colon = after.indexOf(":");
  return colon < 0 ? "all" : idSet(after.slice(colon + 1));
}

function idSet(list: string): ReadonlySet<string> {
  return new Set(list.split(",").map((id) => id.trim()));
}

function ownTarget(lines: readonly string[], row: number, comment: SgNode): number {
  const before = lines[row]?.slice(0, comment.range().start.column) ?? "";
  if (!isBlank(before)) return row;
  let target = row + 1;
  while (target < lines.length && isBlank(lines[target]?.replace(/#.*/, ""))) target += 1;
  return target;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}
