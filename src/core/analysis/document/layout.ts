import type { Source } from "../source.js";
import { FlatTree } from "../tree/flat-tree.js";
import type { Walk } from "../tree/flatten.js";
import type { Grammar } from "../tree/grammar.js";
import { replacementBetween, type Replacement } from "./change.js";

/**
 * Lays the trees of a document out in arrays, one after the other. What the parser took over from the tree before is
 * copied from that tree's arrays, so that only the nodes around an edit are walked.
 *
 * The trees must be parsed each from the one before, and that one must still be alive when the next is laid out:
 * a node counts as taken over when it is at the address where it was.
 */
export class TreeLayout {
  #arrays = new NodeArrays(0);
  /** Arrays of the tree before the last, to be written over. */
  #spare = new NodeArrays(0);
  #last: FlatTree | undefined;

  constructor(private readonly grammar: Grammar) {}

  /** @returns a tree that holds until the call after the next */
  lay(walk: Walk, source: Source): FlatTree {
    const arrays = this.#spare;
    this.#spare = this.#arrays;
    this.#arrays = arrays;
    arrays.clear(this.#spare.count + 64);
    const earlier = this.#last === undefined ? undefined : new EarlierNodes(this.#spare, this.#last, source);
    new Layout(walk, arrays, earlier).run();
    this.#last = arrays.toTree(this.grammar, source);
    return this.#last;
  }
}

/** A node and where it goes. */
interface Place {
  readonly type: number;
  readonly start: number;
  readonly end: number;
  readonly field: number;
  readonly parent: number;
  readonly depth: number;
  readonly id: number;
}

/** Node arrays that are filled in source order, parents first. */
class NodeArrays {
  count = 0;
  type = new Uint16Array(0);
  start = new Int32Array(0);
  end = new Int32Array(0);
  row = new Int32Array(0);
  field = new Uint8Array(0);
  parent = new Int32Array(0);
  depth = new Int32Array(0);
  next = new Int32Array(0);
  id = new Int32Array(0);

  constructor(capacity: number) {
    this.#reserve(capacity);
  }

  clear(capacity: number): void {
    this.count = 0;
    this.#reserve(capacity);
  }

  /** @returns the number of the new node, whose `next` is still to be set */
  add({ type, start, end, field, parent, depth, id }: Place): number {
    const node = this.count++;
    if (node >= this.type.length) this.#reserve(this.count * 2);
    this.type[node] = type;
    this.start[node] = start;
    this.end[node] = end;
    this.field[node] = field;
    this.parent[node] = parent;
    this.depth[node] = depth;
    this.id[node] = id;
    return node;
  }

  /** Appends the subtree of a node of other arrays, `moved` units further on. */
  copy(from: NodeArrays, root: number, moved: number, { field, parent, depth }: Place): void {
    const end = from.next[root] ?? root + 1;
    const first = this.count;
    const shift = first - root;
    const deeper = depth - (from.depth[root] ?? 0);
    this.count += end - root;
    if (this.count > this.type.length) this.#reserve(this.count * 2);
    this.type.set(from.type.subarray(root, end), first);
    this.field.set(from.field.subarray(root, end), first);
    this.id.set(from.id.subarray(root, end), first);
    for (let node = root; node < end; node++) {
      const to = node + shift;
      this.start[to] = (from.start[node] ?? 0) + moved;
      this.end[to] = (from.end[node] ?? 0) + moved;
      this.parent[to] = (from.parent[node] ?? 0) + shift;
      this.depth[to] = (from.depth[node] ?? 0) + deeper;
      this.next[to] = (from.next[node] ?? 0) + shift;
    }
    this.field[first] = field;
    this.parent[first] = parent;
  }

