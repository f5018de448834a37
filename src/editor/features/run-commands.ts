import * as vscode from "vscode";
import { COMMANDS, VIEW_CONTAINER } from "../ids.js";
import { chooseRun } from "../run/choose.js";
import type { Feature } from "../services.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

/** Run Trajectory…, Cancel Run, Show Log, Refresh. */
export const runCommands: Feature = ({ errors, library, runner, log }) =>
  registerCommands(errors, {
    [COMMANDS.runTrajectory]: async (value) => {
      const target = targetOf(value);
      const plan = await chooseRun(library.state, target?.kind === "problem" ? target.problem : undefined);
      if (plan === undefined) return;
      await vscode.commands.executeCommand(`workbench.view.extension.${VIEW_CONTAINER}`);
      // Not awaited: the command is done when the run is on its way, and the runner says how it ends.
      void runner.start(plan);
    },
    [COMMANDS.cancelRun]: () => {
      runner.cancelAll();
    },
    [COMMANDS.showLog]: () => {
      log.show(true);
    },
  });
