import * as vscode from "vscode";
import type { ErrorFunnel } from "../errors.js";
import type { CommandId, InternalCommandId } from "../ids.js";

type Handler = (...values: unknown[]) => unknown;

const calls = new vscode.EventEmitter<string>();
/** Tells the id of each command of ours that is called. */
export const onDidCall = calls.event;

type TargetCheck = (value: unknown) => Promise<void>;
let check: TargetCheck | undefined;

/** Has a check look at what each command of ours is called on; what it throws keeps the command from being done. */
export function checkTargets(wanted: TargetCheck): vscode.Disposable {
  check = wanted;
  return new vscode.Disposable(() => {
    check = undefined;
  });
}

/** Registers commands whose errors reach the user by the one way there is. */
export function registerCommands(
  errors: ErrorFunnel,
  handlers: Partial<Record<CommandId | InternalCommandId, Handler>>,
): vscode.Disposable {
  const registered = Object.entries(handlers).map(([id, handler]) =>
    vscode.commands.registerCommand(id, (...values: unknown[]) => {
      calls.fire(id);
      return errors.guard(id, async () => {
        await check?.(values[0]);
        return handler(...values);
      });
    }),
  );
  return vscode.Disposable.from(...registered);
}
