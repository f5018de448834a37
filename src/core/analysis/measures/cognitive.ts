import type { DecisionLabel } from "../languages/language.js";
import type { FlatTree } from "../tree/flat-tree.js";
import { isDecision, toDecision } from "./complexity.js";

/** One node that adds to a callable's cognitive complexity. */
export interface CognitiveStep {
  /** 1-based line. */
  readonly line: number;
  /** What the reader sees: `if`, `else`, `break`, … */
  readonly label: string;
  /** 1, and the nesting on top where it nests. */
  readonly adds: number;
  /** Depth of the branches around it, by which it adds more; 0 where depth does not matter. */
  readonly nesting: number;
}

/**
 * Cognitive complexity of a callable as scb-check defines it: a branch adds 1 plus its nesting depth, where `elif` and
 * `else` lie one deeper than their `if`; `and`/`or` and jumps add 1. Other languages are read so that the same code
 * adds the same as in Python.
 * @param apart nodes inside whose subtrees do not count, in source order
 */
export function cognitiveComplexity(tree: FlatTree, callable: number, apart: readonly number[]): number {
  let score = 0;
  new Score(tree, (_, adds) => {
    score += adds;
  }).visit(callable, apart);
  return score;
}

/**
 * The parts of `cognitiveComplexity`, in source order; it is the sum of what they add.
 * @param apart nodes inside whose subtrees do not count, in source order
 */
export function cognitiveSteps(tree: FlatTree, callable: number, apart: readonly number[]): CognitiveStep[] {
  const { grammar } = tree;
  const labels = grammar.table(grammar.language.decisions);
  const steps: CognitiveStep[] = [];
  new Score(tree, (node, adds, other) => {
    const label = labels[tree.typeOf(node)];
    const shown = label === undefined ? undefined : toDecision(tree, node, label);
    steps.push({
      line: shown?.line ?? tree.firstLine(node),
      label: shown?.label ?? other ?? firstWord(tree, node),
      adds,
      nesting: adds - 1,
    });
  }).visit(callable, apart);
  return steps;
}

/** The keyword with which a node begins. */
function firstWord(tree: FlatTree, node: number): string {
  let leaf = node;
  while (tree.after(leaf) > leaf + 1) leaf++;
  return tree.text(leaf);
}

/** Hears of a node that adds; `other` is the keyword before the other branch of an `if`. */
type Listener = (node: number, adds: number, other?: string) => void;

const NO_CLAUSES: Readonly<Record<string, readonly string[]>> = {};

class Score {
  readonly #nesting: Uint8Array;
  readonly #flat: Uint8Array;
  readonly #jump: Uint8Array;
  readonly #alternative: Uint8Array;
  readonly #extra: Uint8Array;
  readonly #decisions: readonly (DecisionLabel | undefined)[];
  readonly #clauses: readonly (readonly string[] | undefined)[];
  readonly #nested = new Nesting();
  /** Branch → depth of the `if` at the head of its chain. */
  readonly #heads = new Map<number, number>();
  /** Other branches that are still to come → depth of the `if` at the head of their chain. */
  readonly #others = new Map<number, { readonly head: number; readonly token: number }>();

  constructor(
    private readonly tree: FlatTree,
    private readonly hear: Listener,
  ) {
    const { grammar } = tree;
    const { cognitive, decisions, extras } = grammar.language;
    this.#nesting = grammar.mask(cognitive.nesting);
    this.#flat = grammar.mask(cognitive.flat);
    this.#jump = grammar.mask(cognitive.jumps);
    this.#alternative = grammar.mask(cognitive.alternatives);
    this.#extra = grammar.mask(extras);
    this.#decisions = grammar.table(decisions);
    this.#clauses = grammar.table(cognitive.clauses ?? NO_CLAUSES);
  }

  visit(callable: number, apart: readonly number[]): void {
    const { tree } = this;
    const end = tree.after(callable);
    let next = 0;
    for (let node = callable + 1; node < end;) {
      if (node === apart[next]) {
        next++;
        node = tree.after(node);
        continue;
      }
      this.#meet(node);
      node = this.#jump[tree.typeOf(node)] === 1 ? tree.after(node) : node + 1;
    }
  }

  #meet(node: number): void {
    const type = this.tree.typeOf(node);
    const other = this.#others.get(node);
    const head = other?.head ?? this.#headOfClause(node);
    if (head !== undefined) this.#branch(node, head, head + 1, other?.token);
    else if (this.#nesting[type] === 1) {
      const depth = this.#nested.depthAt(node);
      this.#branch(node, depth, depth);
    } else if (this.#addsOne(node, type)) this.hear(node, 1);
    else if (this.#alternative[type] === 1) this.#announce(node);
  }

  #headOfClause(node: number): number | undefined {
    const parent = this.tree.parentOf(node);
    const isClause = this.#clauses[this.tree.typeOf(node)]?.includes(this.tree.nameOf(parent)) === true;
    return isClause ? this.#heads.get(parent) : undefined;
  }

  #addsOne(node: number, type: number): boolean {
    return this.#flat[type] === 1 ? this.#counts(node) : this.#jump[type] === 1 && !this.#endsCase(node);
  }

  /** Whether a jump only ends a `case`. */
  #endsCase(jump: number): boolean {
    const { tree } = this;
    const { caseEnds } = tree.grammar.language.cognitive;
    const cases = caseEnds === undefined ? undefined : tree.grammar.table(caseEnds)[tree.typeOf(jump)];
    if (cases === undefined) return false;
    const isCase = tree.grammar.mask(cases);
    const parent = tree.typeOf(tree.parentOf(jump));
    const above = tree.typeOf(tree.parentOf(tree.parentOf(jump)));
    return isCase[parent] === 1 || (this.#nesting[parent] !== 1 && isCase[above] === 1);
  }

  #counts(node: number): boolean {
    const label = this.#decisions[this.tree.typeOf(node)];
    return label === undefined || isDecision(this.tree, node, label);
  }

  #branch(node: number, head: number, depth: number, token?: number): void {
    this.hear(node, 1 + depth, token === undefined ? undefined : this.tree.text(token));
    this.#nested.open(this.tree.after(node), depth + 1);
    this.#heads.set(node, head);
  }

  /** What follows the token is the other branch of the `if` that holds the token, directly or in a clause. */
  #announce(token: number): void {
    const { tree } = this;
    const parent = tree.parentOf(token);
    const end = tree.after(parent);
    let branch = tree.after(token);
    while (branch < end && this.#extra[tree.typeOf(branch)] === 1) branch = tree.after(branch);
    if (branch >= end) return;
    const head = this.#heads.get(parent) ?? this.#heads.get(tree.parentOf(parent));
    this.#others.set(branch, { head: head ?? this.#nested.depthAt(token) - 1, token });
  }
}

/** The subtrees that are open, innermost last. */
class Nesting {
  readonly #ends: number[] = [];
  readonly #depths: number[] = [];

  open(end: number, depth: number): void {
    this.#ends.push(end);
    this.#depths.push(depth);
  }

  depthAt(node: number): number {
    while ((this.#ends.at(-1) ?? Infinity) <= node) {
      this.#ends.pop();
      this.#depths.pop();
    }
    return this.#depths.at(-1) ?? 0;
  }
}
