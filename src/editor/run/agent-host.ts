import * as vscode from "vscode";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { ProductFiles } from "../../core/model/files.js";
import type { Fault } from "../../core/model/problem.js";
import { INTERNAL_COMMANDS } from "../ids.js";
import { agentsOf } from "../product.js";
import type { Services } from "../services.js";
import type { AgentKeys } from "./agent-keys.js";

/** What a window knows of agents that are programs. */
export interface AgentHost {
  /** Those of the product and of a workspace folder; undefined for the product's alone. */
  readonly agentsIn: (folder: string | undefined) => Promise<readonly AgentDefinition[]>;
  readonly keys: AgentKeys;
}

/** The agents of a window, read once. The user hears of files that cannot be used: they are missing among the choices. */
export function agentHost({ keys, files }: Pick<Services, "keys" | "files">): AgentHost {
  const known = new Map<string | undefined, Promise<readonly AgentDefinition[]>>();
  return {
    agentsIn: (folder) => {
      const agents = known.get(folder) ?? readAgents(files, folder);
      known.set(folder, agents);
      return agents;
    },
    keys,
  };
}

async function readAgents(
  files: ProductFiles,
  folder: string | undefined,
): Promise<readonly AgentDefinition[]> {
  const { agents, faults } = await agentsOf(files, folder);
  for (const faulty of firstOfEach(faults)) void tell(faulty);
  return agents;
}

function firstOfEach(faults: readonly Fault[]): Iterable<Fault> {
  const byFile = new Map<string, Fault>();
  for (const fault of faults) if (!byFile.has(fault.file)) byFile.set(fault.file, fault);
  return byFile.values();
}

async function tell({ file, line, column, message }: Fault): Promise<void> {
  const open = vscode.l10n.t("Open File");
  const place = vscode.l10n.t("{0}, line {1}", vscode.workspace.asRelativePath(file), line ?? 1);
  const chosen = await vscode.window.showWarningMessage(`${place}: ${message}`, open);
  if (chosen === open) await vscode.commands.executeCommand(INTERNAL_COMMANDS.openFault, file, line, column);
}
