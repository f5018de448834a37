/** A node, or the nodes that `$$$NAME` stands for. */
type Bound = number | readonly number[];

interface Change {
  readonly variable: string;
  readonly before: Bound | undefined;
}

/** What metavariables stand for while a rule is tried. What a part that failed has bound is taken back. */
export class Bindings {
  readonly #bound = new Map<string, Bound>();
  readonly #changes: Change[] = [];

  /** A point to go back to. */
  get mark(): number {
    return this.#changes.length;
  }

  /** Names of the bound variables; those of lists begin with `$$$`. */
  get names(): string[] {
    return [...this.#bound.keys()];
  }

  /** The node that `$NAME` stands for. */
  node(name: string): number | undefined {
    const bound = this.#bound.get(name);
    return typeof bound === "number" ? bound : undefined;
  }

  /** The nodes that `$$$NAME` stands for. */
  list(name: string): readonly number[] | undefined {
    const bound = this.#bound.get(`$$$${name}`);
    return typeof bound === "number" ? undefined : bound;
  }

  setNode(name: string, node: number): void {
    this.#set(name, node);
  }

  setList(name: string, nodes: readonly number[]): void {
    this.#set(`$$$${name}`, nodes);
  }

  backTo(mark: number): void {
    while (this.#changes.length > mark) {
      const change = this.#changes.pop();
      if (change === undefined) return;
      if (change.before === undefined) this.#bound.delete(change.variable);
      else this.#bound.set(change.variable, change.before);
    }
  }

  #set(variable: string, value: Bound): void {
    this.#changes.push({ variable, before: this.#bound.get(variable) });
    this.#bound.set(variable, value);
  }
}
