import type { Node, Tree } from "web-tree-sitter";
import { ERROR_TYPE } from "../../tree/flat-tree.js";
import { RuleTrouble } from "./trouble.js";

/** A pattern: code whose metavariables stand for any node, `$A`, or any nodes, `$$$A`. */
export type PatternNode =
  | { readonly type: "variable"; readonly name: string | undefined; readonly named: boolean }
  | { readonly type: "list"; readonly name: string | undefined; readonly named: false }
  | { readonly type: "leaf"; readonly kind: number; readonly text: string; readonly named: boolean }
  | {
      readonly type: "inner";
      readonly kind: number;
      readonly children: readonly PatternNode[];
      /** False for tokens of several words, as Python's `is not`. */
      readonly named: boolean;
    };

export interface Pattern {
  readonly root: PatternNode;
  /** Node type that a match must have, where the root is a variable that a selector chose. */
  readonly rootKind: number | undefined;
}

/** What a grammar takes for `$` in patterns; `$` itself where names may begin with it. */
export function toPatternSource(pattern: string, expando: string): string {
  if (expando === "$") return pattern;
  return pattern.replace(/(\$+)(?=(.?))/gsu, (dollars: string, _all, next: string) =>
    /^[A-Z_]/u.test(next) || dollars.length === 3 ? expando.repeat(dollars.length) : dollars,
  );
}

/**
 * Reads a parsed pattern: its only node, as far down as there is only one.
 * @throws RuleTrouble when it holds no node or more than one
 */
export function readPattern(tree: Tree, source: string, expando: string): Pattern {
  let node = tree.rootNode;
  if (node.childCount === 0) throw new RuleTrouble(`No AST root is detected in the pattern \`${source}\`.`);
  if (!isSingle(node)) throw new RuleTrouble(`Multiple AST nodes are detected in the pattern \`${source}\`.`);
  for (let child = node.child(0); child !== null && isSingle(node); child = node.child(0)) node = child;
  const root = toPattern(node, expando);
  if (root.type === "list") throw new RuleTrouble(`Standalone multi meta variable \`${source}\` is invalid.`);
  return { root, rootKind: undefined };
}

/**
 * Reads the first node of a type in a parsed context.
 * @throws RuleTrouble when there is none
 */
export function readSelectedPattern(tree: Tree, kind: number, selector: string, expando: string): Pattern {
  const node = firstOfKind(tree.rootNode, kind);
  if (node === undefined)
    throw new RuleTrouble(`The selector \`${selector}\` matches no node in its context.`);
  return { root: toPattern(node, expando), rootKind: kind };
}

/** Node type of all matches of a pattern; undefined when they may have any. */
export function kindOfPattern({ root, rootKind }: Pattern): number | undefined {
  if (root.type !== "leaf" && root.type !== "inner") return rootKind;
  return root.kind === ERROR_TYPE ? undefined : root.kind;
}

/** Names of the variables of a pattern. */
export function variablesOf(node: PatternNode): string[] {
  if (node.type === "inner") return node.children.flatMap(variablesOf);
  return node.type === "leaf" || node.name === undefined ? [] : [node.name];
}

function isSingle(node: Node): boolean {
  if (node.childCount === 1) return true;
  const second = node.child(1);
  return node.childCount === 2 && second !== null && (second.isMissing || isNameless(second));
}

/** Whether a node is the end of the text, which Go's grammar takes for a token; tree-sitter calls it an error. */
function isNameless({ type, typeId }: Node): boolean {
  return type === "ERROR" && typeId !== ERROR_TYPE;
}

function firstOfKind(node: Node, kind: number): Node | undefined {
  if (node.typeId === kind) return node;
  for (const child of node.children) {
    const found = firstOfKind(child, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toPattern(node: Node, expando: string): PatternNode {
  const variable = toVariable(node.text, expando);
  if (variable !== undefined) return variable;
  if (node.childCount === 0) {
    return { type: "leaf", kind: node.typeId, text: node.text, named: node.isNamed };
  }
  const children = node.children.filter((child) => !child.isMissing);
  return {
    type: "inner",
    kind: node.typeId,
    children: children.map((child) => toPattern(child, expando)),
    named: node.isNamed,
  };
}

function toVariable(text: string, expando: string): PatternNode | undefined {
  let sigils = 0;
  while (sigils < 3 && text.startsWith(expando, sigils * expando.length)) sigils++;
  const name = text.slice(sigils * expando.length);
  const captured = name === "" || name.startsWith("_") ? undefined : name;
  if (sigils === 3)
    return /^[A-Z0-9_]*$/u.test(name) ? { type: "list", name: captured, named: false } : undefined;
  if (sigils === 0 || !/^[A-Z_][A-Z0-9_]*$/u.test(name)) return undefined;
  return { type: "variable", name: captured, named: sigils === 1 };
}
