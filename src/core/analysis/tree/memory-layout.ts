import type { Tree } from "web-tree-sitter";
import type { Source } from "../source.js";
import type { FlatTree } from "./flat-tree.js";
import { TreeArrays } from "./flatten.js";
import type { Grammar } from "./grammar.js";

/** What web-tree-sitter's compiled module shows of its memory; the views are replaced when it grows. */
interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAPU32: Uint32Array;
}

/** tree-sitter's structures as they lie in 32-bit memory, in bytes. */
const TREE = { root: 0, language: 8 };
const CHILD_SIZE = 8;
/** A small leaf lies where others have the address of their node. */
const LEAF = { flags: 0, symbol: 1, padding: 6, size: 7 };
const LEAF_FLAGS = { isLeaf: 1, visible: 2, extra: 8 };
const NODE = { padding: 4, size: 16, children: 36, symbol: 40, flags: 44, production: 66 };
const NODE_FLAGS = { visible: 1, extra: 4 };
const LANGUAGE = { fields: 32, aliasLength: 36, slices: 64, entries: 68, publicSymbols: 76, aliases: 84 };
const ENTRY = { size: 4, child: 2, inherited: 3 };
const ERROR_SYMBOL = 0xffff;

/** @returns undefined when the tree has no address */
export type MemoryLayout = (tree: Tree, grammar: Grammar, source: Source) => FlatTree | undefined;
type Layout<Result> = (tree: Tree, source: Source) => Result;

/** So many nodes must have been the same in both ways before the fast one is believed. */
const COMPARED_NODES = 2000;

/**
 * The fast layout, once it has proven itself beside the plain one on the first trees of a grammar.
 * @param fast may be wrong with another release of tree-sitter; then the plain one is used for good
 */
export function provenLayout(fast: Layout<FlatTree | undefined>, plain: Layout<FlatTree>): Layout<FlatTree> {
  let left = COMPARED_NODES;
  return (tree, source) => {
    if (left <= 0) return fast(tree, source) ?? plain(tree, source);
    const layout = plain(tree, source);
    if (left !== Infinity) left = isSameLayout(fast(tree, source), layout) ? left - layout.count : Infinity;
    return layout;
  };
}

function isSameLayout(a: FlatTree | undefined, b: FlatTree): boolean {
  if (a?.count !== b.count) return false;
  const columns = ["type", "start", "end", "field", "parent", "next"] as const;
  return columns.every((name) => {
    const [ours, theirs] = [a[name].subarray(0, a.count), b[name].subarray(0, b.count)];
    return ours.every((value, node) => value === theirs[node]);
  });
}

/**
 * Lays a tree out by reading the module's memory. A walk calls seven compiled functions a node and
 * costs a third of parsing; this costs half of that.
 * @param module the object that was passed to `Parser.init`, which fills it
 * @returns undefined when the module shows no memory
 */
export function memoryLayout(module: object): MemoryLayout | undefined {
  if (!hasMemory(module)) return undefined;
  return (tree, grammar, source) => {
    const address: unknown = Reflect.get(tree, 0);
    if (typeof address !== "number") return undefined;
    const arrays = new TreeArrays(source.text.length / 3 + 64);
    new MemoryReader(module, address, arrays).read();
    return arrays.toTree(grammar, source);
  };
}

function hasMemory(module: object): module is Memory {
  return (
    Reflect.get(module, "HEAPU8") instanceof Uint8Array &&
    Reflect.get(module, "HEAPU16") instanceof Uint16Array &&
    Reflect.get(module, "HEAPU32") instanceof Uint32Array
  );
}

/** A node whose children are being read. */
interface Frame {
  /** Address of the child that comes next, and behind the last one. */
  child: number;
  end: number;
  isFirst: boolean;
  /** Where the child before ends, or where the node itself starts; in bytes of UTF-16. */
  position: number;
  /** Children so far without those that may stand anywhere. */
  structural: number;
  /** Address of the types that rename children, 0 for none. */
  aliases: number;
  /** Addresses of the fields of children. */
  fields: number;
  fieldsEnd: number;
  /** The node or the nearest one around it that is visible, and whether that is the node itself. */
  node: number;
  isVisible: boolean;
  depth: number;
  /** Field that children of a hidden node have from it. */
  field: number;
}

/** What is read of one subtree. */
interface Subtree {
  address: number;
  symbol: number;
  padding: number;
  size: number;
  children: number;
  isVisible: boolean;
  isExtra: boolean;
}

