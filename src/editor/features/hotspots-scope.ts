/** What the Hotspots view shows, and why it shows nothing. */
import path from "node:path";
import * as vscode from "vscode";
import { runLabel } from "../../core/report/run-label.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import type { CallableHistories } from "../library/histories.js";
import { isFinished, type LibraryState } from "../library/state.js";
import { snapshotFolder } from "../library/turn-files.js";
import type { Services } from "../services.js";
import type { PlacedHotspot, UnreadHotspots } from "../tree/hotspot-rows.js";
import { fileHotspots, turnHotspots } from "../tree/hotspots.js";
import { checkpointWords } from "../words.js";

/** What the view shows, and the name of it. */
export interface Scope {
  readonly words: string;
  readonly hotspots: readonly PlacedHotspot[];
  /** Those that the record of a turn does not keep. */
  readonly unread?: UnreadHotspots | undefined;
  /** Why there are no hotspots; `nothing`: there is nothing that could have some. */
  readonly empty?: "nothing" | { readonly message: string } | undefined;
}

export interface Selected {
  readonly label: string;
  readonly part: ProblemRun;
  readonly turn: Turn;
}

/** The checkpoint that the user selected, or the last one of the selected run that was taken. */
export function selectedTurn({
  runs,
  selectedRun,
  selectedTurn: wanted,
}: LibraryState): Selected | undefined {
  const run = runs.find(({ folder }) => folder === selectedRun);
  const part = run?.problems.find(({ turns }) => turns.some(({ id }) => id === wanted)) ?? run?.problems[0];
  if (run === undefined || part === undefined) return undefined;
  const taken = part.turns.filter((turn) => isFinished(turn) || turn.quality !== undefined);
  const turn = taken.find(({ id }) => id === wanted) ?? taken.at(-1);
  return turn && { label: runLabel(run), part, turn };
}

/** The hotspots of a turn's snapshot. @param isBusy whether snapshots are being measured */
export function turnScope(
  { label, part, turn }: Selected,
  { snapshots }: Pick<Services, "snapshots">,
  histories: CallableHistories,
  isBusy: boolean,
  signal: AbortSignal,
): Scope {
  const folder = snapshotFolder(turn);
  const place = (): PlacedHotspot[] =>
    turnHotspots(part, turn, histories.get(part, turn), snapshots.get(turn)?.callables).map((hotspot) => ({
      ...hotspot,
      uri: vscode.Uri.file(path.join(folder, hotspot.callable.path)).toString(),
    }));
  const words = vscode.l10n.t("{0}, {1}", label, checkpointWords(turn.checkpoint));
  const hotspots = place();
  const { quality } = turn;
  if (quality === undefined) return { words, hotspots, empty: { message: unmeasuredWords(isBusy) } };
  const { totalFunctions, maxCc } = quality.totals;
  if (hotspots.length === 0) return { words, hotspots, empty: { message: noneWords(totalFunctions, maxCc) } };
  const count = snapshots.has(turn) ? 0 : totalFunctions - hotspots.length;
  const read = async (): Promise<PlacedHotspot[]> => {
    await snapshots.read(turn, signal);
    return place();
  };
  return { words, hotspots, unread: count > 0 ? { count, read } : undefined };
}

function unmeasuredWords(isBusy: boolean): string {
  return isBusy
    ? vscode.l10n.t("Measuring…")
    : vscode.l10n.t("This checkpoint has no snapshot with code that can be measured.");
}

/** Why code has no hotspots. @param maxCc the highest complexity in it */
export function noneWords(functions: number, maxCc: number): string {
  return functions === 0
    ? vscode.l10n.t("There is no callable in this code.")
    : vscode.l10n.t("No callable above CC 10; the highest has {0}.", maxCc);
}

/** The hotspots of the files that are open. @param isReady whether it is known which runs there are */
export function filesScope({ marks }: Pick<Services, "marks">, isReady: boolean): Scope {
  const files = vscode.workspace.textDocuments.flatMap((document) => {
    const result = document.isClosed ? undefined : marks.result(document);
    return result === undefined ? [] : [{ uri: document.uri.toString(), report: result.report }];
  });
  const [only] = files;
  if (only === undefined) return { words: "", hotspots: [], empty: withoutFiles(marks, isReady) };
  const name = path.posix.basename(vscode.Uri.parse(only.uri).path);
  const words = files.length === 1 ? name : vscode.l10n.t("{0} open files", files.length);
  const hotspots = fileHotspots(files);
  if (hotspots.length > 0) return { words, hotspots };
  const all = files.map(({ report }) => report.overall);
  const functions = all.reduce((sum, { totalFunctions }) => sum + totalFunctions, 0);
  const message = noneWords(functions, Math.max(...all.map(({ maxCc }) => maxCc)));
  return { words, hotspots, empty: { message } };
}

/** Why no file that is open has figures. */
function withoutFiles(marks: Services["marks"], isReady: boolean): NonNullable<Scope["empty"]> {
  const kinds = vscode.window.visibleTextEditors.map((editor) => marks.standing(editor).kind);
  if (kinds.includes("analysing")) return { message: vscode.l10n.t("Measuring…") };
  if (!isReady) return { message: vscode.l10n.t("Looking for runs…") };
  if (kinds.includes("off")) {
    return { message: vscode.l10n.t("Marks are off, so the open files are not measured.") };
  }
  return "nothing";
}
