import * as vscode from "vscode";
import { doneKey, STEP_COMMANDS } from "../ids.js";
import type { Feature } from "../services.js";
import { onDidCall } from "./commands.js";

const REMEMBERED = "slopLens.walkthrough.done";

/**
 * Remembers which steps of the walkthrough were done. VS Code counts only commands that are called after the
 * walkthrough was opened for the first time.
 */
export const walkthrough: Feature = ({ context }) => {
  const { globalState } = context;
  const done = new Set(globalState.get<readonly string[]>(REMEMBERED, []));
  const tick = (command: string): void => {
    void vscode.commands.executeCommand("setContext", doneKey(command), true);
  };
  for (const command of done) tick(command);
  return onDidCall((command) => {
    if (done.has(command) || !STEP_COMMANDS.includes(command)) return;
    done.add(command);
    tick(command);
    void globalState.update(REMEMBERED, [...done]);
  });
};
