/** What is kept of playing over a reload of the window. Pure. */
import type { PlayedName, PlaySource } from "./session.js";

export interface PlayMemory {
  readonly source: PlaySource;
  /** The panel showed the view. */
  readonly visible: boolean;
}

/** Reads what an earlier window, perhaps of another release, kept; undefined when that cannot be gone on with. */
export function readMemory(kept: unknown): PlayMemory | undefined {
  if (!isRecord(kept) || !isRecord(kept["source"])) return undefined;
  const { run, problem, order, mode, callable } = kept["source"];
  if (typeof run !== "string" || typeof problem !== "string") return undefined;
  const source: PlaySource = {
    run,
    problem,
    order: typeof order === "number" ? order : undefined,
    callable: isName(callable) ? { order: callable.order, id: callable.id } : undefined,
    mode: mode === "file" ? "file" : "changes",
  };
  return { source, visible: kept["visible"] === true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isName(value: unknown): value is PlayedName {
  return isRecord(value) && typeof value["order"] === "number" && typeof value["id"] === "string";
}
