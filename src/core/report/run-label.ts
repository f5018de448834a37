import type { Run } from "../model/run.js";

/** Who took the turns: `replay: rotting`, `glm-5 · just-solve`, `command · just-solve`. The same in every view. */
export function runLabel(run: Run): string {
  const { type, model, detail } = run.agent;
  if (type === "replay") return `replay: ${detail === undefined ? "recording" : replayed(detail)}`;
  return [model ?? type, run.prompt ?? ""].filter((part) => part !== "").join(" · ");
}

/** As {@link runLabel}, and which of several attempts: `glm-5 · just-solve #2`. For rows that stand side by side. */
export function attemptLabel(run: Run): string {
  const { attempt } = run;
  return attempt === undefined || attempt.of === 1 ? runLabel(run) : `${runLabel(run)} #${attempt.index}`;
}

/** The pack's own solutions, or a folder by its last name. */
function replayed(folder: string): string {
  if (folder === "solutions") return "reference";
  const names = folder.split(/[\\/]/).filter((name) => name !== "");
  return names.at(-1) ?? folder;
}
