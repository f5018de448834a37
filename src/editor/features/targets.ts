/** What a command was called on: a tree row, its target, or nothing when it came from the palette. */
import type { CheckpointTarget, NodeTarget } from "../tree/node.js";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const KINDS: readonly string[] = [
  "problem",
  "pack",
  "checkpoint",
  "run",
  "test",
  "callable",
  "folder",
  "queueItem",
  "keptQueue",
  "none",
] satisfies NodeTarget["kind"][];

function isTarget(value: unknown): value is NodeTarget {
  return isRecord(value) && typeof value["kind"] === "string" && KINDS.includes(value["kind"]);
}

/** The target behind a command's first argument. */
export function targetOf(value: unknown): NodeTarget | undefined {
  if (isTarget(value)) return value;
  if (!isRecord(value) || !isRecord(value["node"])) return undefined;
  const target = value["node"]["target"];
  return isTarget(target) ? target : undefined;
}

/** The checkpoint that a command was called on. */
export function checkpointOf(value: unknown): CheckpointTarget | undefined {
  const target = targetOf(value);
  return target?.kind === "checkpoint" ? target : undefined;
}

/** A function by the URI of its file and its name. */
export interface NamedCallable {
  readonly file: string;
  readonly qualifiedName: string;
}

/** The function that a row of Hotspots stands for, or that is named by its file and itself. */
export function callableOf(value: unknown, name: unknown): NamedCallable | undefined {
  if (typeof value === "string")
    return typeof name === "string" ? { file: value, qualifiedName: name } : undefined;
  const target = targetOf(value);
  return target?.kind === "callable"
    ? { file: target.file, qualifiedName: target.callable.qualifiedName }
    : undefined;
}

/** The folder on disk that a row stands for. */
export function folderOf(target: NodeTarget | undefined): string | undefined {
  if (target === undefined) return undefined;
  if ("pack" in target) return target.pack.folder;
  if ("folder" in target) return target.folder;
  if (target.kind === "run") return target.run.folder;
  return target.kind === "checkpoint" ? target.turn?.folder : undefined;
}

/** Name of the problem that a row belongs to. */
export function problemOf(target: NodeTarget | undefined): string | undefined {
  if (target === undefined) return undefined;
  if ("part" in target) return target.part.problem;
  if ("turn" in target && target.turn !== undefined) return target.turn.problem;
  return "problem" in target ? target.problem?.name : undefined;
}

/** The ids of rows that a command was given. */
export function rowIds(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}
