import { l10n } from "vscode";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import { findSecrets } from "../../core/agent/program/secrets.js";
import type { AgentKeys } from "./agent-keys.js";
import type { AgentChoice } from "./plan.js";
import type { Choice, Questions } from "./questions.js";

/** An agent that is a program, with what was chosen for it. */
export type ProgramChoice = Extract<AgentChoice, { kind: "program" }>;

/**
 * Asks for what an agent needs besides a problem: model, thinking, and keys that are not set.
 * @returns undefined when the user left
 */
export async function chooseProgram(
  ask: Questions,
  definition: AgentDefinition,
  keys: AgentKeys,
): Promise<ProgramChoice | undefined> {
  const model = await chooseModelName(ask, definition);
  if (model === undefined) return undefined;
  const thinking = await chooseThinking(ask, definition);
  if (thinking === undefined) return undefined;
  if (!(await askMissing(ask, definition, keys))) return undefined;
  const chosen = {
    model: model === "" ? undefined : model,
    thinking: thinking === "" ? undefined : thinking,
  };
  return { kind: "program", definition, ...chosen, keys };
}

/** `key not set` where an agent cannot start without one; else empty. */
export async function keyWords(definition: AgentDefinition, keys: AgentKeys): Promise<string> {
  const { missing } = await findSecrets(definition, keys);
  return missing.length === 0 ? "" : l10n.t("asks for {0}", missing.map(([name]) => name).join(", "));
}

/** Empty for the program's own choice, which it has only where its file offers no models. */
async function chooseModelName(
  ask: Questions,
  { name, title, models, command }: AgentDefinition,
): Promise<string | undefined> {
  if (models.length === 0 && !command.includes("{model}")) return "";
  const another = "\0another";
  const offered = models.map((model) => ({ label: model, value: model }));
  const items: Choice<string>[] = [
    ...(offered.length > 0 ? offered : [{ label: l10n.t("The agent's own choice"), value: "" }]),
    { label: `$(edit) ${l10n.t("Another model…")}`, value: another },
  ];
  const step = l10n.t("Model");
  const chosen = await ask.pick(
    { id: `model:${name}`, step, placeHolder: l10n.t("Choose the model of {0}", title) },
    items,
  );
  if (chosen !== another) return chosen;
  const placeHolder = l10n.t("Name of the model, as {0} calls it", title);
  return ask.text({ id: `model-name:${name}`, step, placeHolder });
}

/** Empty for the program's own choice. */
async function chooseThinking(
  ask: Questions,
  { name, title, thinking }: AgentDefinition,
): Promise<string | undefined> {
  if (thinking.size === 0) return "";
  const items: Choice<string>[] = [
    { label: l10n.t("The agent's own choice"), value: "" },
    ...[...thinking.keys()].map((level) => ({ label: level, value: level })),
  ];
  const placeHolder = l10n.t("Choose how much {0} thinks", title);
  return ask.pick({ id: `thinking:${name}`, step: l10n.t("Thinking"), placeHolder }, items);
}

/** Asks for the keys of an agent that are not set. @returns whether all are there now */
export async function askMissing(
  ask: Questions,
  definition: AgentDefinition,
  keys: AgentKeys,
): Promise<boolean> {
  const { missing } = await findSecrets(definition, keys);
  for (const names of missing) {
    const name = await chooseName(ask, names, definition);
    if (name === undefined || !(await keys.ask(ask, name, definition.title))) return false;
  }
  return true;
}

async function chooseName(
  ask: Questions,
  names: readonly string[],
  { name, title }: AgentDefinition,
): Promise<string | undefined> {
  if (names.length < 2) return names[0];
  const items = names.map((key) => ({ label: `$(key) ${key}`, value: key }));
  const placeHolder = l10n.t("{0} needs one of these keys; none is set", title);
  return ask.pick({ id: `key-of:${name}`, step: l10n.t("Key"), placeHolder }, items);
}

/** Sets a key of an agent, or removes one that VS Code keeps. */
export async function changeAgentKey(
  ask: Questions,
  agents: readonly AgentDefinition[],
  keys: AgentKeys,
): Promise<void> {
  const names = new Map<string, string[]>();
  for (const { title, requiredSecrets, optionalSecrets } of agents) {
    for (const name of [...requiredSecrets.flat(), ...optionalSecrets]) {
      names.set(name, [...(names.get(name) ?? []), title]);
    }
  }
  const items = await Promise.all(
    [...names].map(async ([name, titles]): Promise<Choice<string>> => ({
      label: `$(key) ${name}`,
      description: await standing(name, keys),
      detail: titles.join(", "),
      value: name,
    })),
  );
  const placeHolder = l10n.t("Choose a key. Its value is never shown");
  const chosen = await ask.pick({ id: "changed-key", step: "", placeHolder }, items);
  if (chosen === undefined) return;
  const deed = (await keys.isStored(chosen)) ? await chooseDeed(ask, chosen) : "set";
  if (deed === "set") await keys.ask(ask, chosen, (names.get(chosen) ?? []).join(l10n.t(" or ")));
  if (deed === "remove") await keys.remove(chosen);
}

async function standing(name: string, keys: AgentKeys): Promise<string> {
  if (await keys.isStored(name)) return l10n.t("kept by VS Code");
  return (await keys.get(name)) === undefined ? l10n.t("not set") : l10n.t("from the environment");
}

async function chooseDeed(ask: Questions, name: string): Promise<"set" | "remove" | undefined> {
  const items: Choice<"set" | "remove">[] = [
    { label: `$(edit) ${l10n.t("Set a new value")}`, value: "set" },
    { label: `$(trash) ${l10n.t("Remove it")}`, value: "remove" },
  ];
  const placeHolder = l10n.t("VS Code keeps a value for {0}", name);
  return ask.pick({ id: "key-deed", step: name, placeHolder }, items);
}
