import path from "node:path";
import { MASK } from "../agent/masking.js";
import type { ReplaySource } from "../agent/replay-source.js";
import type { RunAgent } from "../model/run.js";

/** Who took a run's turns, as far as its record tells enough to ask it again. */
export type StoredAgent =
  | { readonly kind: "replay"; readonly source: ReplaySource }
  | { readonly kind: "command"; readonly command: string };

/** @returns undefined when it has to be given anew: another tool's agent, or a command with masked secrets in it */
export function storedAgent({ type, detail }: RunAgent): StoredAgent | undefined {
  if (detail === undefined) return undefined;
  if (type === "replay" && detail === "solutions") return { kind: "replay", source: { kind: "solutions" } };
  if (type === "replay" && path.isAbsolute(detail)) {
    return { kind: "replay", source: { kind: "folder", folder: detail } };
  }
  return type === "command" && !detail.includes(MASK) ? { kind: "command", command: detail } : undefined;
}
