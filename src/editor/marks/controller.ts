import * as vscode from "vscode";
import type { Analyzer } from "../../core/analysis/analysis.js";
import type { QualityReport } from "../../core/model/quality.js";
import type { ErrorFunnel } from "../errors.js";
import { LANGUAGES, SETTINGS } from "../ids.js";
import { markKinds } from "../settings.js";
import { Debounce } from "./debounce.js";
import { FollowedDocument, type FollowListener } from "./followed.js";
import { foreignReason } from "./foreign.js";
import type { LineEdit } from "./line-edits.js";
import { NO_MARKS, type Marks } from "./marks.js";
import { Painter } from "./painter.js";
import { RuleFaults } from "./rule-faults.js";
import type { MarkStanding } from "./summary.js";
import { Surroundings } from "./surroundings.js";

const LARGEST = 1_000_000;
const SCHEMES = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "memfs"]);
/** Documents that are followed although no editor shows them. */
const MOST_HIDDEN = 8;
/** Typing has paused when no edit has come for so long. */
const PAUSE_MS = 300;
/** Settings that change what is measured, and not only what is shown. */
const MEASURE_SETTINGS = [SETTINGS.profile, SETTINGS.rulesFolders, SETTINGS.rulesShipped, SETTINGS.rulesOff];

/** Keeps marks on every visible editor. Results stay on screen until better ones are there. */
export class MarkController implements vscode.Disposable, FollowListener {
  /** The document that was shown last comes last. */
  private readonly followed = new Map<string, FollowedDocument>();
  private readonly changes = new vscode.EventEmitter<vscode.TextDocument>();
  /** A document's marks, or why it has none, changed. */
  readonly onDidChange = this.changes.event;
  private readonly painter = new Painter(() => {
    this.paintVisible();
  });
  private readonly pause = new Debounce(() => {
    this.settle();
  }, PAUSE_MS);
  private readonly listeners: vscode.Disposable;
  private readonly surroundings: Surroundings;
  private readonly ruleFaults = new RuleFaults();
  private inDiffs: ReadonlySet<string> = new Set();

