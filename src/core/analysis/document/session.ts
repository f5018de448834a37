import { SlopLensError } from "../../model/errors.js";
import type { RuleMatch } from "../../model/quality.js";
import type { AnalysisOptions } from "../analysis.js";
import { ThreadLost } from "../threads/thread.js";
import type { TextChange } from "./change.js";
import type {
  DocumentAnswer,
  DocumentListener,
  DocumentReading,
  DocumentRequest,
  DocumentSession,
  DocumentSource,
  DocumentThread,
  Remedy,
  RemedyKind,
} from "./reading.js";

/** A document that costs its thread so often without a reading in between is not opened again before the next edit. */
const MOST_LOSSES = 2;

let lastDocument = 0;

/** The side of an open document that its editor talks to. It opens the document anew when the thread is lost. */
export class Session implements DocumentSession {
  /** Number under which the document is open in the thread; a new one each time it is opened. */
  #document = 0;
  /** The last version that was sent. */
  #sent = -1;
  #told = -1;
  #losses = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(
    private readonly thread: DocumentThread,
    private readonly source: DocumentSource,
    private readonly options: AnalysisOptions,
    private readonly listener: DocumentListener,
  ) {
    this.#open();
  }

  edit(version: number, changes: readonly TextChange[]): void {
    if (this.#isClosed || version <= this.#sent) return;
    if (!this.#isOpen) {
      this.#open();
      return;
    }
    const base = this.#sent;
    this.#sent = version;
    void this.#follow({ document: this.#document, ask: "edit", base, version, changes });
  }

  refresh(): void {
    if (this.#isClosed || !this.#isOpen) return;
    void this.#follow({ document: this.#document, ask: "clones", version: this.#sent });
  }

  async remedy(kind: RemedyKind, match: RuleMatch): Promise<Remedy | undefined> {
    if (this.#isClosed || !this.#isOpen) return undefined;
    try {
      return await this.thread.remedy({ document: this.#document, version: this.#sent, kind, match });
    } catch (error) {
      // The next edit opens the document again.
      if (error instanceof ThreadLost) return undefined;
      throw error;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#isOpen) this.#leave();
  }

  #leave(): void {
    // What is lost or was never opened needs no closing.
    this.thread.answer({ document: this.#document, ask: "close" }).catch(() => undefined);
  }

  #open(): void {
    const { path, languageId } = this.source;
    const { version, text } = this.source.read();
    this.#document = ++lastDocument;
    this.#sent = version;
    this.#isOpen = true;
    const { options } = this;
    void this.#follow({ document: this.#document, ask: "open", path, languageId, version, text, options });
  }

  /** Sends a request and what its answer calls for. */
  async #follow(request: DocumentRequest): Promise<void> {
    try {
      for (let next: DocumentRequest | undefined = request; next !== undefined;) {
        const answer = await this.thread.answer(next);
        if (this.#isClosed || request.document !== this.#document) return;
        next = this.#take(answer);
      }
    } catch (error) {
      if (!this.#isClosed && request.document === this.#document) this.#fail(error);
    }
  }

  /** @returns what is to be asked next */
  #take(answer: DocumentAnswer): DocumentRequest | undefined {
    if (answer === "unknown") {
      this.#open();
      return undefined;
    }
    if (answer === "overtaken" || answer.version < this.#told) return undefined;
    this.#told = answer.version;
    this.#losses = 0;
    this.listener.onReading(answer);
    const ask = nextStep(answer);
    return ask === undefined ? undefined : { document: this.#document, ask, version: answer.version };
  }

  #fail(error: unknown): void {
    this.#isOpen = false;
    if (!(error instanceof ThreadLost)) this.#leave();
    else if (++this.#losses <= MOST_LOSSES) {
      this.#open();
      return;
    }
    this.listener.onFailure(
      error instanceof ThreadLost
        ? new SlopLensError(
            "internal",
            `The analysis ended unexpectedly: ${error.message}`,
            "Edit the file to try again.",
            { cause: error },
          )
        : error,
    );
  }
}

function nextStep({ report, rules }: DocumentReading): "rules" | "rest" | undefined {
  if (rules === "whole") return undefined;
  return report === undefined ? "rest" : "rules";
}
