import path from "node:path";
import * as vscode from "vscode";
import { SHIPPED_RULES, type RuleChoice } from "../core/analysis/analysis.js";
import { DEFAULT_PROFILE, PROFILES, type Profile } from "../core/model/quality.js";
import { SETTINGS, type SettingKey } from "./ids.js";
import { MARK_KINDS, type MarkKind, type MarkKinds } from "./marks/kinds.js";
import { hasFormOf } from "./setting-values.js";

/** A setting's value; its default where what stands there has another form than `fallback`. */
function read<T>(key: SettingKey, fallback: T, scope?: vscode.ConfigurationScope): T {
  const settings = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const values = [settings.get<unknown>(key), settings.inspect(key)?.defaultValue];
  return values.find((value): value is T => hasFormOf(value, fallback)) ?? fallback;
}

/** A text setting without surrounding space; undefined when it is empty. */
function text(key: SettingKey, scope?: vscode.ConfigurationScope): string | undefined {
  const value = read(key, "", scope).trim();
  return value === "" ? undefined : value;
}

/** A setting that somebody set, in the narrowest place where it is set; undefined where only its default holds. */
function chosenNumber(key: SettingKey, scope: vscode.ConfigurationScope | undefined): number | undefined {
  const found = vscode.workspace.getConfiguration(undefined, scope ?? null).inspect<number>(key);
  const chosen = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
  return hasFormOf(chosen, 0) ? chosen : undefined;
}

export interface RunSettings {
  /** `docker`, `local`, or the path of an environment YAML. */
  readonly environment: string;
  readonly dockerHost: string | undefined;
  readonly dockerImage: string | undefined;
  readonly agentCommand: string | undefined;
  /** Undefined where nobody set it, so that the policy's own holds; 0 means no limit. */
  readonly agentTimeoutSeconds: number | undefined;
  readonly promptTemplate: string;
  readonly runsFolder: string;
  readonly pythonPath: string;
  readonly profile: Profile;
}

/** Settings of a new run, as they hold for a folder. */
export function runSettings(scope: vscode.Uri | undefined): RunSettings {
  return {
    environment: text(SETTINGS.environment, scope) ?? "docker",
    dockerHost: text(SETTINGS.dockerHost, scope),
    dockerImage: text(SETTINGS.dockerImage, scope),
    agentCommand: text(SETTINGS.agentCommand, scope),
    agentTimeoutSeconds: chosenNumber(SETTINGS.agentTimeoutSeconds, scope),
    promptTemplate: text(SETTINGS.promptTemplate, scope) ?? "just-solve",
    runsFolder: text(SETTINGS.runsFolder, scope) ?? "runs",
    pythonPath: text(SETTINGS.pythonPath, scope) ?? "python3",
    profile: profileChoice(scope),
  };
}

/** Which marks a document has; undefined when marks are off. */
export function markKinds(document: vscode.TextDocument): MarkKinds | undefined {
  if (!read<boolean>(SETTINGS.marksEnabled, true, document)) return undefined;
  return chosenKinds(document);
}

/** What is chosen to be marked, whether marks are on or off. */
export function chosenKinds(document: vscode.TextDocument | undefined): MarkKinds {
  const chosen = read<Partial<MarkKinds>>(SETTINGS.marksShow, {}, document);
  const isOn = (kind: MarkKind): boolean => chosen[kind] === true;
  return Object.fromEntries(MARK_KINDS.map((kind) => [kind, isOn(kind)])) as MarkKinds;
}

/** Chooses what is marked, where the user last said so. */
export async function chooseKinds(kinds: MarkKinds): Promise<void> {
  const target = isSetInWorkspace(SETTINGS.marksShow)
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(SETTINGS.marksShow, kinds, target);
}

/** Turns marks on or off for a language, for the user. */
export async function markLanguage(languageId: string, on: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration(undefined, { languageId });
  await settings.update(SETTINGS.marksEnabled, on, vscode.ConfigurationTarget.Global, true);
}

/** Switches a rule off for the workspace, or for the user where none is open. */
export async function switchRuleOff(rule: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  const isOpen = vscode.workspace.workspaceFolders !== undefined;
  const target = isOpen ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const off = read<string[]>(SETTINGS.rulesOff, []);
  await settings.update(SETTINGS.rulesOff, [...new Set([...off, rule])], target);
}

function isSetInWorkspace(key: SettingKey): boolean {
  return vscode.workspace.getConfiguration().inspect(key)?.workspaceValue !== undefined;
}

/** The release of the definitions that numbers of a place follow. */
export function profileChoice(scope: vscode.ConfigurationScope | undefined): Profile {
  const chosen = read<string>(SETTINGS.profile, DEFAULT_PROFILE, scope);
  return PROFILES.find((profile) => profile === chosen) ?? DEFAULT_PROFILE;
}

/** The rules that a file or folder is measured by; none of the workspace's own while it is not trusted. */
export function ruleChoice(place: vscode.Uri): RuleChoice {
  const isShipped = read<boolean>(SETTINGS.rulesShipped, true, place);
  const folders = vscode.workspace.isTrusted ? read<string[]>(SETTINGS.rulesFolders, [], place) : [];
  const { uri } = vscode.workspace.getWorkspaceFolder(place) ?? vscode.workspace.workspaceFolders?.[0] ?? {};
  // A workspace that lies on no disk has no folders of rules.
  const root = uri?.scheme === "file" ? uri.fsPath : undefined;
  const isPlace = (folder: string): boolean => root !== undefined || path.isAbsolute(folder);
  return {
    folders: isShipped ? SHIPPED_RULES.folders : [],
    added: folders.filter(isPlace).map((folder) => path.resolve(root ?? "", folder)),
    off: read<string[]>(SETTINGS.rulesOff, [], place),
  };
}

/** How a spec is opened. */
export function openSpecAs(): "preview" | "source" {
  return read<"preview" | "source">(SETTINGS.openSpecAs, "preview");
}

/** Whether the sources of hidden tests stay out of sight. */
export function hideTests(): boolean {
  return read(SETTINGS.hideTests, false);
}

/** Whether outcomes are shown in VS Code's Testing view too. */
export function testingView(): boolean {
  return read(SETTINGS.testingView, false);
}

/** Whether marks are on, but for languages for which they are turned off. */
export function areMarksOn(): boolean {
  return read(SETTINGS.marksEnabled, true);
}

/** Turns all marks on or off for the user. */
export async function toggleMarks(): Promise<boolean> {
  const on = !areMarksOn();
  const target = isSetInWorkspace(SETTINGS.marksEnabled)
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration().update(SETTINGS.marksEnabled, on, target);
  return on;
}
