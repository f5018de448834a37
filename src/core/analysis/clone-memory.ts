import { dirname, join, sep } from "node:path";
import type { CloneInstance } from "../model/quality.js";
import type { MeasuredFile } from "./assemble.js";
import type { CloneCandidate } from "./measures/clones.js";

/** Roots whose candidates are kept, so that a workspace survives the analysis of a few snapshots. */
const KEPT_ROOTS = 4;

/** Clone candidates of the last analyses, so that a single document can be told where its code stands elsewhere. */
export class CloneMemory {
  readonly #roots = new Map<string, CandidateIndex>();

  /** Replaces what is known of `root`. The files are asked for their measures when a document is. */
  remember(root: string, files: readonly KnownFile[]): void {
    const index = new CandidateIndex(root, files);
    this.#roots.delete(root);
    this.#roots.set(root, index);
    for (const oldest of this.#roots.keys()) {
      if (this.#roots.size <= KEPT_ROOTS) break;
      this.#roots.delete(oldest);
    }
  }

  /**
   * Takes note of a document's present candidates.
   * @param path absolute path of the document
   * @returns key → instances in other files of the nearest analysed root, with absolute paths; none outside all roots
   */
  update(path: string, candidates: readonly CloneCandidate[]): (key: string) => readonly CloneInstance[] {
    const index = this.#nearest(path);
    if (index === undefined) return () => [];
    index.replace(path, candidates);
    return (key) => index.instances(key).filter((instance) => instance.path !== path);
  }

  #nearest(path: string): CandidateIndex | undefined {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const index = this.#roots.get(folder);
      if (index !== undefined) return index;
      if (folder === dirname(folder) || !folder.includes(sep)) return undefined;
    }
  }
}

/** A measured file under its path below the root. */
type KnownFile = Pick<MeasuredFile, "path" | "measures">;

class CandidateIndex {
  readonly #byPath = new Map<string, readonly CloneCandidate[]>();
  readonly #byKey = new Map<string, CloneInstance[]>();
  /** Files that nobody has asked about; a command never does. */
  #untold: readonly KnownFile[];

  constructor(
    private readonly root: string,
    files: readonly KnownFile[],
  ) {
    this.#untold = files;
  }

  replace(path: string, candidates: readonly CloneCandidate[]): void {
    const untold = this.#untold;
    this.#untold = [];
    for (const file of untold) this.#replace(join(this.root, file.path), file.measures.cloneCandidates);
    this.#replace(path, candidates);
  }

  instances(key: string): CloneInstance[] {
    return this.#byKey.get(key) ?? [];
  }

  #replace(path: string, candidates: readonly CloneCandidate[]): void {
    for (const { key } of this.#byPath.get(path) ?? []) {
      const others = this.instances(key).filter((instance) => instance.path !== path);
      if (others.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, others);
    }
    this.#byPath.set(path, candidates);
    for (const { key, start, end } of candidates) {
      const instances = this.#byKey.get(key);
      if (instances === undefined) this.#byKey.set(key, [{ path, start, end }]);
      else instances.push({ path, start, end });
    }
  }
}
