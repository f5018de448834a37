import { lstatSync, type Dirent, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, extname, join, normalize, relative, sep } from "node:path";
import { SlopLensError } from "../model/errors.js";
import { REFERENCE_LANGUAGE, type LanguageId, type Profile, type SkippedFile } from "../model/quality.js";
import type { AnalysisOptions } from "./analysis.js";
import { EXCLUDED_FOLDERS } from "./excluded-folders.js";
import { Exclusion, type Excluded } from "./exclusion.js";
import { foreignFolder, foreignName } from "./foreign-code.js";
import { settleHeaders } from "./languages/headers.js";
import { LANGUAGES, languageOfPath } from "./languages/languages.js";
import { PROFILE_DEFINITIONS } from "./profiles.js";

/** Larger files are generated or data. */
const MAX_BYTES = 5 * 1024 * 1024;

export interface FoundFile {
  /** Absolute path, links resolved. */
  readonly file: string;
  /** POSIX path relative to the common root: the file's name in reports. */
  readonly path: string;
  readonly language: LanguageId;
  readonly bytes: number;
}

export interface Discovery {
  /** Absolute path of the common root folder, links resolved. */
  readonly root: string;
  /**
   * The same as the caller calls it, where that was one folder. Behind a link, and on Windows by the letter of the
   * drive, the two differ, and what a host asks about later has the caller's name.
   */
  readonly asked: string;
  /** The caller gave a folder, and not only files. */
  readonly hasFolder: boolean;
  readonly files: readonly FoundFile[];
  readonly skipped: readonly SkippedFile[];
  /** What the caller left out; undefined when nothing was to be. */
  readonly excluded: Excluded | undefined;
}

/**
 * Finds the files of known languages. Links inside folders are not followed; folders that hold tools, builds or
 * foreign packages are passed over.
 * @param paths absolute paths of files and folders
 * @param profile decides which endings Python files have
 * @param limits what is passed over; of what is excluded the files are counted
 * @throws SlopLensError bad-input when a path does not exist, is a file that is not measured, or no file is found
 */
export async function discover(
  paths: readonly string[],
  profile: Profile,
  signal: AbortSignal,
  { without = [], exclude }: Pick<AnalysisOptions, "without" | "exclude"> = {},
): Promise<Discovery> {
  const passedOver = await Promise.all(without.map((folder) => realpath(folder).catch(() => folder)));
  const exclusion = await Exclusion.of(exclude);
  const walk = new Walk(profile, signal, new Set(passedOver), exclusion);
  const folders: string[] = [];
  const asked: string[] = [];
  for (const path of paths) {
    const { place, stats } = await resolve(path);
    const isFolder = stats.isDirectory();
    const isExcluded = exclusion.hasGiven(place, isFolder);
    if (isFolder) {
      folders.push(place);
      asked.push(normalize(path));
      await walk.folder(place, isExcluded);
    } else {
      if (!isExcluded && measuredLanguage(place, profile) === undefined) throw notMeasured(path, profile);
      folders.push(dirname(place));
      if (isExcluded) walk.leaveOut(place);
      else walk.file(place, stats);
    }
  }
  const root = commonRoot(folders);
  const [only = root] = paths.length === 1 ? asked : [];
  return {
    ...walk.toDiscovery(root, paths),
    asked: only,
    hasFolder: asked.length > 0,
    excluded: exclusion.result,
  };
}

function notMeasured(path: string, profile: Profile): SlopLensError {
  if (languageOfPath(path) === undefined) {
    const ending = extname(path);
    const why =
      ending === "" ? "its name has no ending that tells a language" : `no language has files in ${ending}`;
    const what = `${path} is in no language that is measured: ${why}`;
    const endings = LANGUAGES.flatMap(({ extensions }) => extensions);
    return new SlopLensError("bad-input", what, `Measured are ${[...new Set(endings)].join(", ")}.`);
  }
  const endings = PROFILE_DEFINITIONS[profile].pythonEndings.join(", ");
  const what = `${path} does not count in profile ${profile}, which takes Python files by ${endings}`;
  return new SlopLensError("bad-input", what, "Choose another profile, such as scb-0.2.0.");
}

/** The language by which a profile measures a file, told by its ending; undefined when it does not. */
function measuredLanguage(path: string, profile: Profile): LanguageId | undefined {
  const { pythonEndings, anyCase } = PROFILE_DEFINITIONS[profile];
  const ending = extname(path);
  if (pythonEndings.includes(anyCase ? ending.toLowerCase() : ending)) return REFERENCE_LANGUAGE;
  const language = languageOfPath(path)?.id;
  return language === REFERENCE_LANGUAGE ? undefined : language;
}

async function resolve(path: string): Promise<{ place: string; stats: Stats }> {
  try {
    const place = await realpath(path);
    return { place, stats: await stat(place) };
  } catch (cause) {
    throw new SlopLensError("bad-input", `${path} does not exist or cannot be read`, "Check the path.", {
      cause,
    });
  }
}

