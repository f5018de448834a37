import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import { callableId } from "../../core/report/follow-callable.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { COMMANDS, PLAY_VIEW, VIEW_CONTAINER } from "../ids.js";
import { isFinished, turnOfFile, type RunPart } from "../library/state.js";
import { PlayHost } from "../play/host.js";
import type { PlaySource } from "../play/session.js";
import type { Feature, Services } from "../services.js";
import type { NodeTarget } from "../tree/node.js";
import { runDescription } from "../tree/run-rows.js";
import { registerCommands } from "./commands.js";
import { refuseGone } from "./still-there.js";
import { targetOf } from "./targets.js";

/** The run that comes with the sample, below the examples. */
const RECORDED_RUN = ["shelf-runs", "rotting"];

/** Play Trajectory, Play Growth, Stop Playing, and the view in the panel. */
export const playFeature: Feature = (services) => {
  const host = new PlayHost(services);
  const play = async (source: PlaySource | undefined): Promise<void> => {
    if (source === undefined) return;
    await refuseGone(services.library, source.run);
    await vscode.commands.executeCommand(`workbench.view.extension.${VIEW_CONTAINER}`);
    await host.play(source);
  };
  return vscode.Disposable.from(
    host,
    vscode.window.registerWebviewViewProvider(PLAY_VIEW, host),
    restored(services, host),
    registerCommands(services.errors, {
      [COMMANDS.playTrajectory]: async (value) => {
        await play(sourceOf(targetOf(value)) ?? (await choose(services)));
      },
      [COMMANDS.playGrowth]: async (value) => {
        await play(growthSource(services, targetOf(value)));
      },
      [COMMANDS.stopPlaying]: () => host.stop(),
    }),
  );
};

/** Goes on where the window was reloaded while something was played, once the runs have been looked for. */
function restored({ errors, library }: Services, host: PlayHost): vscode.Disposable {
  const end = new AbortController();
  const goOn = async (): Promise<void> => {
    // The search for runs begins when all features are there.
    await Promise.resolve();
    await library.settled;
    if (!end.signal.aborted) await host.restore();
  };
  void errors.guard("Play", goOn);
  return new vscode.Disposable(() => {
    end.abort();
  });
}

/** What a run's or a checkpoint's row plays. */
function sourceOf(target: NodeTarget | undefined): PlaySource | undefined {
  if (target?.kind === "run") return wholeOf(target);
  if (target?.kind !== "checkpoint" || target.run === undefined || target.turn === undefined)
    return undefined;
  const { order, problem } = target.turn;
  return { ...wholeOf({ run: target.run, part: { problem } }), order };
}

function wholeOf({
  run,
  part,
}: {
  readonly run: Pick<Run, "folder">;
  readonly part: Pick<ProblemRun, "problem">;
}): PlaySource {
  const { folder } = run;
  return { run: folder, problem: part.problem, order: undefined, callable: undefined, mode: "changes" };
}

/** A hotspot of a snapshot: the callable is followed, from the checkpoint on at which it first exists. */
function growthSource({ library }: Services, target: NodeTarget | undefined): PlaySource | undefined {
  if (target?.kind !== "callable") return undefined;
  const found = turnOfFile(library.state, vscode.Uri.parse(target.file, true).fsPath);
  if (found === undefined) return undefined;
  const callable = { order: found.turn.order, id: callableId(target.callable) };
  return { ...wholeOf(found), callable };
}

interface Item extends vscode.QuickPickItem {
  readonly entry: RunPart;
}

/** The selected run, the only one, or the one that the user picks; the recorded one of the sample where there is none. */
async function choose({ library, files }: Services): Promise<PlaySource | undefined> {
  const entries = playable(library.state.runs.flatMap((run) => run.problems.map((part) => ({ run, part }))));
  const selected = entries.filter(({ run }) => run.folder === library.state.selectedRun);
  const [only] = selected.length === 1 ? selected : entries;
  if (only !== undefined && (selected.length === 1 || entries.length === 1)) return wholeOf(only);
  if (entries.length === 0) return recorded(await library.open(path.join(files.examples, ...RECORDED_RUN)));
  const items = entries.map((entry): Item => ({
    label: attemptLabel(entry.run),
    description: `${entry.part.problem} · ${runDescription(entry.run, entry.part, library.state.measuring)}`,
    detail: entry.run.folder,
    entry,
  }));
  const options = { title: vscode.l10n.t("Play Trajectory"), matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(items, options);
  return chosen && wholeOf(chosen.entry);
}

function playable(entries: readonly RunPart[]): RunPart[] {
  return entries.filter(({ part }) => part.turns.some(isFinished));
}

function recorded(run: RunPart["run"]): PlaySource {
  const [part] = run.problems;
  if (part !== undefined) return wholeOf({ run, part });
  throw new SlopLensError(
    "run-folder",
    vscode.l10n.t("The recorded run is missing"),
    vscode.l10n.t("Install Slop Lens again."),
  );
}
