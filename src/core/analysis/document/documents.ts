import { setTimeout as delay } from "node:timers/promises";
import { SlopLensError } from "../../model/errors.js";
import type { LanguageId } from "../../model/quality.js";
import type { RuleChoice } from "../analysis.js";
import type { CloneMemory } from "../clone-memory.js";
import { languageOfEditorId } from "../languages/languages.js";
import type { DocumentTools } from "../measurer.js";
import { applyChanges } from "./change.js";
import { OpenDocument } from "./open-document.js";
import type {
  DocumentAnswer,
  DocumentReading,
  DocumentRequest,
  DocumentThread,
  EditRequest,
  OpenRequest,
  Remedy,
  RemedyRequest,
  StepRequest,
} from "./reading.js";

/** Where documents get what they are measured with. */
export interface ToolSource {
  /** @throws SlopLensError when grammar or rules cannot be loaded */
  toolsFor(language: LanguageId, rules: RuleChoice): Promise<DocumentTools>;
}

/** Typing has paused when no edit has come for so long. */
const REST_MS = 400;

interface Entry {
  version: number;
  text: string;
  /** Ends when the document is ready to be measured. */
  readonly opening: Promise<OpenDocument>;
  /** The present version has been measured. */
  isMeasured: boolean;
  isClosed: boolean;
}

/** The documents that are open in this thread. */
export class Documents implements DocumentThread {
  readonly #entries = new Map<number, Entry>();

  constructor(
    private readonly tools: ToolSource,
    private readonly clones: CloneMemory,
  ) {}

  /** @throws SlopLensError when the document cannot be measured */
  answer(request: DocumentRequest): Promise<DocumentAnswer> {
    switch (request.ask) {
      case "open":
        return this.#open(request);
      case "edit":
        return this.#edit(request);
      case "rules":
        return this.#rules(request);
      case "rest":
        return this.#rest(request);
      case "clones":
        return this.#refresh(request);
      case "close":
        return this.#close(request.document);
    }
  }

  async remedy({ document, version, kind, match }: RemedyRequest): Promise<Remedy | undefined> {
    const entry = this.#entries.get(document);
    const open = entry && (await this.#turn(entry, version));
    return entry?.isMeasured === true ? open?.remedy(kind, match) : undefined;
  }

  #open(request: OpenRequest): Promise<DocumentAnswer> {
    const { document, version, text } = request;
    const opening = this.#prepare(request);
    const entry = { version, text, opening, isMeasured: false, isClosed: false };
    this.#entries.set(document, entry);
    opening.catch(() => this.#entries.delete(document));
    return this.#measure(entry, version, true);
  }

  async #prepare({ path, languageId, options }: OpenRequest): Promise<OpenDocument> {
    const language = languageOfEditorId(languageId);
    if (language === undefined) throw new SlopLensError("bad-input", `${languageId} is not measured`);
    const tools = await this.tools.toolsFor(language.id, options.rules);
    return new OpenDocument({ path, options, tools, clones: this.clones });
  }

  async #edit({ document, base, version, changes }: EditRequest): Promise<DocumentAnswer> {
    const entry = this.#entries.get(document);
    if (entry === undefined) return "unknown";
    if (version <= entry.version) return "overtaken";
    if (base !== entry.version) {
      await this.#close(document);
      return "unknown";
    }
    entry.text = applyChanges(entry.text, changes);
    entry.version = version;
    entry.isMeasured = false;
    return this.#measure(entry, version, false);
  }

  async #measure(entry: Entry, version: number, atRest: boolean): Promise<DocumentAnswer> {
    const document = await this.#turn(entry, version);
    if (document === undefined) return "overtaken";
    const reading = document.measure(version, entry.text, atRest);
    entry.isMeasured = reading.report !== undefined;
    return reading;
  }

  async #rules({ document, version }: StepRequest): Promise<DocumentAnswer> {
    const entry = this.#entries.get(document);
    if (entry === undefined) return "unknown";
    const open = await this.#turn(entry, version);
    if (open === undefined) return "overtaken";
    return (entry.isMeasured ? open.applyRules(version) : undefined) ?? "overtaken";
  }

  async #rest({ document, version }: StepRequest): Promise<DocumentAnswer> {
    const entry = this.#entries.get(document);
    if (entry === undefined) return "unknown";
    await delay(REST_MS, undefined, { ref: false });
    const open = await this.#turn(entry, version);
    if (open === undefined) return "overtaken";
    return this.#whole(entry, open, version) ?? "overtaken";
  }

  #whole(entry: Entry, open: OpenDocument, version: number): DocumentReading | undefined {
    if (entry.isMeasured) return open.applyRules(version);
    const reading = open.measure(version, entry.text, true);
    entry.isMeasured = reading.report !== undefined;
    return entry.isMeasured ? (open.applyRules(version) ?? reading) : undefined;
  }

  async #refresh({ document, version }: StepRequest): Promise<DocumentAnswer> {
    const entry = this.#entries.get(document);
    if (entry === undefined) return "unknown";
    const open = await this.#turn(entry, version);
    if (open === undefined) return "overtaken";
    return (entry.isMeasured ? open.refresh(version) : undefined) ?? "overtaken";
  }

  async #close(document: number): Promise<DocumentAnswer> {
    const entry = this.#entries.get(document);
    if (entry === undefined) return "unknown";
    this.#entries.delete(document);
    entry.isClosed = true;
    (await entry.opening).close();
    return "overtaken";
  }

  /**
   * Waits until the document is ready and all edits that have arrived are taken.
   * @returns undefined when the version is not the present one then
   */
  async #turn(entry: Entry, version: number): Promise<OpenDocument | undefined> {
    const open = await entry.opening;
    await new Promise((resolve) => setImmediate(resolve));
    return entry.isClosed || entry.version !== version ? undefined : open;
  }
}
