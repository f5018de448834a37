import type { Agent } from "../agent/agent.js";
import { readAgent } from "../agent/program/catalogue.js";
import { programAgent } from "../agent/program/program-agent.js";
import type { SecretSource } from "../agent/program/secrets.js";
import { commandAgent } from "../agent/command.js";
import { replayAgent } from "../agent/replay.js";
import type { QueueAgent } from "./queue-plan.js";

/** What a host lends to the agents of a queue. */
export interface AgentMeans {
  /** Where the variables are looked up that agents are to be given. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly secrets: SecretSource;
  /** Folders with agents' files; later ones come first. */
  readonly folders: readonly string[];
  /** What the container of a command may take. */
  readonly memoryBytes: number;
}

/**
 * The agent that a queue means.
 * @throws SlopLensError bad-input when no agent has the name, agent-invalid for a faulty file
 */
export async function agentOf({ source }: QueueAgent, means: AgentMeans): Promise<Agent> {
  const { hostEnv, secrets, folders, memoryBytes } = means;
  switch (source.kind) {
    case "reference":
      return replayAgent({ kind: "solutions" });
    case "replay":
      return replayAgent({ kind: "folder", folder: source.folder });
    case "command": {
      const { passEnv, timeoutSeconds } = source;
      const limits = { timeoutSeconds, memoryBytes, cpus: undefined, pids: undefined };
      return commandAgent(source.command, { passEnv, hostEnv, limits });
    }
    case "named": {
      const { model, thinking } = source;
      return programAgent(await readAgent(source.agent, folders, ""), { model, thinking, secrets, hostEnv });
    }
  }
}
