import * as vscode from "vscode";
import { NO_RULES, type Analyzer, type QualitySummary } from "../../core/analysis/analysis.js";
import { SlopLensError } from "../../core/model/errors.js";
import { pathBelow } from "../../core/model/paths.js";
import type { Profile } from "../../core/model/quality.js";
import { VIEWS } from "../ids.js";
import { folderScope } from "../marks/scope.js";
import type { Services } from "../services.js";
import { profileChoice } from "../settings.js";
import {
  hasCallablesOf,
  mayBelong,
  withFile,
  workspaceHotspots,
  type RootReading,
} from "../tree/workspace-hotspots.js";
import { noneWords, type Scope } from "./hotspots-scope.js";

/** Key in the workspace's memory, so that the choice survives a reload. */
const REMEMBERED = "slopLens.hotspotsOfWorkspace";

type Shared = Pick<Services, "analyzer" | "context" | "errors" | "library">;

/** Has all code of the workspace measured when the user asks for it, and then again the files that are saved. */
export class WorkspaceReading implements vscode.Disposable {
  private end: AbortController | undefined;
  private roots: readonly RootReading[] | undefined;
  private isBusy = false;
  private shown: Scope = measuring();
  /** Absolute paths of files that were saved since they were read. */
  private readonly saved = new Set<string>();

  /** @param changed is called when there is something else to show */
  constructor(
    private readonly services: Shared,
    private readonly changed: () => void,
  ) {
    const isAsked = services.context.workspaceState.get(REMEMBERED) === true && diskFolders().length > 0;
    if (isAsked) this.end = new AbortController();
  }

  /** What is to be shown; undefined when the user did not ask for the workspace. */
  get scope(): Scope | undefined {
    return this.end === undefined ? undefined : this.shown;
  }

  get state(): "measuring" | "shown" | undefined {
    if (this.end === undefined) return undefined;
    return this.roots === undefined ? "measuring" : "shown";
  }

  /** Has everything read. @throws SlopLensError bad-input when no folder is open */
  async read(): Promise<void> {
    if (diskFolders().length === 0) {
      throw new SlopLensError(
        "bad-input",
        vscode.l10n.t("No folder is open"),
        vscode.l10n.t("Open a folder to have its code measured."),
      );
    }
    this.end?.abort();
    this.end = new AbortController();
    this.roots = undefined;
    this.shown = measuring();
    void this.services.context.workspaceState.update(REMEMBERED, true);
    await this.work(this.end, true);
  }

  /** Shows the workspace no more, and ends what is being read. */
  leave(): void {
    if (this.end === undefined) return;
    this.end.abort();
    this.end = undefined;
    this.roots = undefined;
    void this.services.context.workspaceState.update(REMEMBERED, undefined);
  }

  /** Takes note of a file, to be read when the view is visible. */
  note({ uri }: vscode.TextDocument): void {
    if (this.end === undefined || uri.scheme !== "file") return;
    const isOurs = this.roots?.some((root) => mayBelong(root, uri.fsPath)) !== false;
    if (isOurs) this.saved.add(uri.fsPath);
  }

  /** Forgets what was read, because other folders belong to the workspace, or it is measured otherwise. */
  forget(): void {
    if (this.end === undefined) return;
    this.end.abort();
    this.end = new AbortController();
    this.isBusy = false;
    this.roots = undefined;
    this.shown = measuring();
  }

  /** Reads what is missing, for a view that is visible. */
  catchUp(): void {
    const { end } = this;
    if (end === undefined || this.isBusy) return;
    if (this.roots !== undefined && this.saved.size === 0) return;
    this.work(end, this.roots === undefined).catch((error: unknown) => {
      this.services.errors.note(error, "Measuring the workspace");
    });
  }

  /** @param isAll everything is read, else the files that were saved */
  private async work(end: AbortController, isAll: boolean): Promise<void> {
    this.isBusy = true;
    const isCurrent = (): boolean => this.end === end;
    try {
      const roots = await vscode.window.withProgress({ location: { viewId: VIEWS.hotspots } }, () =>
        isAll ? this.readAll(end.signal) : this.readSaved(this.roots ?? [], end.signal),
      );
      if (!isCurrent()) return;
      this.roots = roots;
      this.shown = scopeOfRoots(roots);
    } catch (error) {
      if (end.signal.aborted) return;
      this.leave();
      throw error;
    } finally {
      if (isCurrent() || this.end === undefined) {
        this.isBusy = false;
        this.changed();
      }
    }
  }

