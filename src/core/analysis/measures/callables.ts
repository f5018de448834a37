import type { CallableMetrics } from "../../model/quality.js";
import type { FlatTree } from "../tree/flat-tree.js";

/** A callable and its place in the tree. */
export interface Callable {
  readonly node: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: CallableMetrics["kind"];
}

/** What a file defines: a callable, or an owner of methods such as a class. */
export interface Definition extends Callable {
  readonly isCallable: boolean;
  /** Node of the owner whose body it stands in, for a method. */
  readonly owner: number | undefined;
}

/**
 * Callables in source order. In Python as scb-check 0.1.3 finds them: it looks into blocks, classes and other
 * callables, never into `if`, `try`, `with` or loops, so a callable that is defined conditionally is none of its own.
 */
export function findCallables(tree: FlatTree): Callable[] {
  return findDefinitions(tree).filter(({ isCallable }) => isCallable);
}

/** Callables and their owners in source order. */
export function findDefinitions(tree: FlatTree): Definition[] {
  const { types, owners, containers } = tree.grammar.language.callables;
  const isCallable = tree.grammar.mask(types);
  const isOwner = tree.grammar.mask(owners);
  const isContainer = containers === "all" ? undefined : tree.grammar.mask(containers);
  const scopes = new Scopes(tree);
  const definitions: Definition[] = [];
  for (let node = 1; node < tree.count;) {
    const type = tree.typeOf(node);
    if (isCallable[type] === 1) {
      const callable = scopes.enterCallable(node);
      if (callable !== undefined) definitions.push(callable);
    } else if (isOwner[type] === 1) definitions.push(scopes.enterOwner(node));
    else if (isContainer !== undefined && isContainer[type] !== 1) {
      node = tree.after(node);
      continue;
    }
    node++;
  }
  return definitions;
}

/** Callable → the callables directly inside it that count apart from it, both as nodes; empty where none do. */
export function apartCallables(
  tree: FlatTree,
  callables: readonly Callable[],
): ReadonlyMap<number, readonly number[]> {
  const { nested } = tree.grammar.language.callables;
  return nested === "apart" ? innerCallables(tree, callables) : new Map();
}

/** Callable → the callables directly inside it, both as nodes, in source order. */
export function innerCallables(
  tree: FlatTree,
  callables: readonly Callable[],
): ReadonlyMap<number, readonly number[]> {
  const inner = new Map<number, number[]>();
  const open: number[] = [];
  for (const { node } of callables) {
    let around = open.at(-1);
    while (around !== undefined && tree.after(around) <= node) {
      open.pop();
      around = open.at(-1);
    }
    const known = around === undefined ? undefined : inner.get(around);
    if (known !== undefined) known.push(node);
    else if (around !== undefined) inner.set(around, [node]);
    open.push(node);
  }
  return inner;
}

/** The first node of a callable's lines: its own, or the first leaf behind its decorations. */
export function headOf(tree: FlatTree, callable: number): number {
  const { decorations } = tree.grammar.language.callables;
  if (decorations === undefined) return callable;
  const isDecoration = tree.grammar.mask(decorations);
  const end = tree.after(callable);
  for (let node = callable + 1; node < end;) {
    if (isDecoration[tree.typeOf(node)] === 1) node = tree.after(node);
    else if (tree.after(node) === node + 1) return node;
    else node++;
  }
  return callable;
}

interface Scope {
  readonly end: number;
  /** What stands before the names inside. */
  readonly prefix: string;
  /** The owner's node; undefined inside a callable. */
  readonly owner: number | undefined;
}

/** Classes and callables around the node that is being looked at. */
class Scopes {
  readonly #isName: Uint8Array;
  readonly #open: Scope[] = [];

  constructor(private readonly tree: FlatTree) {
    this.#isName = tree.grammar.mask(tree.grammar.language.callables.nameTypes);
  }

  /** Opens the scope of a callable; undefined when the node is none of its own. */
  enterCallable(node: number): Definition | undefined {
    const name = this.#hasBody(node) ? this.#nameOf(node) : undefined;
    if (name === undefined) return undefined;
    const around = this.#around(node);
    const type = this.tree.grammar.language.callables.ownerOf?.(this.tree, node);
    const names = type === undefined ? name : `${type}.${name}`;
    const qualifiedName = `${around?.prefix ?? ""}${names}`;
    this.#open.push({ end: this.tree.after(node), prefix: `${qualifiedName}.`, owner: undefined });
    const owner = around?.owner;
    return { node, name, qualifiedName, kind: kindOf(type ?? owner), isCallable: true, owner };
  }

  /** Opens the scope of an owner; one without a name lends none. */
  enterOwner(node: number): Definition {
    const around = this.#around(node);
    const outer = around?.prefix ?? "";
    const name = this.#nameOf(node) ?? "";
    const qualifiedName = `${outer}${name}`;
    this.#open.push({
      end: this.tree.after(node),
      prefix: name === "" ? outer : `${qualifiedName}.`,
      owner: node,
    });
    const owner = around?.owner;
    return { node, name, qualifiedName, kind: kindOf(owner), isCallable: false, owner };
  }

  #nameOf(node: number): string | undefined {
    const { nameOf } = this.tree.grammar.language.callables;
    if (nameOf !== undefined) return nameOf(this.tree, node);
    const name = this.tree.firstChild(node, this.#isName);
    return name === undefined ? undefined : this.tree.text(name);
  }

  #hasBody(node: number): boolean {
    const { bodies } = this.tree.grammar.language.callables;
    const types = bodies === undefined ? undefined : this.tree.grammar.table(bodies)[this.tree.typeOf(node)];
    return types === undefined || this.tree.firstChild(node, this.tree.grammar.mask(types)) !== undefined;
  }

  #around(node: number): Scope | undefined {
    let scope = this.#open.at(-1);
    while (scope !== undefined && scope.end <= node) {
      this.#open.pop();
      scope = this.#open.at(-1);
    }
    return scope;
  }
}

function kindOf(owner: unknown): Callable["kind"] {
  return owner === undefined ? "function" : "method";
}