  toTree(grammar: Grammar, source: Source): FlatTree {
    const { count, type, start, end, row, field, parent, depth, next } = this;
    const { rowStarts } = source;
    let at = 0;
    for (let node = 0; node < count; node++) {
      const position = start[node] ?? 0;
      while (at + 1 < rowStarts.length && (rowStarts[at + 1] ?? Infinity) <= position) at++;
      row[node] = at;
    }
    return new FlatTree(grammar, source, count, type, start, end, row, field, parent, depth, next);
  }

  #reserve(capacity: number): void {
    if (capacity <= this.type.length) return;
    const size = Math.ceil(capacity * 1.25);
    this.type = grown(this.type, new Uint16Array(size));
    this.start = grown(this.start, new Int32Array(size));
    this.end = grown(this.end, new Int32Array(size));
    this.row = grown(this.row, new Int32Array(size));
    this.field = grown(this.field, new Uint8Array(size));
    this.parent = grown(this.parent, new Int32Array(size));
    this.depth = grown(this.depth, new Int32Array(size));
    this.next = grown(this.next, new Int32Array(size));
    this.id = grown(this.id, new Int32Array(size));
  }
}

function grown<Numbers extends Uint8Array | Uint16Array | Int32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/** Finds nodes of the tree before by address and place. */
class EarlierNodes {
  readonly #change: Replacement;

  constructor(
    readonly arrays: NodeArrays,
    tree: FlatTree,
    { text }: Source,
  ) {
    const whole = { start: text.length, oldEnd: text.length, newEnd: text.length };
    this.#change = replacementBetween(tree.source.text, text) ?? whole;
  }

  /** Copies the subtree of a node that the parser took over, if it did. */
  copy(to: NodeArrays, place: Place): boolean {
    const moved = this.#movedBy(place.start, place.end);
    const node = moved === undefined ? undefined : this.#find(place.start - moved, place.id);
    if (moved === undefined || node === undefined) return false;
    to.copy(this.arrays, node, moved, place);
    return true;
  }

  /** How far a node has moved, when all of it lies before or behind what was replaced. */
  #movedBy(start: number, end: number): number | undefined {
    if (end <= this.#change.start) return 0;
    return start >= this.#change.newEnd ? this.#change.newEnd - this.#change.oldEnd : undefined;
  }

  /** The node that began at `start` and is kept at address `id`. */
  #find(start: number, id: number): number | undefined {
    const { arrays } = this;
    for (let node = this.#firstFrom(start); node < arrays.count && arrays.start[node] === start; node++) {
      if (arrays.id[node] === id) return node;
    }
    return undefined;
  }

  #firstFrom(start: number): number {
    let low = 0;
    let high = this.arrays.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.arrays.start[middle] ?? Infinity) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Walks a tree into arrays. */
class Layout {
  readonly #open: number[] = [];
  #depth = 0;
  /** Whether the node under the cursor has to be walked through. */
  #isNew = false;

  constructor(
    private readonly walk: Walk,
    private readonly arrays: NodeArrays,
    private readonly earlier: EarlierNodes | undefined,
  ) {}

  run(): void {
    const { walk } = this;
    const take = this.#take.bind(this);
    try {
      for (;;) {
        walk.read(take);
        if (this.#isNew && walk.toFirstChild()) {
          this.#depth++;
          continue;
        }
        if (this.#isNew) this.#close();
        while (!walk.toNextSibling()) {
          if (!walk.toParent()) return;
          this.#depth--;
          this.#close();
        }
      }
    } finally {
      walk.close();
    }
  }

  #take(type: number, start: number, end: number, field: number): void {
    const depth = this.#depth;
    const parent = this.#open[depth - 1] ?? -1;
    const place = { type, start, end, field, parent, depth, id: this.walk.id() };
    this.#isNew = this.earlier?.copy(this.arrays, place) !== true;
    if (this.#isNew) this.#open[depth] = this.arrays.add(place);
  }

  #close(): void {
    this.arrays.next[this.#open[this.#depth] ?? 0] = this.arrays.count;
  }
}
