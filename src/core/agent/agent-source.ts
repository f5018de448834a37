import type { Agent } from "./agent.js";
import { commandAgent } from "./command.js";
import { openAiModel } from "./openai/openai-model.js";
import { readAgent } from "./program/catalogue.js";
import { programAgent } from "./program/program-agent.js";
import type { SecretSource } from "./program/secrets.js";
import { replayAgent } from "./replay.js";
import { modelAgent } from "./tool-loop/model-agent.js";
import type { Prices } from "./tool-loop/prices.js";
import { SlopLensError } from "../model/errors.js";

/** Who takes turns, as a user says it; everything in it may be stored. */
export type AgentSource =
  | { readonly kind: "reference" }
  /** A recording, an earlier run, or a folder with `<problem>/checkpoint_k`; absolute. */
  | { readonly kind: "replay"; readonly folder: string }
  | {
      readonly kind: "command";
      readonly command: string;
      /** Names of the host's variables that it gets. */
      readonly passEnv: readonly string[];
    }
  | {
      readonly kind: "named";
      /** Name of a shipped agent or one of the workspace's own, or the absolute path of an agent's file. */
      readonly agent: string;
      /** Undefined for the agent's own choice. */
      readonly model: string | undefined;
      readonly thinking: string | undefined;
    }
  | ModelSource;

/** A model behind an endpoint that speaks OpenAI's chat completions, with the tool loop around it. */
export interface ModelSource {
  readonly kind: "model";
  readonly endpoint: string;
  readonly model: string;
  /** Name of the host's variable that holds the key; undefined for an endpoint without keys. */
  readonly keyEnv: string | undefined;
  readonly contextTokens: number | undefined;
  readonly prices: Prices | undefined;
}

/** What a host lends to agents. */
export interface AgentMeans {
  /** Where the variables are looked up that agents are to be given. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly secrets: SecretSource;
  /** Folders with agents' files; later ones come first. */
  readonly folders: readonly string[];
  /** Folder of the product's Python files. */
  readonly harness: string;
}

/**
 * The agent that a user means.
 * @throws SlopLensError bad-input when no agent has the name, agent-invalid for a faulty file, a key that is not set or
 *   an address that is none
 */
export async function makeAgent(source: AgentSource, means: AgentMeans): Promise<Agent> {
  const { hostEnv, secrets, folders } = means;
  switch (source.kind) {
    case "reference":
      return replayAgent({ kind: "solutions" });
    case "replay":
      return replayAgent({ kind: "folder", folder: source.folder });
    case "command":
      return commandAgent(source.command, { passEnv: source.passEnv, hostEnv });
    case "model":
      return loopAround(source, means);
    case "named": {
      const { model, thinking } = source;
      return programAgent(await readAgent(source.agent, folders, ""), { model, thinking, secrets, hostEnv });
    }
  }
}

function loopAround(source: ModelSource, { hostEnv, harness }: AgentMeans): Agent {
  const { endpoint, model, keyEnv, contextTokens, prices } = source;
  const key = keyEnv === undefined ? undefined : hostEnv[keyEnv]?.trim();
  if (keyEnv !== undefined && (key === undefined || key === "")) {
    throw new SlopLensError(
      "agent-invalid",
      `The model's key is to be in ${keyEnv}, which is not set`,
      "Set it in the environment, or name no variable for an endpoint without keys.",
    );
  }
  const chat = openAiModel({ endpoint, model, key, keyName: keyEnv, contextTokens });
  return modelAgent(chat, { harness, prices });
}
