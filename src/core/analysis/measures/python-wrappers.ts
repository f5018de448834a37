import type { FlatTree } from "../tree/flat-tree.js";
import type { Callable } from "./callables.js";
import { isPlainStringStatement } from "./python-strings.js";
import type { AliasCandidate, LocalFinding, StructuralReading } from "./structural.js";

const NODES = {
  callable: ["function_definition"],
  name: ["identifier"],
  body: ["block"],
  dottedName: ["dotted_name"],
} as const;

/**
 * What scb-check 0.1.3 calls a trivial wrapper: every function, wherever it stands, whose body is a single `return`
 * (docstrings aside), and every module-level `name = function`.
 */
export function pythonStructure(tree: FlatTree, callables: readonly Callable[]): StructuralReading {
  return { wrappers: singleReturns(tree), aliases: aliasCandidates(tree, callables) };
}

function singleReturns(tree: FlatTree): LocalFinding[] {
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

function aliasCandidates(tree: FlatTree, callables: readonly Callable[]): AliasCandidate[] {
  const definitions = new Set(callables.map(({ name }) => name));
  const imports = new Map<string, string>();
  const assignments: { name: string; value: string; node: number }[] = [];
  for (const node of tree.children(0)) {
    const type = tree.nameOf(node);
    if (type === "import_statement") readImport(tree, node, imports);
    else if (type === "import_from_statement") readImportFrom(tree, node, imports);
    else if (type === "expression_statement") {
      const assignment = readAssignment(tree, node);
      if (assignment !== undefined) assignments.push({ ...assignment, node });
    }
  }
  return assignments.map(({ name, value, node }) => {
    const [root = value] = value.split(".", 1);
    const local = definitions.has(root);
    const target = local ? value : `${imports.get(root) ?? root}${value.slice(root.length)}`;
    return { name, start: tree.firstLine(node), end: tree.lastLine(node), target, local };
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

function readImport(tree: FlatTree, statement: number, imports: Map<string, string>): void {
  for (const child of tree.children(statement)) {
    if (tree.nameOf(child) === "dotted_name") {
      const name = tree.text(child);
      imports.set(name.split(".", 1)[0] ?? name, name);
    } else if (tree.nameOf(child) === "aliased_import") {
      readAlias(tree, child, "", imports);
    }
  }
}

/** The first dotted name is taken for the module, also behind a relative one, where it is the first imported name. */
function readImportFrom(tree: FlatTree, statement: number, imports: Map<string, string>): void {
  const module = tree.firstChild(statement, tree.grammar.mask(NODES.dottedName));
  const prefix = module === undefined ? "" : `${tree.text(module)}.`;
  for (const child of tree.children(statement)) {
    if (child === module) continue;
    if (tree.nameOf(child) === "dotted_name") imports.set(tree.text(child), `${prefix}${tree.text(child)}`);
    else if (tree.nameOf(child) === "aliased_import") readAlias(tree, child, prefix, imports);
  }
}

function readAlias(tree: FlatTree, node: number, prefix: string, imports: Map<string, string>): void {
  const names = tree
    .children(node)
    .filter((child) => ["dotted_name", "identifier"].includes(tree.nameOf(child)));
  const [imported] = names;
  const alias = names.at(-1);
  if (imported === undefined || alias === undefined || imported === alias) return;
  imports.set(tree.text(alias), `${prefix}${tree.text(imported)}`);
}
