import * as vscode from "vscode";
import type { Remedy } from "../../core/analysis/document/reading.js";
import type { RuleMatch } from "../../core/model/quality.js";
import { INTERNAL_COMMANDS, LANGUAGES } from "../ids.js";
import type { MarkController } from "../marks/controller.js";
import { editorFor } from "../marks/move.js";
import type { Feature } from "../services.js";
import { switchRuleOff } from "../settings.js";
import { registerCommands } from "./commands.js";
import { say } from "./say-why-not.js";

/** What can be done about what a rule matches: its fix, a comment that suppresses it, and no longer applying the rule. */
export const remedies: Feature = ({ marks, errors }) =>
  vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider([...LANGUAGES], new Remedies(marks), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    registerCommands(errors, {
      [INTERNAL_COMMANDS.quickFix]: openQuickFixes,
      [INTERNAL_COMMANDS.suppress]: (uri, rule, line, column) => suppress(marks, { uri, rule, line, column }),
    }),
  );

class Remedies implements vscode.CodeActionProvider {
  constructor(private readonly marks: MarkController) {}

  /** By itself VS Code is told of fixes only; what keeps quiet is there when it is asked for. */
  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { triggerKind, diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const matches = this.marks.matchesIn(document, range);
    const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke;
    const actions = await Promise.all(
      matches.map(async (match) => {
        const fix = await this.marks.remedy(document, "fix", match);
        const of = diagnostics.filter(({ code }) => code === match.rule);
        return [
          ...(fix === undefined ? [] : [fixAction(document, match, fix, of)]),
          ...(isAsked ? [suppressAction(document, match)] : []),
        ];
      }),
    );
    return actions.flat();
  }
}

const LONGEST = 60;

function fixAction(
  document: vscode.TextDocument,
  { message }: RuleMatch,
  fix: Remedy,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const isShort = fix.text.length <= LONGEST && !fix.text.includes("\n");
  const title = isShort ? vscode.l10n.t("Replace by {0}", fix.text) : vscode.l10n.t("Fix: {0}", message);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, rangeOf(fix), fix.text);
  action.diagnostics = diagnostics;
  action.isPreferred = true;
  return action;
}

function suppressAction(document: vscode.TextDocument, match: RuleMatch): vscode.CodeAction {
  const { rule, start, startColumn } = match;
  const title = vscode.l10n.t("Suppress {0}…", rule);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  const given = [document.uri.toString(), rule, start, startColumn];
  action.command = { command: INTERNAL_COMMANDS.suppress, title, arguments: given };
  return action;
}

function rangeOf({ start, end }: Remedy): vscode.Range {
  return new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}

async function openQuickFixes(uri: unknown, line: unknown, column: unknown): Promise<void> {
  const at = positionOf(line, column);
  if (typeof uri !== "string" || at === undefined) return;
  const editor = await editorFor(vscode.Uri.parse(uri, true));
  editor.selection = new vscode.Selection(at, at);
  await vscode.commands.executeCommand("editor.action.quickFix");
}

function positionOf(line: unknown, column: unknown): vscode.Position | undefined {
  return typeof line === "number" && typeof column === "number"
    ? new vscode.Position(line - 1, column - 1)
    : undefined;
}

/** Where a match stands, as a link names it. */
type Place = Readonly<Record<"uri" | "rule" | "line" | "column", unknown>>;

async function suppress(marks: MarkController, { uri, rule, line, column }: Place): Promise<void> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri);
  const at = positionOf(line, column);
  const found = document && at && marks.matchesIn(document, new vscode.Range(at, at));
  const match = found?.find((one) => one.rule === rule);
  if (document === undefined || match === undefined) {
    say(vscode.l10n.t("Slop Lens: this match is no longer there"));
    return;
  }
  const comment = await marks.remedy(document, "suppression", match);
  const title = vscode.l10n.t("Suppress {0}", match.rule);
  const chosen = await vscode.window.showQuickPick(choices(document, match, comment), { title });
  await chosen?.run?.();
}

interface Choice extends vscode.QuickPickItem {
  readonly run?: () => Promise<unknown>;
}

/** A place that cannot have a comment is told, not left out. */
function choices(
  document: vscode.TextDocument,
  { rule }: RuleMatch,
  comment: Remedy | undefined,
): readonly Choice[] {
  const isOpen = vscode.workspace.workspaceFolders !== undefined;
  const off: Choice = {
    label: isOpen ? vscode.l10n.t("In This Workspace") : vscode.l10n.t("Everywhere"),
    description: vscode.l10n.t("the rule is no longer applied"),
    detail: "slopLens.rules.off",
    run: () => switchRuleOff(rule),
  };
  const label = vscode.l10n.t("Here");
  if (comment === undefined) {
    return [
      off,
      { label, description: vscode.l10n.t("no comment can stand here without changing what matches") },
    ];
  }
  const here: Choice = {
    label,
    description: vscode.l10n.t("by a comment; what is suppressed is still told"),
    detail: comment.text.trim(),
    run: () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, rangeOf(comment).start, comment.text);
      return Promise.resolve(vscode.workspace.applyEdit(edit));
    },
  };
  return [here, off];
}
