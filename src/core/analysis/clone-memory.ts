import { dirname, join, sep } from "node:path";
import type { CloneInstance } from "../model/quality.js";
import type { MeasuredFile } from "./assemble.js";
import { NO_OTHERS, type OtherClones } from "./clone-finder.js";
import type { CloneCandidate } from "./measures/clones.js";

/** Roots whose candidates are kept, so that a workspace survives the analysis of a few snapshots. */
const KEPT_ROOTS = 4;
/** So many places of a clone in other files are named; of the rest it is told how many there are. */
const MOST_OTHERS = 50;

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
  update(path: string, candidates: readonly CloneCandidate[]): (key: string) => OtherClones {
    const index = this.#nearest(path);
    if (index === undefined) return () => NO_OTHERS;
    index.replace(path, candidates);
    return (key) => index.others(key, path);
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

/** The places of one key, file by file. */
type Places = Map<string, CloneInstance[]>;

class CandidateIndex {
  readonly #keysOf = new Map<string, ReadonlySet<string>>();
  readonly #byKey = new Map<string, Places>();
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

  /** The places of a key in all files but one. */
  others(key: string, path: string): OtherClones {
    const instances: CloneInstance[] = [];
    let count = 0;
    for (const [file, places] of this.#byKey.get(key) ?? []) {
      if (file === path) continue;
      count += places.length;
      if (instances.length < MOST_OTHERS) instances.push(...places.slice(0, MOST_OTHERS - instances.length));
    }
    return { instances, more: count - instances.length };
  }

  /** Each key is taken once: of a file that says the same thousands of times, every place is of one key. */
  #replace(path: string, candidates: readonly CloneCandidate[]): void {
    const now = byKey(path, candidates);
    for (const key of this.#keysOf.get(path) ?? []) if (!now.has(key)) this.#forget(key, path);
    this.#keysOf.set(path, new Set(now.keys()));
    for (const [key, places] of now) {
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, new Map([[path, places]]));
      else known.set(path, places);
    }
  }

  #forget(key: string, path: string): void {
    const known = this.#byKey.get(key);
    known?.delete(path);
    if (known?.size === 0) this.#byKey.delete(key);
  }
}

function byKey(path: string, candidates: readonly CloneCandidate[]): Places {
  const places: Places = new Map();
  for (const { key, start, end } of candidates) {
    const instance = { path, start, end };
    const known = places.get(key);
    if (known === undefined) places.set(key, [instance]);
    else known.push(instance);
  }
  return places;
}