  constructor(
    private readonly analyzer: () => Promise<Analyzer>,
    private readonly errors: ErrorFunnel,
  ) {
    this.surroundings = new Surroundings(analyzer);
    const look = (): void => {
      this.lookAround();
    };
    this.listeners = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(look),
      vscode.window.tabGroups.onDidChangeTabs(look),
      // Another language makes another document of it.
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument((event) => {
        this.onEdit(event);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.forget(document);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("slopLens")) this.onSettings(event);
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.startAgain();
      }),
    );
    this.lookAround();
  }

  /** How the marks of an editor stand. */
  standing(editor: vscode.TextEditor): MarkStanding {
    const reason = this.refusal(editor);
    if (reason !== undefined) return reason;
    const followed = this.followed.get(editor.document.uri.toString());
    if (followed?.failure !== undefined) return { kind: "failed", reason: followed.failure };
    if (followed?.report === undefined) return { kind: followed?.isStale === true ? "syntax" : "analysing" };
    const { report, marks, isStale } = followed;
    return { kind: "done", report, marks, stale: isStale };
  }

  /** Whether the analysis of a document takes long enough to speak of it. */
  isSlow(document: vscode.TextDocument | undefined): boolean {
    return document !== undefined && this.followed.get(document.uri.toString())?.isSlow === true;
  }

  /** The marks of a document, with the report that they come from. */
  result(
    document: vscode.TextDocument,
  ): { readonly report: QualityReport; readonly marks: Marks } | undefined {
    const followed = this.followed.get(document.uri.toString());
    return followed?.report === undefined ? undefined : { report: followed.report, marks: followed.marks };
  }

  dispose(): void {
    this.listeners.dispose();
    this.pause.cancel();
    for (const followed of this.followed.values()) followed.leave();
    this.followed.clear();
    this.painter.dispose();
    this.surroundings.dispose();
    this.changes.dispose();
  }

  changed({ document }: FollowedDocument): void {
    if (document.isClosed) return;
    this.changes.fire(document);
    this.paintVisible(document);
  }

  measured(followed: FollowedDocument, report: QualityReport): void {
    const trouble = this.ruleFaults.next(report.rules);
    if (trouble !== undefined) void this.errors.show(trouble, "Rules");
    void this.lookAroundFor(followed);
  }

  failed({ document }: FollowedDocument, error: unknown): void {
    this.errors.note(error, `Marks of ${document.uri.path}`);
  }

  /** Marks are shown in the sides of diffs with these documents; in others they are not. */
  showInDiffs(documents: readonly vscode.Uri[]): void {
    this.inDiffs = new Set(documents.map(String));
    this.lookAround();
  }

  private refusal(editor: vscode.TextEditor): MarkStanding | undefined {
    const { document } = editor;
    const { uri } = document;
    const isPlain = SCHEMES.has(uri.scheme) && isPlainEditor(editor);
    return isPlain || this.inDiffs.has(uri.toString()) ? refusal(document) : { kind: "not-here" };
  }

  private lookAround(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (this.refusal(editor) !== undefined) {
        this.painter.paint(editor, NO_MARKS);
        continue;
      }
      const followed = this.shown(editor.document);
      followed.follow();
      followed.refresh();
      this.painter.paint(editor, followed.marks);
    }
    this.leaveHidden();
  }

  /** What is known of a document that an editor shows. */
  private shown(document: vscode.TextDocument): FollowedDocument {
    const key = document.uri.toString();
    const followed = this.followed.get(key) ?? new FollowedDocument(document, this.analyzer, this);
    this.followed.delete(key);
    this.followed.set(key, followed);
    return followed;
  }

  private leaveHidden(): void {
    const visible = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
    const hidden = [...this.followed.values()].filter(
      ({ document, isOpen }) => isOpen && !visible.has(document),
    );
    for (const followed of hidden.slice(0, Math.max(0, hidden.length - MOST_HIDDEN))) followed.leave();
  }

  private onEdit({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const followed = this.followed.get(document.uri.toString());
    if (followed === undefined || contentChanges.length === 0) return;
    const edits = contentChanges.map(toLineEdit);
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    for (const editor of editors) this.painter.edited(editor, edits);
    if (editors.some((editor) => this.refusal(editor) === undefined)) {
      followed.edit(document.version, contentChanges, edits);
    } else if (editors.length > 0) {
      followed.leave();
      this.changes.fire(document);
      for (const editor of editors) this.painter.paint(editor, NO_MARKS);
    } else if (followed.isOpen) followed.edit(document.version, contentChanges, edits);
    this.pause.ask();
  }

  /** Once typing pauses, what is shown is set right, and other documents hear of clones. */
  private settle(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      this.painter.settle(editor);
      this.followed.get(editor.document.uri.toString())?.refresh();
    }
  }

  private onSettings(event: vscode.ConfigurationChangeEvent): void {
    if (MEASURE_SETTINGS.some((setting) => event.affectsConfiguration(setting))) {
      this.startAgain();
      return;
    }
    for (const followed of this.followed.values()) {
      followed.rebuild();
      this.changes.fire(followed.document);
    }
    this.lookAround();
  }

  /** Analyses all visible documents anew, for example with other rules. */
  private startAgain(): void {
    for (const followed of this.followed.values()) followed.restart();
    this.lookAround();
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.followed.get(key)?.leave();
    this.followed.delete(key);
  }

  /** Once its own marks stand, a document hears of clones in its surroundings. */
  private async lookAroundFor(followed: FollowedDocument): Promise<void> {
    if (followed.isPlaced) return;
    followed.isPlaced = true;
    try {
      if (await this.surroundings.learn(followed.document)) followed.refresh();
    } catch (error) {
      this.errors.note(error, `Clones around ${followed.document.uri.path}`);
    }
  }

  private paintVisible(document?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (document !== undefined && editor.document !== document) continue;
      const followed = this.followed.get(editor.document.uri.toString());
      if (followed !== undefined && this.refusal(editor) === undefined)
        this.painter.paint(editor, followed.marks);
    }
  }
}

function toLineEdit({ range, text }: vscode.TextDocumentContentChangeEvent): LineEdit {
  const breaks = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  return { first: range.start.line + 1, last: range.end.line + 1, now: breaks + 1 };
}

function refusal(document: vscode.TextDocument): MarkStanding | undefined {
  if (markKinds(document) === undefined) return { kind: "off" };
  if (!LANGUAGES.some((language) => language === document.languageId)) return { kind: "language" };
  const offset =
    document.lineCount === 0 ? 0 : document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
  if (offset > LARGEST) return { kind: "size" };
  const reason = foreignReason(document);
  return reason === undefined ? undefined : { kind: "foreign", reason };
}

/** Whether an editor shows one text, and not a side of a diff or a peek. */
function isPlainEditor(editor: vscode.TextEditor): boolean {
  const group = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === editor.viewColumn);
  const input = group?.activeTab?.input;
  return input instanceof vscode.TabInputText && input.uri.toString() === editor.document.uri.toString();
}
