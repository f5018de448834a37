import type { QualityReport, RuleMatch } from "../../model/quality.js";
import type { AnalysisOptions } from "../analysis.js";
import type { TextChange } from "./change.js";

/** What is known of one version of a document. */
export interface DocumentReading {
  readonly version: number;
  /** Undefined while syntax errors keep the text from being measured; the last report should stay. */
  readonly report: QualityReport | undefined;
  /**
   * How far the report's rule matches are: `earlier`: those of an earlier version, moved with the edits since;
   * `whole`: all.
   */
  readonly rules: "earlier" | "whole";
}

/** A text as it is at a version. */
export interface DocumentText {
  readonly version: number;
  readonly text: string;
}

/** A document that an editor holds. */
export interface DocumentSource {
  /** Absolute path; what the document is called in its reports. */
  readonly path: string;
  /** As VS Code calls it. */
  readonly languageId: string;
  /** The text as it is now. Asked when the document is opened, and again when its thread was lost. */
  read(): DocumentText;
}

/** Told about a document, by ascending versions. */
export interface DocumentListener {
  onReading(reading: DocumentReading): void;
  /** The document could not be measured; the next edit tries again. */
  onFailure(error: unknown): void;
}

/** An open document. Edits that a later one overtakes before they are measured have no reading. */
export interface DocumentSession {
  /**
   * Takes an edit.
   * @param version of the text with the changes; above all before it
   * @param changes each placed in the text that the one before left
   */
  edit(version: number, changes: readonly TextChange[]): void;
  /** Asks for a reading with what became known of clones in other files; there is none when nothing did. */
  refresh(): void;
  /**
   * Works out what can be done about a rule match of the present text.
   * @returns undefined when nothing can, or the text no longer has the match
   */
  remedy(kind: RemedyKind, match: RuleMatch): Promise<Remedy | undefined>;
  close(): void;
}

/** `fix`: what the rule proposes instead; `suppression`: a comment that takes the match out of the numbers. */
export type RemedyKind = "fix" | "suppression";

/** A change to a document: what lies between two places gives way to a text. Lines and columns are 1-based. */
export interface Remedy {
  readonly start: { readonly line: number; readonly column: number };
  /** Exclusive. */
  readonly end: { readonly line: number; readonly column: number };
  /** Its lines end with `\n`. */
  readonly text: string;
}

/** What a session asks about a match. */
export interface RemedyRequest {
  readonly document: number;
  readonly version: number;
  readonly kind: RemedyKind;
  readonly match: RuleMatch;
}

/** The thread that holds the documents; its promises reject with ThreadLost when it ends. */
export interface DocumentThread {
  answer(request: DocumentRequest): Promise<DocumentAnswer>;
  /** Undefined when there is no remedy, or the document is not known at that version. */
  remedy(request: RemedyRequest): Promise<Remedy | undefined>;
}

/** What a session asks of the thread that holds the documents. */
export type DocumentRequest = OpenRequest | EditRequest | StepRequest | CloseRequest;

export interface OpenRequest extends DocumentText {
  readonly ask: "open";
  /** Number that no other document has in its thread. */
  readonly document: number;
  readonly path: string;
  readonly languageId: string;
  readonly options: AnalysisOptions;
}

export interface EditRequest {
  readonly ask: "edit";
  readonly document: number;
  /** The version that the changes were made to. */
  readonly base: number;
  readonly version: number;
  readonly changes: readonly TextChange[];
}

/** `rules`: the rest of a reading; `rest`: the same when no edit has come for a while; `clones`: see `refresh`. */
export interface StepRequest {
  readonly ask: "rules" | "rest" | "clones";
  readonly document: number;
  readonly version: number;
}

export interface CloseRequest {
  readonly ask: "close";
  readonly document: number;
}

/** `overtaken`: a later version is known, or nothing is to be told; `unknown`: the document has to be opened again. */
export type DocumentAnswer = DocumentReading | "overtaken" | "unknown";
