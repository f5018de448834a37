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
 * Reads an agent as it is written in one word: `reference`, `replay:FOLDER` or `command:COMMAND`, each with `NAME=` in
 * front if it is to be called otherwise.
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
      "Give reference, replay:FOLDER, or command:'…', with NAME= in front to call it otherwise.",
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
  const at = word.indexOf(":");
  const [kind, value] = [word.slice(0, Math.max(0, at)), word.slice(at + 1).trim()];
  if (value === "") return undefined;
  if (kind === "replay") return { kind, folder: path.resolve(base, value) };
  return kind === "command" ? { kind, command: value, ...defaults } : undefined;
}

/** How an agent is called that has no name of its own. */
export function usualName(source: QueueAgent["source"]): string {
  return source.kind === "replay" ? path.basename(source.folder) : source.kind;
}
