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
 * Callables in source order, as scb-check 0.1.3 finds them: it looks into blocks, classes and other callables, never
 * into `if`, `try`, `with` or loops, so a callable that is defined conditionally is none of its own.
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
    if (isCallable[type] === 1) definitions.push(scopes.enter(node, true));
    else if (isOwner[type] === 1) definitions.push(scopes.enter(node, false));
    else if (isContainer !== undefined && isContainer[type] !== 1) {
      node = tree.after(node);
      continue;
    }
    node++;
  }
  return definitions;
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

  /** Opens the scope of a class or callable. */
  enter(node: number, isCallable: boolean): Definition {
    const around = this.#around(node);
    const nameNode = this.tree.firstChild(node, this.#isName);
    const name = nameNode === undefined ? "" : this.tree.text(nameNode);
    const qualifiedName = `${around?.prefix ?? ""}${name}`;
    const scope = { end: this.tree.after(node), prefix: `${qualifiedName}.` };
    this.#open.push({ ...scope, owner: isCallable ? undefined : node });
    const owner = around?.owner;
    return {
      node,
      name,
      qualifiedName,
      kind: owner === undefined ? "function" : "method",
      isCallable,
      owner,
    };
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
