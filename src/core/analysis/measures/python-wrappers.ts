import type { FlatTree } from "../tree/flat-tree.js";
import type { Callable } from "./callables.js";
import { importedName, rootOf } from "./python-imports.js";
import { isPlainStringStatement } from "./python-strings.js";
import type { AliasCandidate, LocalFinding } from "./structural.js";

const NODES = {
  callable: ["function_definition"],
  name: ["identifier"],
  body: ["block"],
} as const;

/** Functions, wherever they stand, whose body is a single `return`, docstrings aside. */
export function singleReturns(tree: FlatTree): LocalFinding[] {
  const isName = tree.grammar.mask(NODES.name);
  const wrappers: LocalFinding[] = [];
  for (const node of tree.nodesOf(tree.grammar.mask(NODES.callable))) {
    const name = tree.firstChild(node, isName);
    if (name === undefined || !isSingleReturn(tree, node)) continue;
    wrappers.push({ name: tree.text(name), start: tree.firstLine(node), end: tree.lastLine(node) });
  }
  return wrappers;
}

function isSingleReturn(tree: FlatTree, callable: number): boolean {
  const body = tree.firstChild(callable, tree.grammar.mask(NODES.body));
  if (body === undefined) return false;
  let returns = 0;
  for (const child of tree.children(body)) {
    if (!isStatement(tree.nameOf(child)) || isPlainStringStatement(tree, child)) continue;
    if (tree.nameOf(child) !== "return_statement" || ++returns > 1) return false;
  }
  return returns === 1;
}

function isStatement(name: string): boolean {
  return name.endsWith("_statement") || name.endsWith("_definition");
}

/** Every module-level `name = other`, an alias when the other is a function. */
export function aliasCandidates(
  tree: FlatTree,
  callables: readonly Callable[],
  imports: ReadonlyMap<string, string>,
): AliasCandidate[] {
  const definitions = new Set(callables.map(({ name }) => name));
  return tree.children(0).flatMap((node) => {
    if (tree.nameOf(node) !== "expression_statement") return [];
    const assignment = readAssignment(tree, node);
    if (assignment === undefined) return [];
    const { name, value } = assignment;
    const local = definitions.has(rootOf(value));
    const target = local ? value : importedName(value, imports);
    return [{ name, start: tree.firstLine(node), end: tree.lastLine(node), target, local }];
  });
}

/** `name = other` or `name = some.attribute`, without an annotation. */
function readAssignment(tree: FlatTree, statement: number): { name: string; value: string } | undefined {
  const [assignment, ...others] = tree.namedChildren(statement);
  if (assignment === undefined || others.length > 0 || tree.nameOf(assignment) !== "assignment")
    return undefined;
  const [target, value, ...rest] = tree.namedChildren(assignment);
  if (target === undefined || value === undefined || rest.length > 0) return undefined;
  if (tree.nameOf(target) !== "identifier") return undefined;
  if (!["identifier", "attribute"].includes(tree.nameOf(value))) return undefined;
  return { name: tree.text(target), value: tree.text(value) };
}
