import path from "node:path";
import type { Agent } from "../core/agent/agent.js";
import { readAgent, WORKSPACE_AGENTS } from "../core/agent/program/catalogue.js";
import { programAgent } from "../core/agent/program/program-agent.js";
import { environmentSecrets } from "../core/agent/program/secrets.js";
import { commandAgent } from "../core/agent/command.js";
import { replayAgent } from "../core/agent/replay.js";
import { SlopLensError } from "../core/model/errors.js";
import type { TurnLimits } from "../core/model/policy.js";
import type { Installation } from "./installation.js";
import type { CliIo } from "./io.js";
import { chooseModel } from "./model-choice.js";
import type { ModelOptions } from "./model-options.js";

export interface AgentOptions extends ModelOptions {
  /** `replay`, `command`, `model`, the name of an agent, or the path of its file. */
  readonly agent: string;
  readonly replay: string | undefined;
  readonly command: string | undefined;
  readonly passEnv: readonly string[] | undefined;
  readonly thinking: string | undefined;
}

/** Where agents are looked for: what comes with the product, then the user's own. */
export function agentFolders(installation: Installation, cwd: string): string[] {
  return [installation.files.agents, path.join(cwd, WORKSPACE_AGENTS)];
}

/**
 * The agent that the options name.
 * @throws SlopLensError bad-input for options that do not go together, agent-invalid for a faulty agent file
 */
export async function makeAgent(
  options: AgentOptions,
  limits: TurnLimits,
  io: CliIo,
  installation: Installation,
): Promise<Agent> {
  refuseStrangers(options);
  if (options.agent === "model") return chooseModel(options, io.env, installation.files.harness);
  if (options.agent === "replay") {
    return options.replay === undefined
      ? replayAgent({ kind: "solutions" })
      : replayAgent({ kind: "folder", folder: path.resolve(io.cwd, options.replay) });
  }
  if (options.agent === "command") {
    const { seconds, memoryBytes, cpus, pids } = limits;
    return commandAgent(options.command ?? "", {
      passEnv: options.passEnv ?? [],
      hostEnv: io.env,
      limits: { timeoutSeconds: seconds, memoryBytes, cpus, pids },
    });
  }
  const definition = await readAgent(options.agent, agentFolders(installation, io.cwd), io.cwd);
  const { model, thinking } = options;
  return programAgent(definition, { model, thinking, secrets: environmentSecrets(io.env), hostEnv: io.env });
}

/** Which options go with which kind of agent. */
const PARTNERS = {
  command: { command: "--command", passEnv: "--pass-env" },
  replay: { replay: "--replay" },
  named: { thinking: "--thinking" },
} as const;
const KIND_WORDS = { command: "--agent command", replay: "--agent replay", named: "a named agent" } as const;

function refuseStrangers(options: AgentOptions): void {
  const kind = options.agent === "replay" || options.agent === "command" ? options.agent : "named";
  for (const other of ["command", "replay", "named"] as const) {
    const stranger = Object.entries(PARTNERS[other]).find(
      ([key]) => options[key as keyof AgentOptions] !== undefined,
    );
    if (other !== kind && stranger !== undefined) refuse(stranger[1], KIND_WORDS[other]);
  }
  if (kind === "command" && options.command === undefined) {
    throw new SlopLensError("bad-input", "--agent command needs --command '…'", "Give the command to run.");
  }
}

function refuse(option: string, place: string): never {
  throw new SlopLensError("bad-input", `${option} goes with ${place}`, "Leave one of them out.");
}
