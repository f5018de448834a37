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
import { plural, startWords } from "../words.js";
import type { AgentHost } from "./agent-host.js";
import { chooseProgram } from "./choose-program.js";
import { chooseModel, modelsOfEditor } from "./choose-model.js";
import { choosePolicy } from "./choose-policy.js";
import { pick, type Choice } from "./pick.js";
import type { AgentChoice, RunPlan } from "./plan.js";

/**
 * Asks for what a run needs: problem, then agent, then policy.
 * @param asked the problem if the user chose it already
 * @returns undefined when the user left
 * @throws SlopLensError untrusted, bad-input when there is nothing to run
 */
export async function chooseRun(
  state: LibraryState,
  asked: Problem | undefined,
  host: AgentHost,
): Promise<RunPlan | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new SlopLensError("untrusted", "In Restricted Mode nothing is run", "Trust this folder first.");
  }
  const problem = asked ?? (await chooseProblem(state));
  if (problem === undefined) return undefined;
  const { base, settings } = placeOf(problem);
  const agent = await chooseAgent(state, problem, settings.agentCommand, host, base);
  if (agent === undefined) return undefined;
  const policy = await choosePolicy(base, settings.agentTimeoutSeconds);
  return policy === undefined ? undefined : planOf(problem, agent, policy);
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

async function chooseProblem(state: LibraryState): Promise<Problem | undefined> {
  const items = state.packs.flatMap(({ problem }): Choice<Problem>[] => {
    if (problem === undefined) return [];
    const description = plural(problem.checkpoints.length, "checkpoint");
    return [
      {
        label: `$(package) ${problem.name}`,
        description,
        detail: problem.description.trim(),
        value: problem,
      },
    ];
  });
  if (items.length === 0) {
    const sample = "Open the Sample";
    const chosen = await vscode.window.showInformationMessage(
      "There is no problem to run in this window. Open a folder that holds problem packs.",
      sample,
    );
    if (chosen === sample) await vscode.commands.executeCommand(COMMANDS.openSample);
    return undefined;
  }
  return (await pick(items, "Run Trajectory: Problem", "Choose a problem"))?.value;
}

type AgentKind = Exclude<AgentChoice["kind"], "program"> | AgentDefinition;

/** Asks who solves a problem. @returns undefined when the user left */
export async function chooseAgent(
  state: LibraryState,
  problem: Problem,
  command: string | undefined,
  host: AgentHost,
  base: string,
): Promise<AgentChoice | undefined> {
  const items: Choice<AgentKind>[] = [
    {
      label: "$(history) Replay a recording or run…",
      description: "snapshots that were taken earlier",
      value: "folder",
    },
    {
      label: "$(terminal) Command from setting",
      description: command ?? "not set yet",
      value: "command",
    },
  ];
  if (await isFolder(path.join(problem.folder, "solutions"))) {
    items.unshift({
      label: "$(verified) Replay reference solution",
      description: "the solutions of the pack",
      value: "solutions",
    });
  }
  const models = await modelsOfEditor();
  items.push(...modelItems(models), ...programItems(await host.agentsIn(base), base));
  const hint = models.length > 0 ? "" : "; models are listed once VS Code has one";
  const chosen = await pick(items, "Run Trajectory: Agent", `Choose who solves ${problem.name}${hint}`);
  if (chosen === undefined) return undefined;
  switch (chosen.value) {
    case "solutions":
      return { kind: "solutions" };
    case "folder":
      return chooseFolder(state, problem);
    case "model":
      return chooseModel(models);
    case "command":
      return chooseCommand(command);
    default:
      return chooseProgram(chosen.value, host.keys);
  }
}

function programItems(agents: readonly AgentDefinition[], base: string): Choice<AgentKind>[] {
  return agents.map((agent) => {
    const origin = agent.file.startsWith(base + path.sep) ? ".slop-lens/agents" : "";
    const description = [agent.version ?? "from the image", origin].filter(Boolean).join(" · ");
    return { label: `$(robot) ${agent.title}`, description, value: agent };
  });
}

function modelItems(models: readonly vscode.LanguageModelChat[]): Choice<AgentKind>[] {
  if (models.length === 0) return [];
  const description = plural(models.length, "model");
  return [{ label: "$(sparkle) Model in VS Code…", description, value: "model" }];
}

async function chooseCommand(command: string | undefined): Promise<AgentChoice | undefined> {
  if (command !== undefined) return { kind: "command", command };
  const open = "Open Settings";
  const chosen = await vscode.window.showInformationMessage("No agent command is set.", open);
  if (chosen === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", SETTINGS.agentCommand);
  }
  return undefined;
}

async function chooseFolder(state: LibraryState, problem: Problem): Promise<AgentChoice | undefined> {
  const recordings = (await recordingsOf(problem)).map((folder): Choice<string> => ({
    label: `$(archive) ${path.basename(folder)}`,
    description: "recording",
    value: folder,
  }));
  const runs = runsOf(state, problem.name)
    .filter(({ run }) => run.state !== "running")
    .map(({ run }): Choice<string> => ({
      label: `$(graph-line) ${runLabel(run)}`,
      description: startWords(run.startedAt),
      value: run.folder,
    }));
  const browse: Choice<string> = { label: "$(folder-opened) Another folder…", value: "" };
  const chosen = await pick(
    [...recordings, ...runs, browse],
    "Run Trajectory: Replay",
    "Choose what to replay",
  );
  if (chosen === undefined) return undefined;
  const folder = chosen.value === "" ? await browseFolder() : chosen.value;
  return folder === undefined ? undefined : { kind: "folder", folder };
}

async function browseFolder(): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: "Replay",
    title: "A run folder, or a folder with checkpoint_1, checkpoint_2, …",
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
