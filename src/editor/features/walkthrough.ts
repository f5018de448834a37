import * as vscode from "vscode";
import { doneKey, STEP_COMMANDS } from "../ids.js";
import type { Feature } from "../services.js";
import { onDidCall } from "./commands.js";

const REMEMBERED = "slopLens.walkthrough.done";

/**
 * Ticks the steps of the walkthrough that were done before it was opened. VS Code itself counts only commands that are
 * called afterwards, and of keys only those that become true afterwards; so they are set when a page of VS Code's own,
 * as the walkthrough is one, opens.
 */
export const walkthrough: Feature = ({ context }) => {
  const { globalState } = context;
  const done = new Set(globalState.get<readonly string[]>(REMEMBERED, []));
  const tick = (tabs: readonly vscode.Tab[]): void => {
    if (!tabs.some(({ input }) => input === undefined)) return;
    for (const command of done) void vscode.commands.executeCommand("setContext", doneKey(command), true);
  };
  tick(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      tick([...opened, ...changed]);
    }),
    onDidCall((command) => {
      if (done.has(command) || !STEP_COMMANDS.includes(command)) return;
      done.add(command);
      void globalState.update(REMEMBERED, [...done]);
    }),
  );
};