/** A folder whose files, those in Python aside, are not the project's own. */
interface Foreign {
  readonly place: string;
  readonly reason: string;
}

interface Folder {
  readonly place: string;
  /** The folder of others' code that it lies in or is. */
  readonly foreign: Foreign | undefined;
  readonly isExcluded: boolean;
}

class Walk {
  readonly #files = new Map<string, { language: LanguageId; bytes: number }>();
  readonly #skipped = new Map<string, string>();
  /** Folders of others' code → number of files in them that are not measured. */
  readonly #foreign = new Map<Foreign, number>();

  constructor(
    private readonly profile: Profile,
    private readonly signal: AbortSignal,
    private readonly without: ReadonlySet<string>,
    private readonly exclusion: Exclusion,
  ) {}

  async folder(root: string, isExcluded: boolean): Promise<void> {
    const open: Folder[] = [{ place: root, foreign: undefined, isExcluded }];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      this.signal.throwIfAborted();
      const entries = await this.#entries(folder.place);
      const names = entries.map(({ name }) => name);
      for (const entry of entries) {
        const place = join(folder.place, entry.name);
        const isFolder = entry.isDirectory();
        if (isFolder && this.#isPassedOver(place, entry.name)) continue;
        const isExcluded = this.exclusion.has(place, isFolder, root) || folder.isExcluded;
        if (isFolder) {
          const reason = folder.foreign === undefined ? foreignFolder(entry.name, names) : undefined;
          const foreign = reason === undefined ? folder.foreign : { place, reason };
          open.push({ place, foreign, isExcluded });
        } else if (isExcluded) this.leaveOut(place);
        else this.#entry(place, entry, folder.foreign);
      }
    }
  }

  /** A file that is excluded counts where it would have been looked at. */
  leaveOut(place: string): void {
    if (measuredLanguage(place, this.profile) !== undefined) this.exclusion.count();
  }

  file(place: string, stats: Stats): void {
    const language = measuredLanguage(place, this.profile);
    if (language === undefined) return;
    const foreign = foreignName(place, language);
    if (!stats.isFile()) this.#skipped.set(place, "not a regular file");
    else if (foreign !== undefined) this.#skipped.set(place, foreign);
    else if (stats.size > MAX_BYTES) this.#skipped.set(place, "larger than 5 MB");
    else this.#files.set(place, { language, bytes: stats.size });
  }

  /** @throws SlopLensError bad-input when nothing was found */
  toDiscovery(root: string, paths: readonly string[]): Omit<Discovery, "asked" | "hasFolder" | "excluded"> {
    if (this.#files.size + this.#skipped.size + this.#foreign.size === 0) {
      const excluded = this.exclusion.result?.files ?? 0;
      if (excluded > 0) {
        const all = excluded === 1 ? "The only source file is" : `All ${excluded} source files are`;
        throw new SlopLensError("bad-input", `${all} excluded`, "Exclude less.");
      }
      throw new SlopLensError(
        "bad-input",
        `No source files that can be measured in ${paths.join(", ")}`,
        "Give a folder that holds some.",
      );
    }
    for (const [{ place, reason }, count] of this.#foreign) {
      this.#skipped.set(place, `${reason}, ${count} ${count === 1 ? "file" : "files"}`);
    }
    const name = (place: string) => relative(root, place).split(sep).join("/");
    return {
      root,
      files: [...settleHeaders(this.#files)].map(([file, found]) => ({ file, path: name(file), ...found })),
      skipped: [...this.#skipped].map(([place, reason]) => ({ path: name(place) || place, reason })),
    };
  }

  #isPassedOver(place: string, name: string): boolean {
    return EXCLUDED_FOLDERS.has(name) || this.without.has(place);
  }

  #entry(place: string, entry: Dirent, foreign: Foreign | undefined): void {
    const language = measuredLanguage(place, this.profile);
    if (language === undefined) return;
    if (foreign !== undefined && language !== REFERENCE_LANGUAGE) {
      this.#foreign.set(foreign, (this.#foreign.get(foreign) ?? 0) + 1);
      return;
    }
    if (entry.isSymbolicLink()) {
      this.#skipped.set(place, "symbolic link");
      return;
    }
    try {
      this.file(place, lstatSync(place));
    } catch (error) {
      this.#skipped.set(place, `unreadable (${codeOf(error)})`);
    }
  }

  async #entries(folder: string): Promise<Dirent[]> {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      this.#skipped.set(folder, `unreadable folder (${codeOf(error)})`);
      return [];
    }
  }
}

/** The system's word for what went wrong, for example `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : String(error);
}

/** Deepest folder that holds all folders. */
function commonRoot(folders: readonly string[]): string {
  const [first = sep, ...others] = folders;
  let root = first;
  for (const folder of others) {
    while (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : root + sep)) {
      const parent = dirname(root);
      if (parent === root) return root;
      root = parent;
    }
  }
  return root;
}
