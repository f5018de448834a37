import * as vscode from "vscode";
import type { Analyzer } from "../../core/analysis/analysis.js";
import type { QualityReport } from "../../core/model/quality.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { ErrorFunnel } from "../errors.js";
import { LANGUAGES, SETTINGS } from "../ids.js";
import { markKinds, ruleChoice } from "../settings.js";
import { Debounce } from "./debounce.js";
import { buildMarks, NO_MARKS, type Marks } from "./marks.js";
import { Painter } from "./painter.js";
import { RuleFaults } from "./rule-faults.js";
import type { MarkStanding } from "./summary.js";
import { Surroundings } from "./surroundings.js";

const LARGEST = 1_000_000;
const SCHEMES = new Set(["file", "untitled", "vscode-remote", "vscode-vfs", "memfs"]);
const SLOW_MS = 500;

/** What is known about one open document. */
interface Entry {
  readonly debounce: Debounce;
  report: QualityReport | undefined;
  marks: Marks;
  /** The text has syntax errors since; the marks are of an earlier text. */
  stale: boolean;
  /** Lines moved since the marks were painted. */
  moved: boolean;
  analysing: boolean;
  slow: boolean;
  failure: string | undefined;
  /** Its surroundings were looked at for clones. */
  placed: boolean;
  version: number;
}

/** Keeps marks on every visible Python editor. Results stay on screen until better ones are there. */
export class MarkController implements vscode.Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** A document's marks, or why it has none, changed. */
  readonly onDidChange = this.changed.event;
  private readonly painter = new Painter(() => {
    this.paintVisible();
  });
  private readonly listeners: vscode.Disposable;
  private readonly surroundings: Surroundings;
  private readonly ruleFaults = new RuleFaults();

  constructor(
    private readonly analyzer: () => Promise<Analyzer>,
    private readonly errors: ErrorFunnel,
  ) {
    this.surroundings = new Surroundings(analyzer);
    this.listeners = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.lookAround();
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => {
        this.lookAround();
      }),
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
    const reason = refusal(editor);
    if (reason !== undefined) return reason;
    const entry = this.entries.get(editor.document.uri.toString());
    if (entry?.failure !== undefined) return { kind: "failed", reason: entry.failure };
    if (entry?.report === undefined) return { kind: entry?.stale === true ? "syntax" : "analysing" };
    const { report, marks, stale } = entry;
    return { kind: "done", report, marks, stale };
  }

  /** Whether the analysis of a document takes long enough to speak of it. */
  isSlow(document: vscode.TextDocument | undefined): boolean {
    return document !== undefined && this.entries.get(document.uri.toString())?.slow === true;
  }

  /** The marks of a document, with the report that they come from. */
  result(
    document: vscode.TextDocument,
  ): { readonly report: QualityReport; readonly marks: Marks } | undefined {
    const entry = this.entries.get(document.uri.toString());
    return entry?.report === undefined ? undefined : { report: entry.report, marks: entry.marks };
  }

  dispose(): void {
    this.listeners.dispose();
    for (const { debounce } of this.entries.values()) debounce.cancel();
    this.entries.clear();
    this.painter.dispose();
    this.surroundings.dispose();
    this.changed.dispose();
  }

  private lookAround(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (refusal(editor) !== undefined) {
        this.painter.paint(editor, NO_MARKS, false);
        continue;
      }
      const entry = this.entry(document);
      if (entry.version !== document.version) entry.debounce.now();
      else this.painter.paint(editor, entry.marks, false);
    }
  }

  private onEdit(event: vscode.TextDocumentChangeEvent): void {
    const entry = this.entries.get(event.document.uri.toString());
    if (entry === undefined || event.contentChanges.length === 0) return;
    entry.moved ||= event.contentChanges.some(
      ({ range, text }) => !range.isSingleLine || text.includes("\n"),
    );
    entry.debounce.ask();
  }

  private onSettings(event: vscode.ConfigurationChangeEvent): void {
    if (event.affectsConfiguration(SETTINGS.rulesFolders)) {
      this.startAgain();
      return;
    }
    for (const document of vscode.workspace.textDocuments) this.rebuild(document);
    this.lookAround();
  }

  /** Analyses all visible documents anew, for example with other rules. */
  private startAgain(): void {
    for (const entry of this.entries.values()) entry.version = -1;
    this.lookAround();
  }

  private rebuild(document: vscode.TextDocument): void {
    const entry = this.entries.get(document.uri.toString());
    if (entry?.report !== undefined) entry.marks = marksOf(entry.report, document);
    this.changed.fire(document);
  }

  private entry(document: vscode.TextDocument): Entry {
    const key = document.uri.toString();
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      debounce: new Debounce(() => void this.analyse(document)),
      report: undefined,
      marks: NO_MARKS,
      stale: false,
      moved: false,
      analysing: false,
      slow: false,
      failure: undefined,
      placed: false,
      version: -1,
    };
    this.entries.set(key, entry);
    return entry;
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.entries.get(key)?.debounce.cancel();
    this.entries.delete(key);
  }

  /** One analysis of a document at a time; an edit in between asks for another. */
  private async analyse(document: vscode.TextDocument): Promise<void> {
    const entry = this.entry(document);
    if (entry.analysing) {
      entry.debounce.ask();
      return;
    }
    entry.analysing = true;
    const { version } = document;
    const slow = setTimeout(() => {
      entry.slow = true;
      this.changed.fire(document);
    }, SLOW_MS);
    try {
      const report = await this.measure(document);
      this.take(document, entry, report);
      entry.failure = undefined;
    } catch (error) {
      entry.failure = SlopLensError.from(error).message;
      this.errors.note(error, `Marks of ${document.uri.path}`);
    } finally {
      clearTimeout(slow);
      entry.version = version;
      entry.analysing = false;
      entry.slow = false;
    }
    if (document.isClosed) return;
    this.changed.fire(document);
    this.paintVisible(document);
    if (document.version !== version) entry.debounce.ask();
    await this.lookAroundFor(document, entry);
  }

  /** Once its own marks stand, a document is analysed again with what its surroundings hold. */
  private async lookAroundFor(document: vscode.TextDocument, entry: Entry): Promise<void> {
    if (entry.placed) return;
    entry.placed = true;
    try {
      if (await this.surroundings.learn(document)) entry.debounce.now();
    } catch (error) {
      this.errors.note(error, `Clones around ${document.uri.path}`);
    }
  }

  private async measure(document: vscode.TextDocument): Promise<QualityReport | undefined> {
    const analyzer = await this.analyzer();
    return analyzer.analyzeText(documentPath(document), document.languageId, document.getText(), {
      profile: "scb-0.1.3",
      rules: ruleChoice(document),
    });
  }

  private take(document: vscode.TextDocument, entry: Entry, report: QualityReport | undefined): void {
    entry.stale = report === undefined;
    if (report === undefined) return;
    const trouble = this.ruleFaults.next(report.rules);
    if (trouble !== undefined) void this.errors.show(trouble, "Rules");
    entry.report = report;
    entry.marks = marksOf(report, document);
  }

  private paintVisible(document?: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (document !== undefined && editor.document !== document) continue;
      const entry = this.entries.get(editor.document.uri.toString());
      if (entry !== undefined && refusal(editor) === undefined) {
        this.painter.paint(editor, entry.marks, entry.moved && !entry.stale);
      }
    }
    const entry = document === undefined ? undefined : this.entries.get(document.uri.toString());
    if (entry !== undefined && !entry.stale) entry.moved = false;
  }
}

