import path from "node:path";
import { MASK } from "../agent/masking.js";
import { agentName, thinkingIn } from "../agent/program/record.js";
import type { ReplaySource } from "../agent/replay-source.js";
import type { RunAgent } from "../model/run.js";

/** Who took a run's turns, as far as its record tells enough to ask it again. */
export type StoredAgent =
  | { readonly kind: "replay"; readonly source: ReplaySource }
  | { readonly kind: "command"; readonly command: string }
  /** A program that a file of this name describes, if there is one here. */
  | {
      readonly kind: "named";
      readonly name: string;
      readonly model: string | undefined;
      readonly thinking: string | undefined;
    };

/** Types that are no name of a file. */
const UNNAMED: ReadonlySet<string> = new Set(["replay", "command", "model", "slop-lens", "unknown"]);

/** @returns undefined when it has to be given anew: a model in VS Code, or a command with masked secrets in it */
export function storedAgent(agent: RunAgent): StoredAgent | undefined {
  const { type, model, detail } = agent;
  if (!UNNAMED.has(type))
    return { kind: "named", name: agentName(type), model, thinking: thinkingIn(detail) };
  if (detail === undefined) return undefined;
  if (type === "replay" && detail === "solutions") return { kind: "replay", source: { kind: "solutions" } };
  if (type === "replay" && path.isAbsolute(detail)) {
    return { kind: "replay", source: { kind: "folder", folder: detail } };
  }
  return type === "command" && !detail.includes(MASK) ? { kind: "command", command: detail } : undefined;
}
