import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { NO_RULES, type Analyzer } from "../../core/analysis/analysis.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { CallableMetrics } from "../../core/model/quality.js";
import type { Turn } from "../../core/model/turn.js";
import type { SnapshotCallables } from "../../core/report/follow-callable.js";
import { measureKey } from "./state.js";
import { snapshotFolder } from "./turn-files.js";
import { profileChoice } from "../settings.js";

/** Reads the callables of snapshots, each once. */
export class SnapshotReader {
  private readonly known = new Map<string, SnapshotCallables | undefined>();

  constructor(private readonly analyzer: () => Promise<Analyzer>) {}

  /** What was read of a turn's snapshot so far. */
  get(turn: Turn): SnapshotCallables | undefined {
    return this.known.get(measureKey(turn));
  }

  has(turn: Turn): boolean {
    return this.known.has(measureKey(turn));
  }

  /** Reads a snapshot; one without anything that can be measured has no callables. @throws SlopLensError cancelled */
  async read(turn: Turn, signal: AbortSignal): Promise<void> {
    if (this.has(turn)) return;
    const folder = snapshotFolder(turn);
    const profile = turn.quality?.profile ?? profileChoice(vscode.Uri.file(folder));
    const analyzer = await this.analyzer();
    try {
      const { functions, overall } = await analyzer.analyzePaths(
        [folder],
        { profile, rules: NO_RULES },
        signal,
      );
      const { linesOf } = new SnapshotLines(folder);
      this.known.set(measureKey(turn), { callables: functions, totalMass: overall.totalMass, linesOf });
    } catch (error) {
      if (!SlopLensError.is(error, "bad-input")) throw error;
      this.known.set(measureKey(turn), undefined);
    }
  }
}

/** The texts of a snapshot's files, each read when it is first asked for. */
class SnapshotLines {
  private readonly files = new Map<string, Promise<readonly string[]>>();

  constructor(private readonly folder: string) {}

  readonly linesOf = async ({ path: file, start, end }: CallableMetrics): Promise<readonly string[]> => {
    const lines =
      this.files.get(file) ??
      readFile(path.join(this.folder, file), "utf8").then(
        (text) => text.split(/\r?\n/),
        () => [],
      );
    this.files.set(file, lines);
    return (await lines).slice(start - 1, end);
  };
}
