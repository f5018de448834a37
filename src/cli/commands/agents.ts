import type { AgentDefinition } from "../../core/agent/program/definition.js";
import { findAgents, readAgent } from "../../core/agent/program/catalogue.js";
import { environmentSecrets, findSecrets } from "../../core/agent/program/secrets.js";
import { renderTable } from "../../core/report/text-table.js";
import { agentFolders } from "../agent-choice.js";
import { EXIT } from "../exit.js";
import { faultLine } from "../fault-line.js";
import type { Installation } from "../installation.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";

export interface AgentsOptions {
  readonly json: boolean;
}

/** An agent and what of its keys is set; never a value. */
interface Standing {
  readonly agent: AgentDefinition;
  readonly set: readonly string[];
  readonly missing: readonly (readonly string[])[];
}

/**
 * `slop-lens agents`: lists the agents, or shows one, with what they need, and whether their keys are set.
 * @throws SlopLensError bad-input when no agent has the name
 */
export async function agentsCommand(
  name: string | undefined,
  options: AgentsOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const folders = agentFolders(installation, io.cwd);
  const { agents, faults } =
    name === undefined
      ? await findAgents(folders)
      : { agents: [await readAgent(name, folders, io.cwd)], faults: [] };
  const source = environmentSecrets(io.env);
  const standings = await Promise.all(
    agents.map(async (agent): Promise<Standing> => {
      const { values, missing } = await findSecrets(agent, source);
      return { agent, set: Object.keys(values), missing };
    }),
  );
  if (options.json) for (const standing of standings) printJson(io, toJson(standing));
  else printTable(standings, io);
  for (const fault of faults) warn(io, faultLine(fault, io.cwd));
  return faults.some(({ severity }) => severity === "error") ? EXIT.faults : EXIT.ok;
}

function printTable(standings: readonly Standing[], io: CliIo): void {
  const rows = standings.map(({ agent, set, missing }) => [
    agent.name,
    agent.version ?? "-",
    agent.models[0] ?? "-",
    [...agent.thinking.keys()].join(", ") || "-",
    missing.length === 0 ? set.join(", ") || "none needed" : `needs ${choices(missing)}`,
  ]);
  const titles = ["agent", "version", "first model", "thinking", "keys"];
  const columns = titles.map((title) => ({ title, align: "left" }) as const);
  for (const line of renderTable({ columns, rows })) printLine(io, line);
}

function choices(missing: readonly (readonly string[])[]): string {
  return missing.map((names) => names.join(" or ")).join(", ");
}

function toJson({ agent, set, missing }: Standing): Readonly<Record<string, unknown>> {
  const { name, title, version, file, models, usage } = agent;
  const thinking = [...agent.thinking.keys()];
  return { name, title, version, file, models, thinking, usage, secretsSet: set, secretsMissing: missing };
}