class MemoryReader {
  readonly #bytes: Uint8Array;
  readonly #shorts: Uint16Array;
  readonly #words: Uint32Array;
  readonly #language: number;
  readonly #publicSymbols: number;
  readonly #frames: Frame[] = [];
  readonly #now: Subtree = {
    address: 0,
    symbol: 0,
    padding: 0,
    size: 0,
    children: 0,
    isVisible: false,
    isExtra: false,
  };
  #open = -1;

  constructor(
    memory: Memory,
    private readonly tree: number,
    private readonly arrays: TreeArrays,
  ) {
    this.#bytes = memory.HEAPU8;
    this.#shorts = memory.HEAPU16;
    this.#words = memory.HEAPU32;
    this.#language = this.#word(tree + TREE.language);
    this.#publicSymbols = this.#word(this.#language + LANGUAGE.publicSymbols);
  }

  read(): void {
    this.#subtree(this.tree + TREE.root);
    const { padding, size, symbol } = this.#now;
    const root = this.arrays.add(this.#public(symbol), padding >> 1, (padding + size) >> 1, 0, -1, 0);
    this.#enter(padding, root, true, 0, 0);
    while (this.#open >= 0) {
      const frame = this.#frames[this.#open];
      if (frame === undefined) return;
      if (frame.child < frame.end) this.#child(frame);
      else {
        this.#open--;
        if (frame.isVisible) this.arrays.close(frame.node);
      }
    }
  }

  #child(frame: Frame): void {
    const now = this.#now;
    this.#subtree(frame.child);
    frame.child += CHILD_SIZE;
    // What stands before the first child stands before its parent.
    const start = frame.isFirst ? frame.position : frame.position + now.padding;
    frame.isFirst = false;
    frame.position = start + now.size;
    let alias = 0;
    let field = 0;
    if (!now.isExtra) {
      alias = frame.aliases === 0 ? 0 : this.#short(frame.aliases + 2 * frame.structural);
      field = this.#field(frame) || frame.field;
      frame.structural++;
    }
    if (now.isVisible || alias !== 0) this.#show(frame, start, alias, field);
    else if (now.children > 0) this.#enter(start, frame.node, false, frame.depth, field);
  }

  /** Adds the subtree that was read last as a child of the frame's node. */
  #show(frame: Frame, start: number, alias: number, field: number): void {
    const { symbol, size, children } = this.#now;
    const type = this.#public(alias === 0 ? symbol : alias);
    const depth = frame.depth + 1;
    const node = this.arrays.add(type, start >> 1, (start + size) >> 1, field, frame.node, depth);
    if (children > 0) this.#enter(start, node, true, depth, 0);
    else this.arrays.close(node);
  }

  /** Begins with the children of the subtree that was read last. */
  #enter(position: number, node: number, isVisible: boolean, depth: number, field: number): void {
    const { address, children } = this.#now;
    const frame = (this.#frames[++this.#open] ??= emptyFrame());
    frame.end = address;
    frame.child = address - children * CHILD_SIZE;
    frame.isFirst = true;
    frame.position = position;
    frame.structural = 0;
    frame.node = node;
    frame.isVisible = isVisible;
    frame.depth = depth;
    frame.field = field;
    this.#production(frame, children === 0 ? 0 : this.#short(address + NODE.production));
  }

  #production(frame: Frame, production: number): void {
    const language = this.#language;
    frame.aliases = 0;
    if (production !== 0) {
      const length = this.#short(language + LANGUAGE.aliasLength);
      frame.aliases = this.#word(language + LANGUAGE.aliases) + 2 * length * production;
    }
    frame.fields = 0;
    frame.fieldsEnd = 0;
    if (this.#word(language + LANGUAGE.fields) === 0) return;
    const slice = this.#word(language + LANGUAGE.slices) + 4 * production;
    const entries = this.#word(language + LANGUAGE.entries);
    frame.fields = entries + ENTRY.size * this.#short(slice);
    frame.fieldsEnd = frame.fields + ENTRY.size * this.#short(slice + 2);
  }

  /** Field of the child that comes next, as its parent's production says. */
  #field({ fields, fieldsEnd, structural }: Frame): number {
    const bytes = this.#bytes;
    for (let entry = fields; entry < fieldsEnd; entry += ENTRY.size) {
      if (bytes[entry + ENTRY.child] !== structural || bytes[entry + ENTRY.inherited] !== 0) continue;
      return this.#short(entry);
    }
    return 0;
  }

  /** Reads what lies at `place` into `#now`. */
  #subtree(place: number): void {
    const now = this.#now;
    const bytes = this.#bytes;
    const leafFlags = bytes[place + LEAF.flags] ?? 0;
    if ((leafFlags & LEAF_FLAGS.isLeaf) !== 0) {
      now.address = 0;
      now.symbol = bytes[place + LEAF.symbol] ?? 0;
      now.padding = bytes[place + LEAF.padding] ?? 0;
      now.size = bytes[place + LEAF.size] ?? 0;
      now.children = 0;
      now.isVisible = (leafFlags & LEAF_FLAGS.visible) !== 0;
      now.isExtra = (leafFlags & LEAF_FLAGS.extra) !== 0;
      return;
    }
    const address = this.#word(place);
    const flags = bytes[address + NODE.flags] ?? 0;
    now.address = address;
    now.symbol = this.#short(address + NODE.symbol);
    now.padding = this.#word(address + NODE.padding);
    now.size = this.#word(address + NODE.size);
    now.children = this.#word(address + NODE.children);
    now.isVisible = (flags & NODE_FLAGS.visible) !== 0;
    now.isExtra = (flags & NODE_FLAGS.extra) !== 0;
  }

  #public(symbol: number): number {
    return symbol === ERROR_SYMBOL ? symbol : this.#short(this.#publicSymbols + 2 * symbol);
  }

  #word(address: number): number {
    return this.#words[address >>> 2] ?? 0;
  }

  #short(address: number): number {
    return this.#shorts[address >>> 1] ?? 0;
  }
}

function emptyFrame(): Frame {
  return {
    child: 0,
    end: 0,
    isFirst: true,
    position: 0,
    structural: 0,
    aliases: 0,
    fields: 0,
    fieldsEnd: 0,
    node: 0,
    isVisible: false,
    depth: 0,
    field: 0,
  };
}
