import type { CloneClass, CloneInstance } from "../model/quality.js";
import type { CloneCandidate } from "./measures/clones.js";
import { compareSpans } from "./measures/order.js";

/** The instances of a clone outside the files that are put together. */
export interface OtherClones {
  readonly instances: readonly CloneInstance[];
  /** How many there are besides. */
  readonly more: number;
}

export const NO_OTHERS: OtherClones = { instances: [], more: 0 };

/** Finds what has the same key among the candidates of many files. */
export class CloneFinder {
  /** Most keys are met once, so that a list for each would take more room than all else. */
  readonly #first = new Map<string, CloneInstance>();
  readonly #repeated = new Map<string, CloneInstance[]>();

  add(path: string, candidates: readonly CloneCandidate[]): void {
    for (const { key, start, end } of candidates) {
      const instance = { path, start, end };
      const first = this.#first.get(key);
      const known = this.#repeated.get(key);
      if (known !== undefined) known.push(instance);
      else if (first !== undefined) this.#repeated.set(key, [first, instance]);
      else this.#first.set(key, instance);
    }
  }

  /**
   * All classes in the order of their first instances.
   * @param others instances outside the files that were added
   */
  classes(others?: (key: string) => OtherClones): CloneClass[] {
    const classes: CloneClass[] = [];
    if (others === undefined) {
      for (const [id, instances] of this.#repeated) {
        classes.push({ id, instances: instances.sort(compareSpans) });
      }
    } else {
      for (const [id, first] of this.#first) {
        const { instances: outside, more } = others(id);
        const instances = [...(this.#repeated.get(id) ?? [first]), ...outside].sort(compareSpans);
        if (instances.length > 1) classes.push({ id, instances, ...(more > 0 && { more }) });
      }
    }
    return classes.sort((a, b) => compareFirst(a.instances, b.instances));
  }
}

function compareFirst(a: readonly CloneInstance[], b: readonly CloneInstance[]): number {
  const [first] = a;
  const [second] = b;
  return first === undefined || second === undefined ? 0 : compareSpans(first, second);
}
