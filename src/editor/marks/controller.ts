import * as vscode from "vscode";
import type { Analyzer } from "../../core/analysis/analysis.js";
import type { Remedy, RemedyKind } from "../../core/analysis/document/reading.js";
import type { QualityReport, RuleMatch } from "../../core/model/quality.js";
import type { ErrorFunnel } from "../errors.js";
import { SETTINGS } from "../ids.js";
import { Debounce } from "./debounce.js";
import { FollowedDocument, type FollowListener } from "./followed.js";
import type { LineEdit } from "./line-edits.js";
import { NO_MARKS, type Marks } from "./marks.js";
import { Painter } from "./painter.js";
import { refusal } from "./refusal.js";
import type { KnownRuns } from "./scope.js";
import { RuleFaults } from "./rule-faults.js";
import type { MarkStanding } from "./summary.js";
import { Surroundings } from "./surroundings.js";

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
    library: KnownRuns,
  ) {
    this.surroundings = new Surroundings(analyzer, library);
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

  /** The rule matches of a document that touch a range; none while an edit is not measured. */
  matchesIn(document: vscode.TextDocument, { start, end }: vscode.Range): readonly RuleMatch[] {
    const followed = this.followed.get(document.uri.toString());
    if (followed?.isCurrent !== true) return [];
    return followed.marks.verbosity.flatMap(({ line, startColumn, endColumn, match }) => {
      const starts = new vscode.Position(line - 1, startColumn - 1);
      const ends = new vscode.Position(line - 1, endColumn - 1);
      return match === undefined || starts.isAfter(end) || ends.isBefore(start) ? [] : [match];
    });
  }

  /** What can be done about a match of a document; undefined when nothing can, or it is no longer there. */
  async remedy(
    document: vscode.TextDocument,
    kind: RemedyKind,
    match: RuleMatch,
  ): Promise<Remedy | undefined> {
    return this.followed.get(document.uri.toString())?.remedy(kind, match);
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

  /** Shows marks in the sides of diffs with these documents, whatever the setting says of diffs. */
  showInDiffs(documents: readonly vscode.Uri[]): void {
    this.inDiffs = new Set(documents.map(String));
    this.lookAround();
  }

  private refusal(editor: vscode.TextEditor): MarkStanding | undefined {
    return refusal(editor, this.inDiffs);
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
    if (this.followed.delete(key)) this.changes.fire(document);
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