  private async readAll(signal: AbortSignal): Promise<RootReading[]> {
    this.saved.clear();
    const analyzer = await this.services.analyzer();
    const roots: RootReading[] = [];
    for (const place of await this.places()) roots.push(await readRoot(analyzer, place, signal));
    return roots;
  }

  private async readSaved(roots: readonly RootReading[], signal: AbortSignal): Promise<RootReading[]> {
    const files = [...this.saved];
    this.saved.clear();
    const analyzer = await this.services.analyzer();
    const places = await this.places();
    const now: RootReading[] = [];
    for (const root of roots) {
      // Runs may have begun since.
      let reading: RootReading = { ...root, ...places.find(({ folder }) => folder === root.folder) };
      for (const file of files.filter((saved) => mayBelong(reading, saved))) {
        reading = await readFileAnew(analyzer, reading, file, signal);
      }
      now.push(reading);
    }
    return now;
  }

  /** The folders of the workspace. One that lies in another counts once, and runs do not. */
  private async places(): Promise<Place[]> {
    const folders = diskFolders();
    const scopes = await Promise.all(folders.map((folder) => folderScope(folder, this.services.library)));
    return folders.flatMap((folder, index) => {
      const scope = scopes[index];
      if (scope === undefined) return [];
      const { name, root } = scope;
      const apart = [...scope.without, ...folders.map(({ uri }) => uri.fsPath)];
      const without = apart.filter((place) => place !== root && pathBelow(root, place) !== undefined);
      return [{ name, folder: root, without, profile: profileChoice(folder.uri) }];
    });
  }

  dispose(): void {
    this.end?.abort();
  }
}

type Place = Pick<RootReading, "name" | "folder" | "without" | "profile">;

async function readRoot(analyzer: Analyzer, place: Place, signal: AbortSignal): Promise<RootReading> {
  const summary = await summarize(analyzer, place.folder, place, signal);
  const { name, folder, without, profile } = place;
  const read = { files: summary?.totals.filesScanned ?? 0, callables: summary?.heaviest ?? [] };
  return { name, folder, without, profile, ...read };
}

/** A file that had no callables, or has become one that is not measured, may change what the folder counts. */
async function readFileAnew(
  analyzer: Analyzer,
  root: RootReading,
  file: string,
  signal: AbortSignal,
): Promise<RootReading> {
  const below = pathBelow(root.folder, file) ?? "";
  const summary = hasCallablesOf(root, below) ? await summarize(analyzer, file, root, signal) : undefined;
  const isMeasured = summary !== undefined && summary.totals.filesScanned > 0;
  return isMeasured ? withFile(root, below, summary.heaviest) : readRoot(analyzer, root, signal);
}

/** Undefined where nothing can be measured. */
async function summarize(
  analyzer: Analyzer,
  place: string,
  { profile, without }: { readonly profile: Profile; readonly without: readonly string[] },
  signal: AbortSignal,
): Promise<QualitySummary | undefined> {
  try {
    const options = { profile, without, rules: NO_RULES, most: Infinity };
    return await analyzer.summarizePaths([place], options, signal);
  } catch (error) {
    if (SlopLensError.is(error, "bad-input")) return undefined;
    throw error;
  }
}

function diskFolders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}

function measuring(): Scope {
  return {
    words: vscode.l10n.t("workspace"),
    hotspots: [],
    empty: { message: vscode.l10n.t("Measuring…") },
  };
}

function scopeOfRoots(roots: readonly RootReading[]): Scope {
  const files = roots.reduce((sum, root) => sum + root.files, 0);
  const words =
    files === 1 ? vscode.l10n.t("workspace · 1 file") : vscode.l10n.t("workspace · {0} files", files);
  const hotspots = workspaceHotspots(roots, (file) => vscode.Uri.file(file).toString());
  if (hotspots.length > 0) return { words, hotspots };
  const callables = roots.flatMap((root) => root.callables);
  const highest = callables.reduce((most, { cc }) => Math.max(most, cc), 0);
  return { words, hotspots, empty: { message: noneWords(callables.length, highest) } };
}
