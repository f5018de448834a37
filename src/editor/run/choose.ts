import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { RunPolicy } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import { COMMANDS, SETTINGS } from "../ids.js";
import { runsOf, type LibraryState } from "../library/state.js";
import { runSettings } from "../settings.js";
import { runLabel } from "../../core/report/run-label.js";
import { checkpointCount, startWords } from "../words.js";
import type { AgentHost } from "./agent-host.js";
import { chooseProgram, keyWords } from "./choose-program.js";
import { chooseModel, modelsOfEditor } from "./choose-model.js";
import { choosePolicy } from "./choose-policy.js";
import type { AgentChoice, RunPlan } from "./plan.js";
import type { Choice, Questions } from "./questions.js";

/** What a flow of questions needs to know of its window. */
export interface RunChoices {
  readonly ask: Questions;
  readonly state: LibraryState;
  readonly host: AgentHost;
}

/**
 * Asks for what a run needs: problem, then agent, then policy.
 * @param asked the problem if the user chose it already
 * @returns undefined when the user left
 * @throws SlopLensError untrusted, bad-input when there is nothing to run
 */
export async function chooseRun(
  choices: RunChoices,
  asked: Problem | undefined,
): Promise<RunPlan | undefined> {
  refuseUntrusted();
  const problem = asked ?? (await chooseProblem(choices));
  if (problem === undefined) return undefined;
  const { base, settings } = placeOf(problem);
  const agent = await chooseAgent(choices, problem);
  if (agent === undefined) return undefined;
  const policy = await choosePolicy(choices.ask, { base, seconds: settings.agentTimeoutSeconds });
  return policy === undefined ? undefined : planOf(problem, agent, policy);
}

/** @throws SlopLensError untrusted */
export function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new SlopLensError(
    "untrusted",
    vscode.l10n.t("In Restricted Mode nothing is run"),
    vscode.l10n.t("Trust this folder first."),
  );
}

/** A run of a problem by the settings that hold for its pack. */
export function planOf(problem: Problem, agent: AgentChoice, policy: RunPolicy): RunPlan {
  const { base, settings, environment } = placeOf(problem);
  return {
    problem,
    agent,
    policy,
    environment,
    base,
    runsFolder: path.resolve(base, settings.runsFolder),
    promptTemplate: fileOrName(settings.promptTemplate, base),
    settings,
  };
}

/** Where a problem's code runs, by the settings that hold for its pack; relative paths of theirs start at `base`. */
export function placeOf(
  problem: Problem,
): Pick<RunPlan, "environment" | "settings"> & { readonly base: string } {
  const uri = vscode.Uri.file(problem.folder);
  const settings = runSettings(uri);
  const base = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(problem.folder);
  return { base, settings, environment: fileOrName(settings.environment, base) };
}

/** A setting that is a name or a path; a path is told by its separators or its ending. */
function fileOrName(value: string, base: string): string {
  return /[\\/]|\.(ya?ml|jinja2?)$/.test(value) ? path.resolve(base, value) : value;
}

async function chooseProblem({ ask, state }: RunChoices): Promise<Problem | undefined> {
  const items = problemItems(state);
  if (items.length === 0) {
    await sayNoProblem();
    return undefined;
  }
  const step = vscode.l10n.t("Problem");
  return ask.pick({ id: "problem", step, placeHolder: vscode.l10n.t("Choose a problem") }, items);
}

/** Says that there is nothing to run, with a way on. */
export async function sayNoProblem(): Promise<void> {
  const sample = vscode.l10n.t("Open the Sample");
  const text = vscode.l10n.t(
    "There is no problem to run in this window. Open a folder that holds problem packs.",
  );
  const chosen = await vscode.window.showInformationMessage(text, sample);
  if (chosen === sample) await vscode.commands.executeCommand(COMMANDS.openSample);
}

/** The problems of a window that can be read. */
export function problemItems({ packs }: LibraryState): Choice<Problem>[] {
  return packs.flatMap(({ problem }): Choice<Problem>[] => {
    if (problem === undefined) return [];
    const description = checkpointCount(problem.checkpoints.length);
    const detail = problem.description.trim();
    return [{ label: `$(package) ${problem.name}`, description, detail, value: problem }];
  });
}

type AgentKind = Exclude<AgentChoice["kind"], "program" | "source"> | AgentDefinition;

