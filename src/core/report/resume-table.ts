import type { PlannedCheckpoint, ResumeAction, ResumePlan } from "../trajectory/resume-plan.js";
import type { AttemptOf } from "../model/policy.js";
import type { TextTable } from "./text-table.js";

const ACTION_WORDS: Readonly<Record<ResumeAction, string>> = {
  keep: "kept",
  evaluate: "evaluated again",
  redo: "redone",
  take: "to be taken",
  leave: "not taken",
};

/** What becomes of a checkpoint, as it is written: `redone (spec changed)`. */
export function actionWords({ action, why }: Pick<PlannedCheckpoint, "action" | "why">): string {
  return why === "" ? ACTION_WORDS[action] : `${ACTION_WORDS[action]} (${why})`;
}

/** What becomes of attempts that never began; undefined when there are none. */
export function missingWords(missing: readonly AttemptOf[]): string | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const numbers = missing.map(({ index }) => index).join(", ");
  const which = missing.length === 1 ? `attempt ${numbers}` : `attempts ${numbers}`;
  return `${which} of ${first.of}: to be taken (never began)`;
}

/** A plan as a table: a row a checkpoint, with what becomes of it and why. */
export function resumeTable({ checkpoints }: ResumePlan): TextTable {
  return {
    columns: [
      { title: "checkpoint", align: "left" },
      { title: "plan", align: "left" },
      { title: "why", align: "left" },
    ],
    rows: checkpoints.map(({ checkpoint, action, why }) => [checkpoint, ACTION_WORDS[action], why]),
  };
}
