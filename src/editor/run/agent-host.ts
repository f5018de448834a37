import * as vscode from "vscode";
import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { Fault } from "../../core/model/problem.js";
import { INTERNAL_COMMANDS } from "../ids.js";
import { agentsOf } from "../product.js";
import type { Services } from "../services.js";
import { AgentKeys } from "./agent-keys.js";

/** What a window knows of agents that are programs. */
export interface AgentHost {
  /** Those of the product and of a workspace folder; undefined for the product's alone. */
  readonly agentsIn: (folder: string | undefined) => Promise<readonly AgentDefinition[]>;
  readonly keys: AgentKeys;
}

/** The agents of a window. The user hears of files that cannot be used, because they are missing among the choices. */
export function agentHost({ context, files }: Services): AgentHost {
  return {
    agentsIn: async (folder) => {
      const { agents, faults } = await agentsOf(files, folder);
      for (const faulty of firstOfEach(faults)) void tell(faulty);
      return agents;
    },
    keys: new AgentKeys(context.secrets),
  };
}

function firstOfEach(faults: readonly Fault[]): Iterable<Fault> {
  const byFile = new Map<string, Fault>();
  for (const fault of faults) if (!byFile.has(fault.file)) byFile.set(fault.file, fault);
  return byFile.values();
}

async function tell({ file, line, column, message }: Fault): Promise<void> {
  const open = "Open File";
  const place = `${vscode.workspace.asRelativePath(file)}, line ${line ?? 1}`;
  const chosen = await vscode.window.showWarningMessage(`${place}: ${message}`, open);
  if (chosen === open) await vscode.commands.executeCommand(INTERNAL_COMMANDS.openFault, file, line, column);
}
