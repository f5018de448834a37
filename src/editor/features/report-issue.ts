import process from "node:process";
import * as vscode from "vscode";
import { COMMANDS, SETTINGS } from "../ids.js";
import type { Feature } from "../services.js";
import { issueText, type IssueFacts } from "./issue-text.js";
import { registerCommands } from "./commands.js";

/** VS Code's own form for reports; it needs to know where an extension takes them. */
const REPORTER = "workbench.action.openIssueReporter";

/** Report an Issue: VS Code's form, else a document to be copied. Nothing is sent by it. */
export const reportIssue: Feature = ({ context, errors }) =>
  registerCommands(errors, {
    [COMMANDS.reportIssue]: async () => {
      const { extension } = context;
      const text = issueText(factsOf(extension));
      const commands = hasTracker(extension.packageJSON) ? await vscode.commands.getCommands(true) : [];
      if (commands.includes(REPORTER)) {
        await vscode.commands.executeCommand(REPORTER, { extensionId: extension.id, issueBody: text });
        return;
      }
      const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
      await vscode.window.showTextDocument(document);
    },
  });

function hasTracker(manifest: unknown): boolean {
  return typeof manifest === "object" && manifest !== null && "bugs" in manifest;
}

function factsOf({ packageJSON }: vscode.Extension<unknown>): IssueFacts {
  const settings = vscode.workspace.getConfiguration();
  const { version } = packageJSON as { readonly version: string };
  return {
    extension: version,
    editor: `${vscode.env.appName} ${vscode.version}`,
    host: [vscode.env.appHost, vscode.env.remoteName, vscode.env.language].filter(Boolean).join(", "),
    system: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    changedSettings: Object.values(SETTINGS).filter((key) => isChanged(settings.inspect(key))),
  };
}

type Inspected = ReturnType<vscode.WorkspaceConfiguration["inspect"]>;

function isChanged(inspected: Inspected): boolean {
  const { globalValue, workspaceValue, workspaceFolderValue } = inspected ?? {};
  return [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
}
