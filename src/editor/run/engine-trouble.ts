import type { ErrorCode } from "../../core/model/errors.js";
import { SlopLensError } from "../../core/model/errors.js";

/** Why Docker could not be used: nothing is there, nothing answers there, or it may not be used. */
export type EngineTrouble = "not-found" | "not-running" | "denied";

/** What systems say where there is nothing: no socket, no such machine. */
const NOTHING_THERE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTFOUND", "EAI_AGAIN", "ENOTSOCK"]);

const TROUBLE_CODES: ReadonlySet<ErrorCode> = new Set(["engine-missing", "engine-denied"]);

/** The trouble that kept a run from Docker; undefined when it was another. */
export function engineTrouble(error: unknown): EngineTrouble | undefined {
  const { code, cause } = SlopLensError.from(error);
  if (!TROUBLE_CODES.has(code)) return undefined;
  if (code === "engine-denied") return "denied";
  return NOTHING_THERE.has(systemCode(cause)) ? "not-found" : "not-running";
}

function systemCode(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
