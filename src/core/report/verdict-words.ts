import * as l10n from "@vscode/l10n";
import type { Verdict } from "../model/outcome.js";

/** A verdict as it is written and said, the same in tree, pages and notifications. */
export function verdictWords(verdict: Verdict): string {
  const words: Readonly<Record<Verdict, string>> = {
    passed: l10n.t("passed"),
    failed: l10n.t("failed"),
    "agent-error": l10n.t("agent error"),
    "agent-timeout": l10n.t("agent timeout"),
    infrastructure: l10n.t("infrastructure, not scored"),
    "not-reached": l10n.t("not reached"),
    skipped: l10n.t("skipped"),
  };
  return words[verdict];
}
