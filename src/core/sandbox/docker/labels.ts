import { formatStamp, ownStamp } from "../process-stamp.js";

/** What a thing of ours in the engine is. */
export type Kind = "session" | "build" | "derived" | "requirements" | "layer";

/** Labels on all our containers and images; nothing without `kind` is ever touched. */
export const LABEL = {
  kind: "slop-lens.kind",
  /** Hash of everything an image was made from. */
  key: "slop-lens.key",
  /** JSON of what was found while an image was made. */
  made: "slop-lens.made",
  /** Process that a container belongs to. */
  process: "slop-lens.process",
  run: "slop-lens.run",
  turn: "slop-lens.turn",
} as const;

/** Labels of a container of this process. */
export function containerLabels(
  kind: "session" | "build",
  owner?: { readonly run: string; readonly turn: string },
): Record<string, string> {
  const labels = { [LABEL.kind]: kind, [LABEL.process]: formatStamp(ownStamp()) };
  return owner === undefined ? labels : { ...labels, [LABEL.run]: owner.run, [LABEL.turn]: owner.turn };
}
