import * as vscode from "vscode";
import { COMMANDS, VIEW_CONTAINER } from "../ids.js";
import type { Problem } from "../../core/model/problem.js";
import { queues } from "../product.js";
import { agentHost } from "../run/agent-host.js";
import { askTo } from "../run/ask-to.js";
import { changeAgentKey } from "../run/choose-program.js";
import { chooseRun } from "../run/choose.js";
import { chooseSeveral } from "../run/choose-several.js";
import type { Feature, Services } from "../services.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

/** Run Trajectory…, Run Several…, what is done with the queue, Cancel Run, Set Agent Key…, Show Log. */
export const runCommands: Feature = (services) => {
  const { errors, runner, log } = services;
  return registerCommands(errors, {
    [COMMANDS.runTrajectory]: async (value, selected) => {
      const several = problemsOf(selected);
      if (several.length > 1) return runSeveral(services, several);
      const target = targetOf(value);
      const asked = target?.kind === "problem" ? target.problem : undefined;
      const plan = await askTo(services, vscode.l10n.t("Run Trajectory"), (choices) =>
        chooseRun(choices, asked),
      );
      if (plan === undefined) return;
      await vscode.commands.executeCommand(`workbench.view.extension.${VIEW_CONTAINER}`);
      // Not awaited: the command is done when the run is on its way, and the runner says how it ends.
      void runner.start(plan);
    },
    [COMMANDS.runSeveral]: (_value, selected) => runSeveral(services, problemsOf(selected)),
    [COMMANDS.pauseQueue]: () => {
      runner.pause();
    },
    [COMMANDS.resumeQueue]: () => {
      runner.resume();
    },
    [COMMANDS.cancelQueue]: () => {
      runner.cancelAll();
    },
    [COMMANDS.cancelQueueItem]: (value) => {
      const target = targetOf(value);
      if (target?.kind === "queueItem") runner.cancel(target.id);
    },
    [COMMANDS.cancelRun]: () => {
      runner.cancelAll();
    },
    [COMMANDS.setAgentKey]: async () => {
      const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
      const host = agentHost(services);
      const places = folders.length === 0 ? [undefined] : folders.map(({ uri }) => uri.fsPath);
      const agents = (await Promise.all(places.map(host.agentsIn))).flat();
      await askTo(services, vscode.l10n.t("Set Agent Key"), ({ ask }) =>
        changeAgentKey(ask, agents, host.keys),
      );
    },
    [COMMANDS.showLog]: () => {
      log.show(true);
    },
  });
};

async function runSeveral(services: Services, problems: readonly Problem[]): Promise<void> {
  const { runner } = services;
  const chosen = await askTo(services, vscode.l10n.t("Run Several"), (choices) =>
    chooseSeveral(choices, problems, runner),
  );
  if (chosen === undefined) return;
  const { jobs, capacity } = chosen;
  const starts = await Promise.all(chosen.queues.map((queue) => queues.begin(queue.plan, queue.problems)));
  await vscode.commands.executeCommand(`workbench.view.extension.${VIEW_CONTAINER}`);
  void runner.startQueues(starts, { jobs, memoryBytes: capacity.memoryBytes });
}

/** The problems among the rows that are selected together. */
function problemsOf(selected: unknown): Problem[] {
  const targets = Array.isArray(selected) ? selected.map(targetOf) : [];
  return targets.flatMap((target) => (target?.kind === "problem" ? [target.problem] : []));
}
