import * as l10n from "@vscode/l10n";
import type { Run } from "../model/run.js";

/**
 * Who took the turns: `replay: rotting`, `glm-5 · just-solve`, `command · just-solve`, and `mine · just-solve` for an
 * agent with a name of its own. The same in every view.
 */
export function runLabel(run: Run): string {
  const { type, name, model, detail } = run.agent;
  if (type === "replay") {
    return l10n.t("replay: {0}", name ?? (detail === undefined ? l10n.t("recording") : replayed(detail)));
  }
  return [name ?? model ?? type, run.prompt ?? ""].filter((part) => part !== "").join(" · ");
}

/** As {@link runLabel}, and which agent it is where that tells only the model: `claude_code · glm-5 · just-solve`. */
export function agentRunLabel(run: Run): string {
  const { type, name, model } = run.agent;
  const isModelAlone = type !== "replay" && name === undefined && model !== undefined && model !== type;
  return isModelAlone ? `${type} · ${runLabel(run)}` : runLabel(run);
}

/** As {@link runLabel}, and which of several attempts: `glm-5 · just-solve #2`. For rows that stand side by side. */
export function attemptLabel(run: Run): string {
  const { attempt } = run;
  return attempt === undefined || attempt.of === 1 ? runLabel(run) : `${runLabel(run)} #${attempt.index}`;
}

/** The pack's own solutions, or a folder by its last name. */
function replayed(folder: string): string {
  if (folder === "solutions") return l10n.t("reference");
  const names = folder.split(/[\\/]/).filter((name) => name !== "");
  return names.at(-1) ?? folder;
}
