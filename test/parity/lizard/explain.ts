import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import type { Feature } from "./features.js";
import type { LizardFile, LizardFunction } from "./lizard.js";
import type { OurCallable, OurFile } from "./ours.js";
import type { Pair, Pairing } from "./pairs.js";

export interface Difference extends Pair {
  readonly reasons: readonly string[];
  /** Whether the reasons add up to the difference. */
  readonly explained: boolean;
}

/** Tells where the differences of one file come from. */
export class Explainer {
  readonly #paired: ReadonlySet<number>;

  constructor(
    private readonly file: OurFile,
    private readonly theirs: LizardFile,
    private readonly pairing: Pairing,
    private readonly features: readonly Feature[],
  ) {
    this.#paired = new Set(pairing.pairs.map(({ ours }) => ours.node));
  }

  explain(pair: Pair): Difference {
    const reasons: string[] = [];
    let rest = pair.theirs.cc - pair.ours.cc;
    const closures = this.#closuresOf(pair);
    const apart = sum(closures.map(({ cc }) => cc - 1));
    if (apart > 0) {
      reasons.push(`−${apart}: has ${count(closures.length, "closure")} inside without a name apart`);
      rest += apart;
    }
    const merged = this.#mergedInto(pair.ours);
    const within = sum(merged.map(({ cc }) => cc - 1));
    if (within > 0) {
      reasons.push(`+${within}: counts ${merged.map(({ name }) => `\`${name}\``).join(", ")} inside for it`);
      rest -= within;
    }
    for (const feature of this.features) {
      const amount = sum([pair.ours, ...merged].map((callable) => this.#amountOf(callable, feature)));
      if (amount === 0) continue;
      reasons.push(`${signed(amount)}: ${feature.says}`);
      rest -= amount;
    }
    if (rest === 0) return { ...pair, reasons, explained: true };
    const lost = this.#strayed(pair) ?? this.#misplaced(pair);
    if (lost !== undefined) return { ...pair, reasons: [lost], explained: true };
    return { ...pair, reasons: [...reasons, `${signed(rest)}: unexplained`], explained: false };
  }

  /** Functions that only lizard has, directly inside a pair. */
  #closuresOf({ ours }: Pair): LizardFunction[] {
    const pairs = this.pairing.pairs.map((pair) => pair.ours);
    return this.pairing.theirsOnly.filter((theirs) => innermost(pairs, theirs) === ours);
  }

  /** Callables that only we have, inside one that both have. */
  #mergedInto(callable: OurCallable): OurCallable[] {
    const inner = this.file.callables.filter(
      ({ node }) => callable.inner.includes(node) && !this.#paired.has(node),
    );
    return inner.flatMap((own) => [own, ...this.#mergedInto(own)]);
  }

  /**
   * Whether lizard finds in the lines of a callable just the conditions that we find, and only gives some of them to
   * another function or to none.
   */
  #misplaced({ ours }: Pair): string | undefined {
    const isInside = ({ line }: { readonly line: number }) => line >= ours.start && line <= ours.end;
    const tokens = this.theirs.tokens.filter(isInside).length;
    const own = this.file.callables.filter(({ start, end }) => start >= ours.start && end <= ours.end);
    const expected =
      sum(own.map(({ cc }) => cc - 1)) +
      sum(this.features.flatMap((feature) => own.map((callable) => this.#amountOf(callable, feature))));
    if (tokens !== expected) return undefined;
    const given = this.theirs.functions.filter(({ start, end }) => start >= ours.start && end <= ours.end);
    const missing = tokens - sum(given.map(({ cc }) => cc - 1));
    return missing > 0
      ? `finds the same conditions in these lines, and gives ${missing} of them to no function in them`
      : "finds the same conditions in these lines, and gives some of them to another function";
  }

  #amountOf(callable: OurCallable, feature: Feature): number {
    const { tree } = this.file;
    const inner = new Set(callable.inner);
    let amount = this.#linesOf(callable, feature);
    for (let node = callable.node; node < tree.after(callable.node);) {
      if (inner.has(node)) {
        node = tree.after(node);
        continue;
      }
      amount += feature.adds(tree, node);
      node++;
    }
    return amount;
  }

  #linesOf(callable: OurCallable, { lines }: Feature): number {
    if (lines === undefined) return 0;
    const inner = this.file.callables.filter(({ node }) => callable.inner.includes(node));
    let count = 0;
    for (let line = callable.start; line <= callable.end; line++) {
      const isOwn = !inner.some(({ start, end }) => start <= line && end >= line);
      if (isOwn && lines.test(this.file.lines[line - 1] ?? "")) count++;
    }
    return count;
  }

  /** What lizard took for the callable, when these are other lines. */
  #strayed({ ours, theirs }: Pair): string | undefined {
    const first = nameLine(this.file.tree, ours);
    if (theirs.end === ours.end && theirs.start >= ours.start && theirs.start <= first) return undefined;
    return `takes lines ${theirs.start}–${theirs.end} for it`;
  }
}

/** The smallest callable around a function's lines. */
function innermost(
  callables: readonly OurCallable[],
  { start, end }: LizardFunction,
): OurCallable | undefined {
  return callables
    .filter((own) => own.start <= start && own.end >= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
    .at(0);
}

/** The last line on which the head of a callable may be said to start: that of its body. */
function nameLine(tree: FlatTree, { node }: OurCallable): number {
  const body = tree.children(node).at(-1);
  return body === undefined ? tree.firstLine(node) : tree.firstLine(body);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
