import * as vscode from "vscode";
import { languageModel } from "./language-model.js";
import type { AgentChoice } from "./plan.js";
import type { Choice, Questions } from "./questions.js";

/** Extensions that offer models may have to start first; milliseconds until those count that are there. */
const PATIENCE = 5000;

/** The models that VS Code has; none in editors that know no models. */
export async function modelsOfEditor(): Promise<readonly vscode.LanguageModelChat[]> {
  const models = vscode.lm as typeof vscode.lm | undefined;
  if (models === undefined) return [];
  const late = new Promise<readonly vscode.LanguageModelChat[]>((resolve) => {
    setTimeout(() => {
      resolve([]);
    }, PATIENCE);
  });
  // An extension that fails to tell its models must not stand in the way of other agents.
  const told = Promise.resolve(models.selectChatModels()).catch(() => []);
  return Promise.race([told, late]);
}

/** Asks which of the models is to solve a problem. */
export async function chooseModel(
  ask: Questions,
  models: readonly vscode.LanguageModelChat[],
): Promise<AgentChoice | undefined> {
  const items = models.map((model): Choice<vscode.LanguageModelChat> => ({
    label: `$(sparkle) ${model.name}`,
    description: `${model.vendor} · ${model.id}`,
    detail: vscode.l10n.t("{0}k tokens of input", Math.round(model.maxInputTokens / 1000)),
    value: model,
  }));
  const chosen = await ask.pick(
    {
      id: "editor-model",
      step: vscode.l10n.t("Model"),
      placeHolder: vscode.l10n.t("Choose the model. It gets tools to read, write and run in the sandbox"),
    },
    items,
  );
  return chosen === undefined ? undefined : { kind: "model", model: languageModel(chosen) };
}
