/** Sentences for screen readers that the pages share. */
import * as l10n from "@vscode/l10n";
import { change, ratio } from "../src/core/report/format.js";

/** `erosion 0.81, up 0.22`; no change where there is nothing to compare with. */
export function spokenErosion(now: number | null, before: number | null | undefined): string {
  if (now === null) return l10n.t("erosion not measured");
  const [sign, size = ""] = change(now, before).split(" ");
  if (sign === "▲") return l10n.t("erosion {0}, up {1}", ratio(now), size);
  if (sign === "▼") return l10n.t("erosion {0}, down {1}", ratio(now), size);
  return sign === "±" ? l10n.t("erosion {0}, unchanged", ratio(now)) : l10n.t("erosion {0}", ratio(now));
}
