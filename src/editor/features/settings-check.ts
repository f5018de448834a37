import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { PROFILES } from "../../core/model/quality.js";
import { SETTINGS, type SettingKey } from "../ids.js";
import type { Feature } from "../services.js";
import { unusableSettings, type StandingSetting } from "../setting-values.js";

const CHOICES: Partial<Record<SettingKey, readonly unknown[]>> = {
  [SETTINGS.openSpecAs]: ["preview", "source"],
  [SETTINGS.profile]: PROFILES,
};

/** Says which settings cannot be used, when the window opens and whenever they change. */
export const settingsCheck: Feature = ({ errors }) => {
  const check = (): void => {
    const keys = unusableSettings(Object.values(SETTINGS).map(standing));
    if (keys.length > 0) void errors.show(unusable(keys), "Reading the settings", [openSettings(keys)]);
  };
  check();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("slopLens")) check();
  });
};

function standing(key: SettingKey): StandingSetting {
  const settings = vscode.workspace.getConfiguration();
  const byDefault = settings.inspect(key)?.defaultValue;
  return { key, value: settings.get(key), byDefault, choices: CHOICES[key] };
}

function unusable(keys: readonly string[]): SlopLensError {
  return new SlopLensError(
    "bad-input",
    vscode.l10n.t("These settings cannot be used as they are, and their defaults hold: {0}", keys.join(", ")),
    vscode.l10n.t("Each needs a value of another kind."),
  );
}

function openSettings(keys: readonly string[]): { title: string; run: () => unknown } {
  return {
    title: vscode.l10n.t("Open Settings"),
    run: () => vscode.commands.executeCommand("workbench.action.openSettings", keys[0]),
  };
}
