import { SlopLensError } from "../model/errors.js";
import type { Agent } from "./agent.js";
import { sessionLimits, takeCommandTurn } from "./command-turn.js";

export interface CommandAgentOptions {
  /** Names of host variables that the command gets, for example the key of a model's API. */
  readonly passEnv: readonly string[];
  /** Where those variables are looked up. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/**
 * An agent that is any shell command, run by `sh -c` in a fresh sandbox that holds the workspace and nothing else.
 * The prompt is on stdin and in the file that `SLOP_LENS_PROMPT_FILE` names. Of a turn's limits those hold that a sandbox
 * can hold; steps and cost are not known of it.
 */
export function commandAgent(command: string, options: CommandAgentOptions): Agent {
  const passed = options.passEnv.map((name): [string, string] => [name, options.hostEnv[name] ?? ""]);
  const secrets = passed.map(([, value]) => value);
  return {
    description: { type: "command", version: undefined, model: undefined, detail: command },
    origin: "agent",
    secrets,
    usageUnknown: true,
    layer: undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- the contract is asynchronous, this check is not
    check: async () => {
      checkCommand(command, options);
    },
    takeTurn: async (turn, signal) => {
      const env = Object.fromEntries(passed);
      const streams = { stdout: "stdout.txt", stderr: "stderr.txt" };
      const plain = {
        command,
        prompt: turn.prompt,
        env,
        secrets,
        limits: sessionLimits(turn.limits),
        network: turn.limits.network,
        streams,
        state: [],
      };
      // A shell command knows nothing of going on: to run it again is to begin again.
      return { ...(await takeCommandTurn(plain, turn, signal)), retryable: false };
    },
  };
}

function checkCommand(command: string, options: CommandAgentOptions): void {
  if (command.trim() === "") {
    throw new SlopLensError("agent-invalid", "The agent's command is empty", "Give the command to run.");
  }
  const missing = options.passEnv.filter((name) => options.hostEnv[name] === undefined);
  if (missing.length > 0) {
    throw new SlopLensError(
      "agent-invalid",
      `The agent is to be given ${missing.join(", ")}, which is not set`,
      "Set it in the environment, or leave it out.",
    );
  }
}
