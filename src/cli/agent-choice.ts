import path from "node:path";
import type { Agent } from "../core/agent/agent.js";
import { makeAgent, type AgentMeans, type AgentSource } from "../core/agent/agent-source.js";
import { WORKSPACE_AGENTS } from "../core/agent/program/catalogue.js";
import { environmentSecrets } from "../core/agent/program/secrets.js";
import { SlopLensError } from "../core/model/errors.js";
import { namedAgent } from "../core/queue/agent-word.js";
import type { Installation } from "./installation.js";
import type { CliIo } from "./io.js";
import { modelSource, type ModelOptions } from "./model-options.js";

export interface AgentOptions extends ModelOptions {
  /** `reference`, `replay`, `command`, `model`, the name of an agent, or the path of its file. */
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

/** What the command lends to agents. */
export function agentMeans(io: CliIo, installation: Installation): AgentMeans {
  return {
    hostEnv: io.env,
    secrets: environmentSecrets(io.env),
    folders: agentFolders(installation, io.cwd),
    harness: installation.files.harness,
  };
}

/**
 * The agent that the options name.
 * @throws SlopLensError bad-input for options that do not go together, and what {@link makeAgent} throws
 */
export async function chosenAgent(
  options: AgentOptions,
  io: CliIo,
  installation: Installation,
): Promise<Agent> {
  refuseStrangers(options);
  return makeAgent(sourceOf(options, io.cwd), agentMeans(io, installation));
}

function sourceOf(options: AgentOptions, cwd: string): AgentSource {
  const { agent, replay, model, thinking } = options;
  if (agent === "model") return modelSource(options);
  if (agent === "reference") return { kind: "reference" };
  if (agent === "replay") {
    return replay === undefined
      ? { kind: "reference" }
      : { kind: "replay", folder: path.resolve(cwd, replay) };
  }
  if (agent === "command") {
    return { kind: "command", command: options.command ?? "", passEnv: options.passEnv ?? [] };
  }
  return namedAgent(agent, model, cwd, thinking);
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