/** Asks who solves a problem. @returns undefined when the user left */
export async function chooseAgent(choices: RunChoices, problem: Problem): Promise<AgentChoice | undefined> {
  const { ask, host } = choices;
  const { base, settings } = placeOf(problem);
  const command = settings.agentCommand;
  const models = await modelsOfEditor();
  const items: Choice<AgentKind>[] = [
    ...((await isFolder(path.join(problem.folder, "solutions"))) ? [solutionsItem()] : []),
    ...(await programItems(host, base)),
    ...modelItems(models),
    {
      label: `$(terminal) ${vscode.l10n.t("Command from setting")}`,
      description: command ?? vscode.l10n.t("not set yet"),
      value: "command",
    },
    {
      label: `$(history) ${vscode.l10n.t("Replay a recording or run…")}`,
      description: vscode.l10n.t("snapshots that were taken earlier"),
      value: "folder",
    },
  ];
  const who = vscode.l10n.t("Choose who solves {0}", problem.name);
  const placeHolder =
    models.length > 0 ? who : vscode.l10n.t("{0}; models are listed once VS Code has one", who);
  const chosen = await ask.pick({ id: "agent", step: vscode.l10n.t("Agent"), placeHolder }, items);
  switch (chosen) {
    case undefined:
      return undefined;
    case "solutions":
      return { kind: "solutions" };
    case "folder":
      return chooseFolder(choices, problem);
    case "model":
      return chooseModel(ask, models);
    case "command":
      return chooseCommand(command);
    default:
      return chooseProgram(ask, chosen, host.keys);
  }
}

/** The entry for a pack's own solutions. */
export function solutionsItem(): Choice<"solutions"> {
  return {
    label: `$(verified) ${vscode.l10n.t("Replay reference solution")}`,
    description: vscode.l10n.t("the solutions of the pack"),
    value: "solutions",
  };
}

/** The agents that are programs, with what they will ask for. */
export async function programItems(host: AgentHost, base: string): Promise<Choice<AgentDefinition>[]> {
  const agents = await host.agentsIn(base);
  return Promise.all(
    agents.map(async (agent) => {
      const origin = agent.file.startsWith(base + path.sep) ? ".slop-lens/agents" : "";
      const version = agent.version ?? vscode.l10n.t("from the image");
      const description = [version, origin, await keyWords(agent, host.keys)].filter(Boolean).join(" · ");
      return { label: `$(robot) ${agent.title}`, description, value: agent };
    }),
  );
}

function modelItems(models: readonly vscode.LanguageModelChat[]): Choice<AgentKind>[] {
  if (models.length === 0) return [];
  const count = models.length;
  const description = count === 1 ? vscode.l10n.t("1 model") : vscode.l10n.t("{0} models", count);
  return [{ label: `$(sparkle) ${vscode.l10n.t("Model in VS Code…")}`, description, value: "model" }];
}

async function chooseCommand(command: string | undefined): Promise<AgentChoice | undefined> {
  if (command !== undefined) return { kind: "command", command };
  const open = vscode.l10n.t("Open Settings");
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t("No agent command is set."), open);
  if (chosen === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", SETTINGS.agentCommand);
  }
  return undefined;
}

async function chooseFolder({ ask, state }: RunChoices, problem: Problem): Promise<AgentChoice | undefined> {
  const recordings = (await recordingsOf(problem)).map((folder): Choice<string> => ({
    label: `$(archive) ${path.basename(folder)}`,
    description: vscode.l10n.t("recording"),
    value: folder,
  }));
  const runs = runsOf(state, problem.name)
    .filter(({ run }) => run.state !== "running")
    .map(({ run }): Choice<string> => ({
      label: `$(graph-line) ${runLabel(run)}`,
      description: startWords(run.startedAt),
      value: run.folder,
    }));
  const browse: Choice<string> = {
    label: `$(folder-opened) ${vscode.l10n.t("Another folder…")}`,
    value: "",
  };
  const chosen = await ask.pick(
    {
      id: "replayed",
      step: vscode.l10n.t("Replay"),
      placeHolder: vscode.l10n.t("Choose what to replay"),
    },
    [...recordings, ...runs, browse],
  );
  const folder = chosen === "" ? await browseFolder() : chosen;
  return folder === undefined ? undefined : { kind: "folder", folder };
}

async function browseFolder(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: vscode.l10n.t("Replay"),
    title: vscode.l10n.t("A run folder, or a folder with checkpoint_1, checkpoint_2, …"),
  });
  return chosen?.[0]?.fsPath;
}

/** Recordings that lie with a pack: `recordings/<name>/checkpoint_1` in it, `<pack>-recordings/<name>/…` beside it. */
async function recordingsOf(problem: Problem): Promise<string[]> {
  const places = [path.join(problem.folder, "recordings"), `${problem.folder}-recordings`];
  const candidates = (await Promise.all(places.map(foldersIn))).flat();
  const first = problem.checkpoints[0]?.name ?? "";
  const fits = await Promise.all(candidates.map((folder) => isFolder(path.join(folder, first))));
  return candidates.filter((_, index) => fits[index]);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
}

async function isFolder(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true;
}
