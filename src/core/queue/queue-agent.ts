import type { Agent } from "../agent/agent.js";
import { commandAgent } from "../agent/command.js";
import { replayAgent } from "../agent/replay.js";
import type { QueueAgent } from "./queue-plan.js";

/**
 * The agent that a queue means.
 * @param hostEnv where the variables are looked up that it is to be given
 * @param memoryBytes what its container may take
 */
export function agentOf(
  { source }: QueueAgent,
  hostEnv: Readonly<Record<string, string | undefined>>,
  memoryBytes: number,
): Agent {
  switch (source.kind) {
    case "reference":
      return replayAgent({ kind: "solutions" });
    case "replay":
      return replayAgent({ kind: "folder", folder: source.folder });
    case "command":
      return commandAgent(source.command, {
        passEnv: source.passEnv,
        hostEnv,
        limits: {
          timeoutSeconds: source.timeoutSeconds,
          memoryBytes,
          cpus: undefined,
          pids: undefined,
        },
      });
  }
}
