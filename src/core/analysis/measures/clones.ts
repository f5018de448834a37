import type { FlatTree } from "../tree/flat-tree.js";
import type { Grammar } from "../tree/grammar.js";
import type { LineCount } from "./line-count.js";

/** A piece of code that is a clone of every other with the same key. */
export interface CloneCandidate {
  /** 64-bit hash of the shape, as 16 hexadecimal digits. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Candidates of a file with the hash of their shape: node types in their order and depth, identifiers renamed to
 * their order of first appearance, literals reduced to their kind, comments and docstrings left out.
 */
export function cloneCandidates(tree: FlatTree, lines: LineCount): CloneCandidate[] {
  const { clones } = tree.grammar.language;
  const isCandidate = tree.grammar.mask(clones.candidates);
  const shapes = new Shapes(tree);
  const found: CloneCandidate[] = [];
  for (let node = 0; node < tree.count; node++) {
    if (isCandidate[tree.typeOf(node)] !== 1) continue;
    const start = tree.firstLine(node);
    const end = tree.lastLine(node);
    if (lines.within(start, end) < clones.minimumSloc || isExempt(tree, node)) continue;
    found.push({ key: shapes.hash(node), start, end });
  }
  return found;
}

function isExempt(tree: FlatTree, node: number): boolean {
  const { clones, extras } = tree.grammar.language;
  if (clones.exempt === undefined) return false;
  const { types, conditions } = clones.exempt;
  if (tree.grammar.mask(types)[tree.typeOf(node)] !== 1) return false;
  const isExtra = tree.grammar.mask(extras);
  const condition = tree.namedChildren(node).find((child) => isExtra[tree.typeOf(child)] !== 1);
  return condition !== undefined && conditions.includes(tree.text(condition));
}

/** What a node contributes to a shape: a literal's kind, a type, or one of these. */
const DROPPED = -1;
const IDENTIFIER = -2;
/** Codes from here on are types, below are literals. */
const FIRST_TYPE_CODE = 256;

const NOTHING: readonly string[] = [];

class Shapes {
  /** Node → code; negative codes see above. */
  readonly #codes: Int32Array;
  /** Node → number of its identifier within the file. */
  readonly #names: Int32Array;
  readonly #variables: Variables;
  readonly #seed: number;

  constructor(private readonly tree: FlatTree) {
    const { ignoredWhen, family } = tree.grammar.language.clones;
    this.#seed = hashText(family);
    const typeCodes = codesByType(tree);
    this.#codes = new Int32Array(tree.count);
    this.#names = new Int32Array(tree.count);
    const names = new Map<string, number>();
    const mayBeDropped = tree.grammar.mask(ignoredWhen?.types ?? NOTHING);
    for (let node = 0; node < tree.count; node++) {
      const type = tree.typeOf(node);
      let code = typeCodes[type] ?? FIRST_TYPE_CODE + type;
      if (mayBeDropped[type] === 1 && ignoredWhen?.test(tree, node) === true) code = DROPPED;
      if (code === IDENTIFIER) this.#names[node] = numberOf(names, tree.text(node));
      this.#codes[node] = code;
    }
    this.#variables = new Variables(names.size);
  }

  hash(root: number): string {
    const end = this.tree.after(root);
    const base = this.#depth(root);
    this.#variables.forget();
    let high = this.#seed;
    let low = 0x05ebca6b;
    for (let node = root; node < end;) {
      const code = this.#codes[node] ?? DROPPED;
      if (code !== DROPPED) {
        const value = code === IDENTIFIER ? this.#variable(node) : code;
        const level = this.#depth(node) - base;
        high = mix(high, Math.imul(value, 0x2c1b3c6d) ^ level);
        low = mix(low, Math.imul(level, 0x297a2d39) + value);
      }
      // What is renamed, erased or dropped stands for all that it contains.
      node = code < FIRST_TYPE_CODE ? this.tree.after(node) : node + 1;
    }
    return hex(finish(high ^ Math.imul(low, 0x7feb352d))) + hex(finish(low ^ Math.imul(high, 0x1b873593)));
  }

  /** Below all other codes. */
  #variable(node: number): number {
    return IDENTIFIER - this.#variables.numberOf(this.#names[node] ?? 0);
  }

  #depth(node: number): number {
    return this.tree.depth[node] ?? 0;
  }
}

/** Numbers the identifiers of a candidate by their first appearance in it. */
class Variables {
  /** Identifier → the candidate in which it was last met, and its number there. */
  readonly #metIn: Int32Array;
  readonly #numbers: Int32Array;
  #candidate = 0;
  #met = 0;

  constructor(names: number) {
    this.#metIn = new Int32Array(names + 1);
    this.#numbers = new Int32Array(names + 1);
  }

  /** Begins another candidate. */
  forget(): void {
    this.#candidate++;
    this.#met = 0;
  }

  numberOf(name: number): number {
    if (this.#metIn[name] !== this.#candidate) {
      this.#metIn[name] = this.#candidate;
      this.#numbers[name] = ++this.#met;
    }
    return this.#numbers[name] ?? 0;
  }
}

function numberOf(names: Map<string, number>, text: string): number {
  const known = names.get(text);
  if (known !== undefined) return known;
  const number = names.size + 1;
  names.set(text, number);
  return number;
}

const codesOfGrammars = new WeakMap<Grammar, Int32Array>();

function codesByType({ grammar }: FlatTree): Int32Array {
  const codes = codesOfGrammars.get(grammar) ?? makeCodes(grammar);
  codesOfGrammars.set(grammar, codes);
  return codes;
}

function makeCodes(grammar: Grammar): Int32Array {
  const { identifiers, literals, ignored } = grammar.language.clones;
  const literalKinds = [...new Set(Object.values(literals))];
  return Int32Array.from(grammar.names, (name) => {
    if (ignored.includes(name)) return DROPPED;
    if (identifiers.includes(name)) return IDENTIFIER;
    const literal = Object.hasOwn(literals, name) ? literals[name] : undefined;
    if (literal !== undefined) return literalKinds.indexOf(literal);
    return FIRST_TYPE_CODE + (hashText(name) >>> 2);
  });
}

/** Names, not numbers, are what the grammars of a family share. */
function hashText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return finish(hash) >>> 0;
}

/** One round of MurmurHash3's 32-bit mixing. */
function mix(hash: number, value: number): number {
  let k = Math.imul(value, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  let h = hash ^ Math.imul(k, 0x1b873593);
  h = (h << 13) | (h >>> 19);
  return (Math.imul(h, 5) + 0xe6546b64) | 0;
}

/** MurmurHash3's final avalanche. */
function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, "0");
}
