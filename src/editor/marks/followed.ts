import type * as vscode from "vscode";
import type { Analyzer } from "../../core/analysis/analysis.js";
import type {
  DocumentReading,
  DocumentSession,
  Remedy,
  RemedyKind,
} from "../../core/analysis/document/reading.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { QualityReport, RuleMatch } from "../../core/model/quality.js";
import { EARLIER_SCHEME } from "../ids.js";
import { markKinds, profileChoice, ruleChoice } from "../settings.js";
import { hasFewer, moveMarks, untouchedMarks, type LineEdit } from "./line-edits.js";
import { buildMarks, NO_MARKS, type Marks } from "./marks.js";

/** Scheme of the documents that the cells of notebooks are. */
export const NOTEBOOK_CELL = "vscode-notebook-cell";

/** An analysis that takes longer is spoken of. */
const SLOW_MS = 500;
/** A text that is being written is broken for a moment; it is spoken of when it stays so. */
const STAYS_BROKEN_MS = 600;

/**
 * Half a statement may read as something else: a line that is indented too far ends a function. Marks that go out with
 * an edit elsewhere stay until typing pauses for so long.
 */
const GOES_OUT_MS = 500;

/** Told when what is known of a document changes. */
export interface FollowListener {
  /** Its marks, or why it has none, changed. */
  changed(followed: FollowedDocument): void;
  /** A report came. */
  measured(followed: FollowedDocument, report: QualityReport): void;
  failed(followed: FollowedDocument, error: unknown): void;
}

/** A document whose marks follow its edits: what is known of it, and the session that finds out more. */
export class FollowedDocument {
  report: QualityReport | undefined;
  marks: Marks = NO_MARKS;
  /** Syntax errors came to stay; the marks are of an earlier text. */
  isStale = false;
  isSlow = false;
  failure: string | undefined;
  /** Its surroundings were looked at for clones. */
  isPlaced = false;
  /** Version of the last reading; −1 when there is none that counts. */
  private version = -1;
  private session: DocumentSession | undefined;
  /** Marks that should still be there, as no edit has touched them since they were built. */
  private expected: Marks = NO_MARKS;
  private editedAt = 0;
  private held: NodeJS.Timeout | undefined;
  private isOpening = false;
  private slow: NodeJS.Timeout | undefined;
  private broken: NodeJS.Timeout | undefined;

  constructor(
    readonly document: vscode.TextDocument,
    private readonly analyzer: () => Promise<Analyzer>,
    private readonly listener: FollowListener,
  ) {}

  get isOpen(): boolean {
    return this.session !== undefined || this.isOpening;
  }

  /** Whether the report is of the present text. */
  get isCurrent(): boolean {
    return this.report !== undefined && this.version === this.document.version;
  }

  /** What can be done about a match; undefined when nothing can, or it is no longer there. */
  async remedy(kind: RemedyKind, match: RuleMatch): Promise<Remedy | undefined> {
    return this.isCurrent ? this.session?.remedy(kind, match) : undefined;
  }

  /** Makes sure that the present text is measured. */
  follow(): void {
    if (this.version !== this.document.version) this.open();
  }

  edit(
    version: number,
    changes: readonly vscode.TextDocumentContentChangeEvent[],
    edits: readonly LineEdit[],
  ): void {
    this.marks = moveMarks(this.marks, edits);
    this.expected = untouchedMarks(this.expected, edits);
    this.editedAt = Date.now();
    clearTimeout(this.held);
    this.waitForReading();
    if (this.session === undefined) this.open();
    else {
      this.session.edit(
        version,
        changes.map(({ rangeOffset, rangeLength, text }) => ({
          offset: rangeOffset,
          length: rangeLength,
          text,
        })),
      );
    }
  }

  /** Asks whether clones came or went with other documents. */
  refresh(): void {
    this.session?.refresh();
  }

  /** Forgets the readings, for example because other rules hold now. */
  restart(): void {
    this.leave();
    this.version = -1;
  }

