import { l10n } from "vscode";
import type { PlayNote } from "../../core/report/play-steps.js";

/** What is said of a step, as a sentence. */
export function noteWords(note: PlayNote): string {
  switch (note.kind) {
    case "no-snapshot":
      return l10n.t("Checkpoint {0} has no snapshot; the editor stays as it is.", note.order);
    case "absent":
      return l10n.t("{0} does not exist at this checkpoint.", note.name);
    case "renamed":
      return l10n.t("Followed callable renamed: {0} → {1}.", note.from, note.to);
    case "moved":
      return l10n.t("Followed callable moved: {0} → {1}.", note.from, note.to);
  }
}

/** Title of the editor's tab: `shelf.py: Checkpoint 5 → 6`. @param earlier label of the checkpoint before */
export function titleWords(file: string, earlier: string | undefined, order: number): string {
  return earlier === undefined ? file : `${file}: ${earlier} → ${order}`;
}