/** The path that a document has in its report. */
export function documentPath(document: vscode.TextDocument): string {
  return document.uri.scheme === "file" ? document.uri.fsPath : document.uri.path;
}

function marksOf(report: QualityReport, document: vscode.TextDocument): Marks {
  const kinds = markKinds(document);
  if (kinds === undefined) return NO_MARKS;
  const lines = document.getText().split(/\r\n|\r|\n/);
  return buildMarks(report, lines, documentPath(document), kinds);
}

function refusal(editor: vscode.TextEditor): MarkStanding | undefined {
  const { document } = editor;
  if (!SCHEMES.has(document.uri.scheme) || !isPlainEditor(editor)) return { kind: "not-here" };
  if (markKinds(document) === undefined) return { kind: "off" };
  if (!LANGUAGES.some((language) => language === document.languageId)) return { kind: "language" };
  const offset =
    document.lineCount === 0 ? 0 : document.offsetAt(document.lineAt(document.lineCount - 1).range.end);
  return offset > LARGEST ? { kind: "size" } : undefined;
}

/** Whether an editor shows one text, and not a side of a diff or a peek. */
function isPlainEditor(editor: vscode.TextEditor): boolean {
  const group = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === editor.viewColumn);
  const input = group?.activeTab?.input;
  return input instanceof vscode.TabInputText && input.uri.toString() === editor.document.uri.toString();
}
