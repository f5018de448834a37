import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { QueueAgent } from "./queue-plan.js";

/** What a command agent of a queue takes that its own words do not say. */
export interface CommandDefaults {
  readonly passEnv: readonly string[];
  /** Undefined for no limit. */
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads an agent as it is written in one word: `reference`, `replay:FOLDER`, `command:COMMAND`, or the name of an agent
 * or its file with `:MODEL` behind it if wanted; each with `NAME=` in front if it is to be called otherwise.
 * @param base folder that relative paths start at
 * @throws SlopLensError bad-input
 */
export function agentOfWord(word: string, base: string, defaults: CommandDefaults): QueueAgent {
  const { name, rest = "" } = /^(?:(?<name>[\w.-]+)=)?(?<rest>.*)$/su.exec(word)?.groups ?? {};
  const source = sourceOfWord(rest, base, defaults);
  if (source === undefined) {
    throw new SlopLensError(
      "bad-input",
      `There is no agent ${word}`,
      "Give reference, replay:FOLDER, command:'…' or an agent's name, with NAME= in front to call it otherwise.",
    );
  }
  return { name: name ?? usualName(source), source };
}

function sourceOfWord(
  word: string,
  base: string,
  defaults: CommandDefaults,
): QueueAgent["source"] | undefined {
  if (word === "reference") return { kind: "reference" };
  const named = /^(?<agent>(?!(?:replay|command)(?::|$))[^:\s]+)(?::(?<model>\S+))?$/u.exec(word)?.groups;
  if (named?.["agent"] !== undefined) return namedAgent(named["agent"], named["model"], base, defaults);
  const at = word.indexOf(":");
  const [kind, value] = [word.slice(0, Math.max(0, at)), word.slice(at + 1).trim()];
  if (value === "") return undefined;
  if (kind === "replay") return { kind, folder: path.resolve(base, value) };
  return kind === "command" ? { kind, command: value, ...defaults } : undefined;
}

/** An agent by its name, or by the path of its file. */
export function namedAgent(
  agent: string,
  model: string | undefined,
  base: string,
  { timeoutSeconds }: Pick<CommandDefaults, "timeoutSeconds">,
  thinking?: string,
): QueueAgent["source"] {
  const isFile = /[\\/]|\.ya?ml$/u.test(agent);
  const place = isFile ? path.resolve(base, agent) : agent;
  return { kind: "named", agent: place, model, thinking, timeoutSeconds };
}

/** How an agent is called that has no name of its own. */
export function usualName(source: QueueAgent["source"]): string {
  if (source.kind === "replay") return path.basename(source.folder);
  if (source.kind !== "named") return source.kind;
  const { name } = path.parse(source.agent);
  return source.model === undefined ? name : `${name}:${source.model}`;
}
