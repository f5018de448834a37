import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, sep } from "node:path";
import picomatch from "picomatch";
import { SlopLensError } from "../model/errors.js";

/** Files and folders that the user leaves out. */
export interface ExclusionRequest {
  /**
   * Globs. One without a slash is for names, at any depth; one with a slash is for paths, from `base` or from the
   * folder that is measured. A slash at the end is for folders only. What is in a folder that matches is left out too.
   */
  readonly globs: readonly string[];
  /** Absolute path of the folder that relative paths start from. */
  readonly base: string;
}

/** What was left out. */
export interface Excluded {
  /** Files that would have been looked at. */
  readonly files: number;
  /** Globs that nothing matches. */
  readonly unused: readonly string[];
}

interface Pattern {
  readonly glob: string;
  readonly forNames: boolean;
  readonly forFolders: boolean;
  readonly matches: (text: string) => boolean;
}

/** Tells which places are left out, and counts. */
export class Exclusion {
  #files = 0;
  readonly #used = new Set<Pattern>();

  private constructor(
    private readonly patterns: readonly Pattern[],
    private readonly base: string,
  ) {}

  /** @throws SlopLensError bad-input for a glob that is empty or takes back what others leave out */
  static async of(request: ExclusionRequest | undefined): Promise<Exclusion> {
    if (request === undefined) return new Exclusion([], "");
    const base = await realpath(request.base).catch(() => request.base);
    return new Exclusion(request.globs.map(patternOf), base);
  }

  /** Undefined where nothing was asked for. */
  get result(): Excluded | undefined {
    if (this.patterns.length === 0) return undefined;
    const unused = this.patterns.filter((pattern) => !this.#used.has(pattern));
    return { files: this.#files, unused: unused.map(({ glob }) => glob) };
  }

  count(): void {
    this.#files++;
  }

  /**
   * Whether a place found in a folder is left out.
   * @param place absolute path, links resolved
   * @param root absolute path of the folder that is measured
   */
  has(place: string, isFolder: boolean, root: string): boolean {
    if (this.patterns.length === 0) return false;
    return this.#matches(place, isFolder, [inWords(this.base, place), inWords(root, place)]);
  }

  /** Whether a place that was asked for itself is left out, by its own name or by that of a folder below the base. */
  hasGiven(place: string, isFolder: boolean): boolean {
    if (this.patterns.length === 0) return false;
    const below = inWords(this.base, place);
    const isBelow = below !== "" && below !== ".." && !below.startsWith("../") && !isAbsolute(below);
    if (!isBelow) return !isFolder && this.#matches(place, false, []);
    let isLeftOut = this.#matches(place, isFolder, [below]);
    for (let folder = dirname(place); folder !== this.base; folder = dirname(folder)) {
      isLeftOut = this.#matches(folder, true, [inWords(this.base, folder)]) || isLeftOut;
    }
    return isLeftOut;
  }

  #matches(place: string, isFolder: boolean, paths: readonly string[]): boolean {
    const name = basename(place);
    const texts = [...paths, place.split(sep).join("/")];
    let isLeftOut = false;
    // All are asked, so that those without effect are known.
    for (const pattern of this.patterns) {
      if (pattern.forFolders && !isFolder) continue;
      if (!(pattern.forNames ? pattern.matches(name) : texts.some((text) => pattern.matches(text)))) continue;
      this.#used.add(pattern);
      isLeftOut = true;
    }
    return isLeftOut;
  }
}

function patternOf(glob: string): Pattern {
  const text = glob.replace(/^(?:\.\/)+/u, "").replace(/\/+$/u, "");
  if (text === "") {
    throw new SlopLensError(
      "bad-input",
      `“${glob}” excludes nothing by name`,
      "Name what is to be left out.",
    );
  }
  if (glob.startsWith("!")) {
    throw new SlopLensError(
      "bad-input",
      `${glob} cannot be excluded: nothing is taken back by an exclamation mark`,
      "Name what is to be left out.",
    );
  }
  return {
    glob,
    forNames: !text.includes("/"),
    forFolders: glob.endsWith("/"),
    matches: picomatch(text, { dot: true }),
  };
}

function inWords(from: string, place: string): string {
  return relative(from, place).split(sep).join("/");
}
