import * as l10n from "@vscode/l10n";
import type { PlannedCheckpoint, ResumeAction, ResumePlan } from "../trajectory/resume-plan.js";
import type { AttemptOf } from "../model/policy.js";
import { reasonsWords, type CheckpointName } from "./plan-words.js";
import type { TextTable } from "./text-table.js";

function deedWords(action: ResumeAction): string {
  switch (action) {
    case "keep":
      return l10n.t("kept");
    case "evaluate":
      return l10n.t("evaluated again");
    case "redo":
      return l10n.t("redone");
    case "take":
      return l10n.t("to be taken");
    case "leave":
      return l10n.t("not taken");
  }
}

/** What becomes of a checkpoint, as it is written: `redone (spec changed)`. */
export function actionWords(
  { action, why }: Pick<PlannedCheckpoint, "action" | "why">,
  nameOf?: CheckpointName,
): string {
  const deed = deedWords(action);
  return why.length === 0 ? deed : l10n.t("{0} ({1})", deed, reasonsWords(why, nameOf));
}

/** What becomes of attempts that never began; undefined when there are none. */
export function missingWords(missing: readonly AttemptOf[]): string | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const numbers = missing.map(({ index }) => index).join(", ");
  return missing.length === 1
    ? l10n.t("attempt {0} of {1}: to be taken (never began)", numbers, first.of)
    : l10n.t("attempts {0} of {1}: to be taken (never began)", numbers, first.of);
}

/** A plan as a table: a row a checkpoint, with what becomes of it and why. */
export function resumeTable({ checkpoints }: ResumePlan): TextTable {
  return {
    columns: [
      { title: "checkpoint", align: "left" },
      { title: "plan", align: "left" },
      { title: "why", align: "left" },
    ],
    rows: checkpoints.map(({ checkpoint, action, why }) => [
      checkpoint,
      deedWords(action),
      reasonsWords(why),
    ]),
  };
}
