import { readdir } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../../model/errors.js";
import type { Fault } from "../../model/problem.js";
import { suggestion } from "../../problem/suggest.js";
import { errorLine } from "../../problem/yaml-source.js";
import type { AgentDefinition } from "./definition.js";
import { readDefinition, type DefinitionReading } from "./definition-file.js";

/** What takes turns without a file of its own. */
const AGENT_KINDS = ["reference", "replay", "command", "model"];

/** Where a workspace keeps agents of its own. */
export const WORKSPACE_AGENTS = path.join(".slop-lens", "agents");

export interface Catalogue {
  /** By name, sorted. */
  readonly agents: readonly AgentDefinition[];
  /** Of files that cannot be used, and of names that two files of a folder have. */
  readonly faults: readonly Fault[];
}

/**
 * The agents in folders; one of a later folder takes the place of one with the same name in an earlier.
 * @param folders absolute; one that is not there holds none
 */
export async function findAgents(folders: readonly string[]): Promise<Catalogue> {
  const readings = await Promise.all((await Promise.all(folders.map(agentFiles))).flat().map(readDefinition));
  const agents = new Map<string, AgentDefinition>();
  for (const { definition } of readings)
    if (definition !== undefined) agents.set(definition.name, definition);
  const sorted = [...agents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { agents: sorted, faults: readings.flatMap(({ faults }) => faults) };
}

/**
 * The agent that a user names, by its name or the path of its file.
 * @param folders as for {@link findAgents}
 * @param cwd what a relative path is relative to
 * @throws SlopLensError bad-input when there is none, agent-invalid with `file:line:column` of all faults
 */
export async function readAgent(
  nameOrFile: string,
  folders: readonly string[],
  cwd: string,
): Promise<AgentDefinition> {
  if (/[\\/]|\.ya?ml$/u.test(nameOrFile)) return usable(await readDefinition(path.resolve(cwd, nameOrFile)));
  const files = (await Promise.all(folders.map(agentFiles))).flat().reverse();
  const readings = await Promise.all(files.map(readDefinition));
  const found = readings.find((reading) => nameOf(reading) === nameOrFile);
  if (found !== undefined) return usable(found);
  const known = [...AGENT_KINDS, ...[...new Set(readings.map(nameOf))].sort()];
  throw new SlopLensError(
    "bad-input",
    `There is no agent ${nameOrFile}${suggestion(nameOrFile, known)}`,
    `Name one of ${known.join(", ")}, or the path of an agent's YAML file.`,
  );
}

function nameOf({ definition, file }: DefinitionReading): string {
  return definition?.name ?? path.parse(file).name;
}

function usable({ definition, faults, file }: DefinitionReading): AgentDefinition {
  if (definition !== undefined) return definition;
  const what = errorLine(file, faults) ?? `${file} is no agent`;
  throw new SlopLensError("agent-invalid", what, "Correct the agent's file.");
}

async function agentFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.ya?ml$/u.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}
