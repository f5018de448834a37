import * as vscode from "vscode";
import type { ErrorFunnel } from "../errors.js";
import type { CommandId, InternalCommandId } from "../ids.js";

type Handler = (...values: unknown[]) => unknown;

const calls = new vscode.EventEmitter<string>();
/** Tells the id of each command of ours that is called. */
export const onDidCall = calls.event;

/** Registers commands whose errors reach the user by the one way there is. */
export function registerCommands(
  errors: ErrorFunnel,
  handlers: Partial<Record<CommandId | InternalCommandId, Handler>>,
): vscode.Disposable {
  const registered = Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, (...values: unknown[]) => {
      calls.fire(id);
      return errors.guard(id, () => handler(...values));
    }),
  );
  return vscode.Disposable.from(...registered);
}
