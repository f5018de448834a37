import path from "node:path";
import * as vscode from "vscode";
import type { Run } from "../../core/model/run.js";
import { COMMANDS } from "../ids.js";
import { isFinished } from "../library/state.js";
import type { Feature, Services } from "../services.js";
import type { NodeTarget } from "../tree/node.js";

/** The window before may still be ending its runs: how often, and after how many milliseconds, to look again. */
const LOOKS = 6;
const LOOK_AGAIN = 2500;

/** Offers, once, to go on with a run that was in progress when the window before was closed. */
export const interruptedRuns: Feature = (services) => {
  const { library, runsAtWork } = services;
  let looks = LOOKS;
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = (runs: readonly Run[]): void => {
    if (timer !== undefined || runs.length === 0 || looks === 0) return;
    looks -= 1;
    timer = setTimeout(() => {
      timer = undefined;
      const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
      void library.update(new Set(runs.map(({ folder }) => path.join(folder, "slop-lens.json"))), folders);
    }, LOOK_AGAIN);
  };
  const stop = library.onDidChange(({ runs }) => {
    const { interrupted, ending, over } = runsAtWork.left(runs);
    for (const { folder } of [...interrupted, ...over]) void runsAtWork.end(folder);
    for (const run of interrupted) void offer(services, run);
    lookAgain(ending);
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    stop();
  });
};

async function offer({ errors }: Services, run: Run): Promise<void> {
  const [part] = run.problems;
  if (part === undefined) return;
  const done = part.turns.filter(isFinished).length;
  const show = vscode.l10n.t("Show Plan…");
  const text = vscode.l10n.t(
    "The run of {0} did not finish: {1} of {2} checkpoints done.",
    part.problem,
    done,
    part.turns.length,
  );
  const chosen = await vscode.window.showInformationMessage(text, show);
  if (chosen !== show) return;
  const target: NodeTarget = { kind: "run", run, part };
  await errors.guard("Resume", () => vscode.commands.executeCommand(COMMANDS.resumeRun, target));
}
