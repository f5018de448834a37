import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { Problem } from "../../core/model/problem.js";
import type { UnfinishedQueue } from "../../core/queue/queue-file.js";
import type { QueueStart } from "../../core/queue/queue-start.js";
import { COMMANDS, CONTEXT_KEYS } from "../ids.js";
import { queues } from "../product.js";
import { agentHost, type AgentHost } from "../run/agent-host.js";
import { placeOf, refuseUntrusted } from "../run/choose.js";
import { askMissing } from "../run/choose-program.js";
import { queueLines, unfinishedCount } from "../run/queue-words.js";
import { Questions } from "../run/questions.js";
import { queuedPlan } from "../run/queued-plan.js";
import type { Feature, Services } from "../services.js";
import { runSettings } from "../settings.js";
import { runCount } from "../words.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

/** Of which queue the user was told already, so that nobody is told twice. */
const TOLD = "slopLens.toldQueue";

/** Offers to go on with queues that an earlier window left: Resume Interrupted Queue…, Discard Interrupted Queue…. */
export const keptQueueCommands: Feature = (services) => {
  const { errors, keptQueues, runner } = services;
  const look = (): Promise<void> => keptQueues.look(runsFolders());
  const stop = keptQueues.onDidChange(() => {
    const [first] = keptQueues.queues;
    void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.keptQueue, first !== undefined);
    if (first !== undefined) void offer(services, first);
  });
  // What failed in a queue of this window can be gone on with, too.
  runner.onQueueEnd = () => void look();
  void errors.guard("Looking for queues", look);
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => void look()),
    registerCommands(errors, {
      [COMMANDS.resumeKeptQueue]: async (value) => {
        const found = queueOf(services, value);
        if (found !== undefined) await resume(services, found);
      },
      [COMMANDS.discardKeptQueue]: async (value) => {
        const found = queueOf(services, value);
        if (found !== undefined && (await discard(found))) await look();
      },
    }),
    {
      dispose: () => {
        stop();
      },
    },
  );
};

/** Where the runs of the window's folders are written to. */
function runsFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders
    .filter(({ uri }) => uri.scheme === "file")
    .map(({ uri }) => path.resolve(uri.fsPath, runSettings(uri).runsFolder));
}

function queueOf({ keptQueues }: Services, value: unknown): UnfinishedQueue | undefined {
  const target = targetOf(value);
  const wanted = target?.kind === "keptQueue" ? target.file : undefined;
  return keptQueues.queues.find(({ file }) => wanted === undefined || file === wanted);
}

/** Says it once for each queue; its row stays in the Runs view. */
async function offer({ context, runner }: Services, found: UnfinishedQueue): Promise<void> {
  const { workspaceState } = context;
  if (workspaceState.get(TOLD) === found.file || runner.hasKept(found.file)) return;
  await workspaceState.update(TOLD, found.file);
  const resumeIt = vscode.l10n.t("Show Plan…");
  const { left, all } = unfinishedCount(found);
  const text = vscode.l10n.t("A queue did not finish: {0} of {1} left.", left, runCount(all));
  const chosen = await vscode.window.showInformationMessage(text, resumeIt);
  if (chosen === resumeIt) await vscode.commands.executeCommand(COMMANDS.resumeKeptQueue);
}

async function resume(services: Services, found: UnfinishedQueue): Promise<void> {
  refuseUntrusted();
  const { keptQueues, runner } = services;
  const problems = found.queue.plan.problems.map((folder) => problemIn(services, folder));
  const start = await queues.goOn(found, problems);
  const [first] = start.items;
  if (first === undefined) return;
  const { left, all } = unfinishedCount(found);
  const go = vscode.l10n.t("Resume");
  const question = vscode.l10n.t("Resume the queue? {0} of {1} left.", left, runCount(all));
  const detail = queueLines(start.earlier).join("\n");
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, go);
  if (chosen !== go || !(await hasKeys(services, start))) return;
  const capacity = await runner.capacityFor(queuedPlan(start.plan, first, services.keys));
  const jobs = start.plan.jobs ?? 1;
  void runner.startQueues([start], { jobs, memoryBytes: capacity.memoryBytes });
  await keptQueues.look(runsFolders());
}

function problemIn({ library }: Services, folder: string): Problem {
  const pack = library.state.packs.find((one) => one.folder === folder);
  if (pack?.problem !== undefined) return pack.problem;
  const hint = vscode.l10n.t("Open the folder that holds the pack.");
  throw new SlopLensError("bad-input", vscode.l10n.t("The pack {0} is not in this window", folder), hint);
}

/** Asks for keys that are not set. */
async function hasKeys(services: Services, { plan, items }: QueueStart): Promise<boolean> {
  const [problem] = items.map((item) => item.plan.problem);
  const named = plan.agents.flatMap(({ source }) => (source.kind === "named" ? [source.agent] : []));
  if (problem === undefined || named.length === 0) return true;
  const host = agentHost(services);
  const title = vscode.l10n.t("Resume Queue");
  const answered = await Questions.ask(title, services.context.globalState, (ask) =>
    haveAll(ask, host, placeOf(problem).base, named),
  );
  return answered === true;
}

async function haveAll(
  ask: Questions,
  host: AgentHost,
  base: string,
  named: readonly string[],
): Promise<boolean> {
  const agents = await host.agentsIn(base);
  for (const name of named) {
    const definition = agents.find((agent) => agent.name === name || agent.file === name);
    if (definition !== undefined && !(await askMissing(ask, definition, host.keys))) return false;
  }
  return true;
}

async function discard(found: UnfinishedQueue): Promise<boolean> {
  const remove = vscode.l10n.t("Discard");
  const { left } = unfinishedCount(found);
  const question = vscode.l10n.t("Discard what is left of the queue?");
  const detail = vscode.l10n.t("{0} will not be taken. The run folders stay.", runCount(left));
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, remove);
  if (chosen !== remove) return false;
  await queues.cancel(found);
  return true;
}
