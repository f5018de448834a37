import * as vscode from "vscode";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import { findSecrets } from "../../core/agent/program/secrets.js";
import type { AgentKeys } from "./agent-keys.js";
import { pick, type Choice } from "./pick.js";
import type { AgentChoice } from "./plan.js";

/**
 * Asks for what an agent needs besides a problem: model, thinking, and keys that are not set.
 * @returns undefined when the user left
 */
export async function chooseProgram(
  definition: AgentDefinition,
  keys: AgentKeys,
): Promise<AgentChoice | undefined> {
  const model = await chooseModelName(definition);
  if (model === undefined) return undefined;
  const thinking = await chooseThinking(definition);
  if (thinking === undefined) return undefined;
  if (!(await askMissing(definition, keys))) return undefined;
  const chosen = {
    model: model === "" ? undefined : model,
    thinking: thinking === "" ? undefined : thinking,
  };
  return { kind: "program", definition, ...chosen, keys };
}

/** Empty for the program's own choice, which it has only where its file offers no models. */
async function chooseModelName({ title, models, command }: AgentDefinition): Promise<string | undefined> {
  if (models.length === 0 && !command.includes("{model}")) return "";
  const another = "another";
  const offered = models.map((model) => ({ label: model, value: model }));
  const items: Choice<string>[] = [
    ...(offered.length > 0 ? offered : [{ label: "The agent's own choice", value: "" }]),
    { label: "$(edit) Another model…", value: another },
  ];
  const chosen = await pick(items, "Run Trajectory: Model", `Choose the model of ${title}`);
  if (chosen?.value !== another) return chosen?.value;
  const name = await vscode.window.showInputBox({
    title: "Run Trajectory: Model",
    ignoreFocusOut: true,
    prompt: `Name of the model, as ${title} calls it`,
  });
  return name?.trim() === "" ? undefined : name?.trim();
}

/** Empty for the program's own choice. */
async function chooseThinking({ title, thinking }: AgentDefinition): Promise<string | undefined> {
  if (thinking.size === 0) return "";
  const items: Choice<string>[] = [
    { label: "The agent's own choice", value: "" },
    ...[...thinking.keys()].map((name) => ({ label: name, value: name })),
  ];
  return (await pick(items, "Run Trajectory: Thinking", `Choose how much ${title} thinks`))?.value;
}

/** Asks for the keys of an agent that are not set. @returns whether all are there now */
export async function askMissing(definition: AgentDefinition, keys: AgentKeys): Promise<boolean> {
  const { missing } = await findSecrets(definition, keys);
  for (const names of missing) {
    const name = await chooseName(names, definition.title);
    if (name === undefined || !(await keys.ask(name, definition.title))) return false;
  }
  return true;
}

async function chooseName(names: readonly string[], title: string): Promise<string | undefined> {
  if (names.length < 2) return names[0];
  const items = names.map((name) => ({ label: `$(key) ${name}`, value: name }));
  return (await pick(items, "Run Trajectory: Key", `${title} needs one of these keys; none is set`))?.value;
}

/** Sets a key of an agent, or removes one that VS Code keeps. */
export async function changeAgentKey(agents: readonly AgentDefinition[], keys: AgentKeys): Promise<void> {
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
  const chosen = await pick(items, "Set Agent Key", "Choose a key. Its value is never shown");
  if (chosen === undefined) return;
  const deed = (await keys.isStored(chosen.value)) ? await chooseDeed(chosen.value) : "set";
  if (deed === "set") await keys.ask(chosen.value, (names.get(chosen.value) ?? []).join(" or "));
  if (deed === "remove") await keys.remove(chosen.value);
}

async function standing(name: string, keys: AgentKeys): Promise<string> {
  if (await keys.isStored(name)) return "kept by VS Code";
  return (await keys.get(name)) === undefined ? "not set" : "from the environment";
}

async function chooseDeed(name: string): Promise<"set" | "remove" | undefined> {
  const items: Choice<"set" | "remove">[] = [
    { label: "$(edit) Set a new value", value: "set" },
    { label: "$(trash) Remove it", value: "remove" },
  ];
  return (await pick(items, "Set Agent Key", `VS Code keeps a value for ${name}`))?.value;
}
