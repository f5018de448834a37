import path from "node:path";
import * as vscode from "vscode";
import type { QualitySummary } from "../../core/analysis/analysis.js";
import { integer, share } from "../../core/report/format.js";
import { COMMANDS, INTERNAL_COMMANDS, VIEWS } from "../ids.js";
import { moveTo } from "../marks/move.js";
import { scopeOf } from "../marks/scope.js";
import { totalsText } from "../marks/summary.js";
import type { Services } from "../services.js";
import { areMarksOn, markKinds, markLanguage, profileChoice, ruleChoice } from "../settings.js";

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

const MOST_IN_FILE = 12;
const MOST_AROUND = 6;

/**
 * All that can be done with the marks of the active editor, its functions to jump to, and once they are measured the
 * figures and the worst functions of the code around it.
 */
export function marksMenu(services: Services): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const pick = vscode.window.createQuickPick<MenuItem>();
  pick.title = vscode.l10n.t("Slop Lens: Marks in This Editor");
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  const own = editor === undefined ? [] : functionItems(services, editor);
  const commands = commandItems(editor?.document);
  const show = (around: readonly MenuItem[]): void => {
    const [active] = pick.activeItems;
    // What comes later stands last: no row moves under the pointer, and a click means what was seen.
    pick.items = [...own, ...commands, ...around];
    if (active !== undefined) pick.activeItems = [active];
  };
  show([]);
  const end = new AbortController();
  if (editor !== undefined) {
    pick.busy = true;
    void aroundItems(services, editor.document, end.signal).then((around) => {
      if (end.signal.aborted) return;
      pick.busy = false;
      if (around.length > 0) show(around);
    });
  }
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [chosen = pick.activeItems[0]] = pick.selectedItems;
      pick.hide();
      void chosen?.run?.();
    });
    pick.onDidHide(() => {
      end.abort();
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

function separator(label: string): MenuItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function functionItems({ marks }: Services, editor: vscode.TextEditor): MenuItem[] {
  const functions = marks.result(editor.document)?.marks.functions ?? [];
  if (functions.length === 0) return [];
  const items = [...functions]
    .sort((a, b) => b.callable.mass - a.callable.mass)
    .slice(0, MOST_IN_FILE)
    .map(({ callable, text, line }) => ({
      label: `$(symbol-method) ${callable.qualifiedName}`,
      description: vscode.l10n.t("{0} · line {1}", text, line),
      run: () => {
        moveTo(editor, line);
      },
    }));
  return [separator(vscode.l10n.t("This file")), ...items];
}

/** What is measured of the code around a document; nothing when it cannot be, which is told in the log. */
async function aroundItems(
  { analyzer, library, errors }: Services,
  document: vscode.TextDocument,
  signal: AbortSignal,
): Promise<MenuItem[]> {
  try {
    const scope = await scopeOf(document, library);
    if (scope === undefined) return [];
    const { name, root, without, isProgram } = scope;
    const rules = ruleChoice(document.uri);
    const options = { profile: profileChoice(document), rules, without, most: MOST_AROUND };
    const summary = await (await analyzer()).summarizePaths([root], options, signal);
    return [separator(name), totalsItem(summary, isProgram), ...worstItems(summary, root)];
  } catch (error) {
    if (!signal.aborted) errors.note(error, `Measuring around ${document.uri.path}`);
    return [];
  }
}

function totalsItem({ totals, profile }: QualitySummary, isProgram: boolean): MenuItem {
  const hotspots = isProgram ? `${VIEWS.hotspots}.focus` : COMMANDS.hotspotsOfWorkspace;
  return {
    label: `$(graph-line) ${totalsText(totals)}`,
    description:
      totals.filesScanned === 1
        ? vscode.l10n.t("{0} SLOC in 1 file, profile {1}", integer(totals.totalLoc), profile)
        : vscode.l10n.t(
            "{0} SLOC in {1} files, profile {2}",
            integer(totals.totalLoc),
            integer(totals.filesScanned),
            profile,
          ),
    run: () => vscode.commands.executeCommand(hotspots),
  };
}

/** @param root folder that the report's paths start from */
function worstItems({ heaviest, totals }: QualitySummary, root: string): MenuItem[] {
  return heaviest.map(({ qualifiedName, path: file, cc, mass, start }) => {
    const part = totals.totalMass === 0 ? 0 : mass / totals.totalMass;
    return {
      label: `$(symbol-method) ${qualifiedName}`,
      description: vscode.l10n.t("CC {0} · {1} of the mass · {2}", cc, share(part), file),
      run: () => {
        const uri = vscode.Uri.file(path.join(root, file)).toString();
        return vscode.commands.executeCommand(INTERNAL_COMMANDS.revealLines, uri, start, start);
      },
    };
  });
}

function commandItems(document: vscode.TextDocument | undefined): MenuItem[] {
  const call = (label: string, id: string): MenuItem => ({
    label,
    run: () => vscode.commands.executeCommand(id),
  });
  return [
    separator(vscode.l10n.t("Commands")),
    call(vscode.l10n.t("Go to Next Complex Function"), COMMANDS.nextComplexFunction),
    call(vscode.l10n.t("Go to Previous Complex Function"), COMMANDS.previousComplexFunction),
    call(vscode.l10n.t("Go to Next Clone"), COMMANDS.nextClone),
    call(vscode.l10n.t("Compare With Other Copy"), COMMANDS.compareClone),
    call(vscode.l10n.t("Show Hotspots"), `${VIEWS.hotspots}.focus`),
    call(vscode.l10n.t("How Is This Counted?"), INTERNAL_COMMANDS.howIsThisCounted),
    call(
      areMarksOn() ? vscode.l10n.t("Turn Marks Off") : vscode.l10n.t("Turn Marks On"),
      COMMANDS.toggleMarks,
    ),
    ...languageItems(document),
    call(vscode.l10n.t("Choose What Is Marked…"), INTERNAL_COMMANDS.chooseMarks),
  ];
}

/** Marks of one language can be turned off while they are on, and on again where that is why they are off. */
function languageItems(document: vscode.TextDocument | undefined): MenuItem[] {
  if (document === undefined || !areMarksOn()) return [];
  const { languageId } = document;
  const isOn = markKinds(document) !== undefined;
  const label = isOn
    ? vscode.l10n.t("Turn Marks Off for {0}", languageId)
    : vscode.l10n.t("Turn Marks On for {0}", languageId);
  return [{ label, run: () => markLanguage(languageId, !isOn) }];
}
