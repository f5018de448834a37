import { lstat, readlink } from "node:fs/promises";
import path from "node:path";

import { SlopLensError } from "../../model/errors.js";
import type { Placement } from "../sandbox.js";
import { listTree, type TreeEntry } from "./tree.js";

/** One file, link or folder that is going to lie in the sandbox. */
export interface PlannedEntry {
  readonly root: Placement["root"];
  /** POSIX path below the root. */
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  readonly mode: number;
  readonly owner: Placement["owner"];
  readonly linkTarget: string | undefined;
  readonly modified: Date;
  /** Where a file's bytes come from; undefined for folders and links. */
  readonly source: { readonly path: string } | { readonly bytes: Uint8Array } | undefined;
}

/**
 * All entries of all placements. A later placement wins over an earlier one: it replaces files, merges folders, and
 * turns a link or file that stands in its way into a folder, so that nothing of a solution's leads ours astray.
 */
export class PlacementPlan {
  readonly #entries = new Map<string, PlannedEntry>();

  /**
   * Reads the host's folders; contents are read later, when they are needed.
   * @throws SlopLensError bad-input for a target outside its root or a source that is not there, cancelled
   */
  static async of(placements: readonly Placement[], signal: AbortSignal): Promise<PlacementPlan> {
    const plan = new PlacementPlan();
    for (const placement of placements) await plan.#add(placement, signal);
    return plan;
  }

  /** Parents before children. */
  entries(): PlannedEntry[] {
    return [...this.#entries.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  /** Whether something of ours is to lie in the workspace, where the solution must not delete it. */
  get guardsWorkspace(): boolean {
    return [...this.#entries.values()].some(
      (entry) => entry.root === "workspace" && entry.owner === "harness",
    );
  }

  async #add(placement: Placement, signal: AbortSignal): Promise<void> {
    const target = normalTarget(placement.target);
    if ("content" in placement.source) {
      this.#put(plannedContent(placement, target, placement.source.content));
      return;
    }
    const source = placement.source.path;
    const stats = await lstat(source).catch((error: unknown) => {
      throw new SlopLensError("bad-input", `${source} cannot be read`, "", { cause: error });
    });
    if (stats.isDirectory()) {
      if (target !== "") this.#put(planned(placement, target, rootEntry("folder", stats.mode, stats.mtime)));
      const tree = await listTree(source, { keep: placement.keep ?? (() => true), signal });
      for (const entry of tree.entries) {
        const below = target === "" ? entry.path : `${target}/${entry.path}`;
        this.#put(planned(placement, below, entry, path.join(source, entry.path)));
      }
      return;
    }
    if (target === "") throw new SlopLensError("bad-input", `${source} is not a folder`);
    const kind = stats.isSymbolicLink() ? "link" : "file";
    const linkTarget = kind === "link" ? await readlink(source) : undefined;
    this.#put(
      planned(placement, target, { ...rootEntry(kind, stats.mode, stats.mtime), linkTarget }, source),
    );
  }

  #put(entry: PlannedEntry): void {
    this.#makeWay(entry);
    const key = keyOf(entry.root, entry.path);
    const present = this.#entries.get(key);
    if (present?.kind === "folder" && entry.kind !== "folder") this.#dropBelow(key);
    this.#entries.set(key, entry);
  }

  /** Every ancestor is a folder afterwards. */
  #makeWay(entry: PlannedEntry): void {
    const parts = entry.path.split("/");
    for (let length = 1; length < parts.length; length++) {
      const ancestor = parts.slice(0, length).join("/");
      const key = keyOf(entry.root, ancestor);
      if (this.#entries.get(key)?.kind === "folder") continue;
      this.#entries.set(key, {
        ...entry,
        path: ancestor,
        kind: "folder",
        mode: folderMode(entry.owner, 0o755),
        linkTarget: undefined,
        source: undefined,
      });
    }
  }

  #dropBelow(key: string): void {
    for (const other of this.#entries.keys()) if (other.startsWith(`${key}/`)) this.#entries.delete(other);
  }
}

/** A parent's key is the beginning of its children's keys, so it sorts before them. */
function keyOf(root: Placement["root"], relative: string): string {
  return `${root}/${relative}`;
}

function normalTarget(target: string): string {
  const normal = path.posix.normalize(target).replace(/\/$/u, "");
  if (normal === ".") return "";
  if (normal === ".." || normal.startsWith("../") || path.posix.isAbsolute(normal) || normal.includes("\0")) {
    throw new SlopLensError("bad-input", `${target} does not lie in the sandbox's folder`);
  }
  return normal;
}

function rootEntry(kind: TreeEntry["kind"], mode: number, modified: Date): TreeEntry {
  return { path: "", kind, mode: mode & 0o777, size: 0, linkTarget: undefined, modified };
}

function planned(placement: Placement, target: string, entry: TreeEntry, source?: string): PlannedEntry {
  return {
    root: placement.root,
    path: target,
    kind: entry.kind,
    mode:
      entry.kind === "folder"
        ? folderMode(placement.owner, entry.mode)
        : fileMode(placement.owner, entry.mode),
    owner: placement.owner,
    linkTarget: entry.linkTarget,
    modified: entry.modified,
    source: entry.kind === "file" && source !== undefined ? { path: source } : undefined,
  };
}

function plannedContent(placement: Placement, target: string, content: string | Uint8Array): PlannedEntry {
  if (target === "") throw new SlopLensError("bad-input", "A file needs a name in the sandbox");
  return {
    ...planned(placement, target, rootEntry("file", 0o644, new Date())),
    source: { bytes: typeof content === "string" ? Buffer.from(content) : content },
  };
}

/**
 * The solution's modes stay; ours can be read by all and written by their owner alone, who is not the solution in a
 * container. Not by nobody: a test that copies its data copies the modes, and the solution must be able to write there.
 */
function fileMode(owner: Placement["owner"], mode: number): number {
  if (owner === "solution") return mode & 0o777;
  return (mode & 0o111) === 0 ? 0o644 : 0o755;
}

function folderMode(owner: Placement["owner"], mode: number): number {
  return owner === "solution" ? mode & 0o777 : 0o755;
}
