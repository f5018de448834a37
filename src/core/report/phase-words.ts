import * as l10n from "@vscode/l10n";
import type { TurnPhase } from "../model/turn.js";

/** What a turn does at this moment, the same in every view. */
export function phaseWords(phase: TurnPhase): string {
  switch (phase) {
    case "preparing":
      return l10n.t("preparing the image");
    case "agent":
      return l10n.t("agent at work");
    case "snapshot":
      return l10n.t("taking the snapshot");
    case "testing":
      return l10n.t("running hidden tests");
    case "measuring":
      return l10n.t("measuring");
  }
}
