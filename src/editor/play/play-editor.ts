import * as vscode from "vscode";
import { earlierSide } from "../earlier-document.js";
import type { MarkController } from "../marks/controller.js";

/** What the editor shows of one step. */
export interface Shown {
  /** Absolute path of the file in the snapshot. */
  readonly file: string;
  /** The same file at the checkpoint before, to compare with; undefined shows the whole file. */
  readonly earlier: string | undefined;
  readonly title: string;
  /** 1-based line of the followed callable; undefined keeps the place. */
  readonly line: number | undefined;
}

/** The editor of the Play view: one tab, which each step takes over, with marks also where it is a diff. */
export class PlayEditor {
  private column: vscode.ViewColumn | undefined;
  /** What the tab shows: the earlier side, where it is a diff, and the file. */
  private shown: readonly vscode.Uri[] = [];

  constructor(private readonly marks: MarkController) {}

  /** Shows a step in place of the one before, without taking the focus. */
  async show({ file, earlier, title, line }: Shown): Promise<void> {
    const now = vscode.Uri.file(file);
    const before = earlier === undefined ? undefined : earlierSide(now, earlier);
    const leftOver = this.present();
    this.column = leftOver?.group.viewColumn ?? this.column;
    const options = this.options(line);
    const shown = before === undefined ? [now] : [before, now];
    // Those of the step before stay until its editor is gone.
    this.marks.showInDiffs([...this.shown, ...shown]);
    if (before === undefined) await vscode.window.showTextDocument(now, options);
    else await vscode.commands.executeCommand("vscode.diff", before, now, title, options);
    await this.closeLeftOver(leftOver, shown);
    this.shown = shown;
    this.marks.showInDiffs(shown);
    if (line !== undefined) revealTop(now, line);
  }

  /** Closes the tab unless it was kept, and takes the marks out of diffs again. */
  async close(): Promise<void> {
    const tab = this.present();
    this.shown = [];
    this.column = undefined;
    if (tab !== undefined && !isKept(tab)) await vscode.window.tabGroups.close(tab, true);
    this.marks.showInDiffs([]);
  }

  private options(line: number | undefined): vscode.TextDocumentShowOptions {
    const at = line === undefined ? undefined : new vscode.Position(line - 1, 0);
    return {
      preview: true,
      preserveFocus: true,
      viewColumn: this.chooseColumn(),
      ...(at === undefined ? {} : { selection: new vscode.Range(at, at) }),
    };
  }

  /** The group that showed the step before; at first the active one, or one beside a page such as the plot. */
  private chooseColumn(): vscode.ViewColumn {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    if (this.column !== undefined && all.some(({ viewColumn }) => viewColumn === this.column)) {
      return this.column;
    }
    const isPage = activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    if (!isPage) return vscode.ViewColumn.Active;
    const other = all.find(({ activeTab }) => !(activeTab?.input instanceof vscode.TabInputWebview));
    return other === undefined ? vscode.ViewColumn.Beside : other.viewColumn;
  }

  /** The tab of the step before, if it is still there. */
  private present(): vscode.Tab | undefined {
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find((tab) => shows(tab, this.shown));
  }

  /** VS Code itself takes a preview over; where the user has none, the tab before is closed. One that was kept stays. */
  private async closeLeftOver(tab: vscode.Tab | undefined, now: readonly vscode.Uri[]): Promise<void> {
    if (tab === undefined || String(this.shown) === String(now)) return;
    const left = isKept(tab) ? undefined : this.present();
    if (left !== undefined) await vscode.window.tabGroups.close(left, true);
  }
}

/** Whether the user made a tab stay. */
function isKept({ isPinned, isPreview, isDirty }: vscode.Tab): boolean {
  const hasPreviews = vscode.workspace
    .getConfiguration("workbench.editor")
    .get<boolean>("enablePreview", true);
  return isPinned || isDirty || (hasPreviews && !isPreview);
}

function shows({ input }: vscode.Tab, shown: readonly vscode.Uri[]): boolean {
  const inputs =
    input instanceof vscode.TabInputTextDiff
      ? [input.original, input.modified]
      : input instanceof vscode.TabInputText
        ? [input.uri]
        : [];
  return inputs.length > 0 && String(inputs) === String(shown);
}

/** Puts the followed callable to the top, so that it has the room to grow. */
function revealTop(uri: vscode.Uri, line: number): void {
  const editor = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  const at = new vscode.Position(line - 1, 0);
  editor?.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.AtTop);
}
