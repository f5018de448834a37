import type { FlatTree } from "../tree/flat-tree.js";

const STATEMENT = ["expression_statement"];
const STRING = ["string"];

/** Characters before the first quote of a string literal, in lower case. */
export function stringPrefix(tree: FlatTree, literal: number): string {
  const { text } = tree.source;
  const start = tree.start[literal] ?? 0;
  let at = start;
  while (at < text.length && text[at] !== '"' && text[at] !== "'") at++;
  return text.slice(start, at).toLowerCase();
}

/** Whether `node` is a statement that consists of one string that is neither formatted nor bytes, such as a docstring. */
export function isPlainStringStatement(tree: FlatTree, node: number): boolean {
  return plainStringOf(tree, node) !== undefined;
}

/** The literal of a plain string statement, or undefined. */
export function plainStringOf(tree: FlatTree, node: number): number | undefined {
  if (tree.grammar.mask(STATEMENT)[tree.typeOf(node)] !== 1) return undefined;
  const literal = node + 1;
  if (literal >= tree.after(node) || tree.grammar.mask(STRING)[tree.typeOf(literal)] !== 1) return undefined;
  if (tree.after(literal) !== tree.after(node) && tree.namedChildren(node).length > 1) return undefined;
  return /[bf]/.test(stringPrefix(tree, literal)) ? undefined : literal;
}