  /** Builds the marks again, for example because others are wanted now. */
  rebuild(): void {
    if (this.report === undefined) return;
    this.marks = marksOf(this.report, this.document);
    this.expected = this.marks;
  }

  /** Stops following; what is known stays. */
  leave(): void {
    clearTimeout(this.slow);
    clearTimeout(this.broken);
    clearTimeout(this.held);
    this.slow = undefined;
    this.broken = undefined;
    this.session?.close();
    this.session = undefined;
    this.isOpening = false;
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpening = true;
    this.waitForReading();
    this.analyzer().then(
      (analyzer) => {
        if (!this.isOpening) return;
        this.isOpening = false;
        this.session = this.start(analyzer);
      },
      (error: unknown) => {
        this.isOpening = false;
        this.fail(error);
      },
    );
  }

  private start(analyzer: Analyzer): DocumentSession {
    const { document } = this;
    const own: DocumentSession = analyzer.openDocument(
      {
        path: documentPath(document),
        languageId: document.languageId,
        read: () => ({ version: document.version, text: document.getText() }),
      },
      { profile: profileChoice(document), rules: ruleChoice(document.uri) },
      {
        onReading: (reading) => {
          if (this.session === own) this.take(reading);
        },
        onFailure: (error) => {
          if (this.session === own) this.fail(error);
        },
      },
    );
    return own;
  }

  private take({ version, report, rules }: DocumentReading): void {
    // The reading of the edits since is on its way.
    if (version !== this.document.version && this.report !== undefined) return;
    // So is the first that has rule matches; without them, verbosity would be told too low.
    if (report !== undefined && rules === "earlier" && this.report === undefined) return;
    this.version = version;
    this.failure = undefined;
    this.isSlow = false;
    clearTimeout(this.slow);
    this.slow = undefined;
    clearTimeout(this.held);
    if (report === undefined) {
      this.takeBroken();
      return;
    }
    clearTimeout(this.broken);
    this.broken = undefined;
    const marks = marksOf(report, this.document);
    const left = this.editedAt + GOES_OUT_MS - Date.now();
    if (left <= 0 || !hasFewer(marks, this.expected)) this.show(report, marks);
    else {
      this.held = setTimeout(() => {
        this.show(report, marks);
      }, left);
    }
  }

  private takeBroken(): void {
    this.broken ??= setTimeout(() => {
      this.isStale = true;
      this.listener.changed(this);
    }, STAYS_BROKEN_MS);
    if (this.report === undefined) this.listener.changed(this);
  }

  private show(report: QualityReport, marks: Marks): void {
    this.isStale = false;
    this.report = report;
    this.marks = marks;
    this.expected = marks;
    this.listener.measured(this, report);
    this.listener.changed(this);
  }

  private fail(error: unknown): void {
    clearTimeout(this.slow);
    this.slow = undefined;
    this.isSlow = false;
    this.failure = SlopLensError.from(error).message;
    this.listener.failed(this, error);
    this.listener.changed(this);
  }

  private waitForReading(): void {
    this.slow ??= setTimeout(() => {
      this.isSlow = true;
      this.listener.changed(this);
    }, SLOW_MS);
  }
}

/**
 * The path that a document has in its report; the cells of a notebook each have one, and the earlier side of a diff
 * stands under the later one's path.
 */
export function documentPath({ uri }: Pick<vscode.TextDocument, "uri">): string {
  if (uri.scheme === NOTEBOOK_CELL) return `${uri.path}#${uri.fragment}`;
  if (uri.scheme === EARLIER_SCHEME) return uri.query;
  return uri.scheme === "file" ? uri.fsPath : uri.path;
}

function marksOf(report: QualityReport, document: vscode.TextDocument): Marks {
  const kinds = markKinds(document);
  if (kinds === undefined) return NO_MARKS;
  const textOf = (line: number): string => (line <= document.lineCount ? document.lineAt(line - 1).text : "");
  return buildMarks(report, textOf, documentPath(document), kinds);
}
