/** Sentences for screen readers that the pages share. */
import * as l10n from "@vscode/l10n";
import type { Verdict } from "../src/core/model/outcome.js";
import { change, ratio } from "../src/core/report/format.js";

/** `erosion 0.81, up 0.22`; no change where there is nothing to compare with. */
export function spokenErosion(now: number | null, before: number | null | undefined): string {
  if (now === null) return l10n.t("erosion not measured");
  const [sign, size = ""] = change(now, before).split(" ");
  if (sign === "▲") return l10n.t("erosion {0}, up {1}", ratio(now), size);
  if (sign === "▼") return l10n.t("erosion {0}, down {1}", ratio(now), size);
  return sign === "±" ? l10n.t("erosion {0}, unchanged", ratio(now)) : l10n.t("erosion {0}", ratio(now));
}

/** A verdict as it is said. */
export function spokenVerdict(verdict: Verdict): string {
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
