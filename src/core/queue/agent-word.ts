import path from "node:path";
import type { AgentSource, ModelSource } from "../agent/agent-source.js";
import { SlopLensError } from "../model/errors.js";
import type { QueueAgent } from "./queue-plan.js";

/** What agents of a queue take that their own words do not say. */
export interface WordDefaults {
  /** Variables of the host that commands get. */
  readonly passEnv: readonly string[];
  /** The model of `model`; `model:NAME` names another one there. Undefined where none is told of. */
  readonly model: ModelSource | undefined;
}

/**
 * Reads an agent as it is written in one word: `reference`, `replay:FOLDER`, `command:COMMAND`, `model`, or the name of an
 * agent or its file; `model` and names with `:MODEL` behind them if wanted; each with `NAME=` in front if it is to be
 * called otherwise.
 * @param base folder that relative paths start at
 * @throws SlopLensError bad-input
 */
export function agentOfWord(word: string, base: string, defaults: WordDefaults): QueueAgent {
  const { name, rest = "" } = /^(?:(?<name>[\w.-]+)=)?(?<rest>.*)$/su.exec(word)?.groups ?? {};
  const source = sourceOfWord(rest, base, defaults);
  if (source === undefined) {
    throw new SlopLensError(
      "bad-input",
      `There is no agent ${word}`,
      "Give reference, replay:FOLDER, command:'…', model or an agent's name, with NAME= in front to call it otherwise.",
    );
  }
  return { name: name ?? usualName(source), source };
}

function sourceOfWord(word: string, base: string, defaults: WordDefaults): AgentSource | undefined {
  if (word === "reference") return { kind: "reference" };
  const { agent, model } =
    /^(?<agent>(?!(?:replay|command)(?::|$))[^:\s]+)(?::(?<model>\S+))?$/u.exec(word)?.groups ?? {};
  if (agent === "model") return modelOfWord(model, defaults);
  if (agent !== undefined) return namedAgent(agent, model, base);
  const at = word.indexOf(":");
  const [kind, value] = [word.slice(0, Math.max(0, at)), word.slice(at + 1).trim()];
  if (value === "") return undefined;
  if (kind === "replay") return { kind, folder: path.resolve(base, value) };
  return kind === "command" ? { kind, command: value, passEnv: defaults.passEnv } : undefined;
}

function modelOfWord(model: string | undefined, defaults: WordDefaults): ModelSource {
  if (defaults.model !== undefined) return { ...defaults.model, model: model ?? defaults.model.model };
  throw new SlopLensError(
    "bad-input",
    "The agent model needs an endpoint and a model",
    "Give --endpoint URL and --model NAME, or in a YAML file { endpoint: URL, model: NAME }.",
  );
}

/** An agent by its name, or by the path of its file. */
export function namedAgent(
  agent: string,
  model: string | undefined,
  base: string,
  thinking?: string,
): AgentSource {
  const isFile = /[\\/]|\.ya?ml$/u.test(agent);
  const place = isFile ? path.resolve(base, agent) : agent;
  return { kind: "named", agent: place, model, thinking };
}

/** How an agent is called that has no name of its own. */
export function usualName(source: AgentSource): string {
  switch (source.kind) {
    case "replay":
      return path.basename(source.folder);
    case "model":
      return source.model;
    case "named": {
      const { name } = path.parse(source.agent);
      return source.model === undefined ? name : `${name}:${source.model}`;
    }
    case "reference":
    case "command":
      return source.kind;
  }
}

/** The name that an agent was given; undefined where it is called as usual. */
export function ownName({ name, source }: QueueAgent): string | undefined {
  return name === usualName(source) ? undefined : name;
}
