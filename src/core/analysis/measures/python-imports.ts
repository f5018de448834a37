import type { FlatTree } from "../tree/flat-tree.js";

const DOTTED_NAME = ["dotted_name"];
const NAMES: readonly string[] = ["dotted_name", "identifier"];

/** What the module level of a file imports: name in the file → dotted name, as scb-check resolves it. */
export function pythonImports(tree: FlatTree): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const node of tree.children(0)) {
    const type = tree.nameOf(node);
    if (type === "import_statement") readImport(tree, node, imports);
    else if (type === "import_from_statement") readImportFrom(tree, node, imports);
  }
  return imports;
}

/** Replaces the first part of a dotted name by what is imported under it. */
export function importedName(name: string, imports: ReadonlyMap<string, string>): string {
  const root = rootOf(name);
  return `${imports.get(root) ?? root}${name.slice(root.length)}`;
}

/** The part of a dotted name before its first dot. */
export function rootOf(name: string): string {
  return name.split(".", 1)[0] ?? name;
}

function readImport(tree: FlatTree, statement: number, imports: Map<string, string>): void {
  for (const child of tree.children(statement)) {
    if (tree.nameOf(child) === "dotted_name") {
      const name = tree.text(child);
      imports.set(rootOf(name), name);
    } else if (tree.nameOf(child) === "aliased_import") {
      readAlias(tree, child, "", imports);
    }
  }
}

/** The first dotted name is taken for the module, also behind a relative one, where it is the first imported name. */
function readImportFrom(tree: FlatTree, statement: number, imports: Map<string, string>): void {
  const module = tree.firstChild(statement, tree.grammar.mask(DOTTED_NAME));
  const prefix = module === undefined ? "" : `${tree.text(module)}.`;
  for (const child of tree.children(statement)) {
    if (child === module) continue;
    if (tree.nameOf(child) === "dotted_name") imports.set(tree.text(child), `${prefix}${tree.text(child)}`);
    else if (tree.nameOf(child) === "aliased_import") readAlias(tree, child, prefix, imports);
  }
}

function readAlias(tree: FlatTree, node: number, prefix: string, imports: Map<string, string>): void {
  const names = tree.children(node).filter((child) => NAMES.includes(tree.nameOf(child)));
  const [imported] = names;
  const alias = names.at(-1);
  if (imported === undefined || alias === undefined || imported === alias) return;
  imports.set(tree.text(alias), `${prefix}${tree.text(imported)}`);
}
