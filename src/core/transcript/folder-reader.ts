import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Fields } from "../model/fields.js";
import { parsePythonJson } from "../model/python-json.js";
import type { MessageUsage } from "../model/transcript.js";
import type { AgentFile, AgentFiles } from "./agent-files.js";
import { COUNT_ONLY, type TranscriptLimits } from "./allowance.js";
import { TranscriptBuilder } from "./builder.js";
import { continuationOf, isAtif, readAtif } from "./formats/atif-import.js";
import { codexEvents } from "./formats/codex-events.js";
import { codexRollout, rolloutReader } from "./formats/codex-rollout.js";
import { PrintedTurns, RolloutOutline } from "./formats/codex-thread.js";
import { parseLine, type LineFormat, type LineReader } from "./formats/format.js";
import { formatOfLines } from "./formats/line-formats.js";
import { isOpenHands, isOpenHandsStep, readOpenHands } from "./formats/openhands.js";
import { plainReader } from "./formats/plain.js";
import { linesOf } from "./lines.js";

/** So many of a file's first lines are looked at to tell its form. */
const SNIFFED_LINES = 40;
/** A document that is no JSON lines is held whole while it is read; a larger one is not read. */
const LARGEST_DOCUMENT = 64 * 1024 * 1024;
/** An ATIF trajectory goes on in at most so many files. */
const MOST_CONTINUATIONS = 64;

/** Output streams by the names that runners give them, the fullest first. */
const OUTPUT = ["stdout.jsonl", "stdout.txt", "stdout.log", "output.log"];
const ERRORS = ["stderr.txt", "stderr.log"];
/** What is looked at first, because it is of the turn and of nothing else. */
const FIRST = ["trajectory.json", "trajectory.jsonl", "kimi-cli.txt", ...OUTPUT, "messages.jsonl"];

interface Sniffed {
  readonly file: string;
  readonly form: LineFormat;
  /** When it begins, as far as its first lines tell. */
  readonly begun: string;
}

export interface FolderReading {
  readonly builder: TranscriptBuilder;
  readonly files: readonly string[];
}

/** Finds out which of an agent's files its transcript is, and reads it. */
export class FolderReader {
  private readonly used: string[] = [];

  constructor(
    private readonly files: AgentFiles,
    private readonly listed: readonly AgentFile[],
    private readonly limits: TranscriptLimits | undefined,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns undefined when there is no file with anything in it */
  async read(): Promise<FolderReading | undefined> {
    const builder = (await this.readDocuments()) ?? (await this.readLines()) ?? (await this.readPlain());
    return builder === undefined ? undefined : { builder, files: this.used };
  }

  /** Files that are not empty, in the order in which they are looked at. */
  private candidates(...endings: readonly string[]): AgentFile[] {
    const rank = ({ path: file }: AgentFile): number => {
      const place = FIRST.indexOf(file);
      return place < 0 ? FIRST.length : place;
    };
    return this.listed
      .filter((file) => file.bytes > 0 && endings.includes(path.posix.extname(file.path)))
      .sort((left, right) => rank(left) - rank(right));
  }

  private async readDocuments(): Promise<TranscriptBuilder | undefined> {
    // Below the first level lie the agent's own settings and caches.
    const documents = this.candidates(".json").filter((file) => !file.path.includes("/"));
    for (const file of documents) {
      const builder = await this.readDocument(file);
      if (builder !== undefined) return builder;
    }
    return undefined;
  }

  private async readDocument(file: AgentFile): Promise<TranscriptBuilder | undefined> {
    const document = await this.parse(file);
    if (isAtif(document)) {
      const builder = this.begin("atif", file.path);
      readAtif(document, builder);
      await this.continueAtif(document, builder);
      return builder;
    }
    if (!isOpenHands(document)) return undefined;
    const builder = this.begin("openhands", file.path);
    readOpenHands(document, builder);
    await this.countOpenHandsSteps(builder);
    return builder;
  }

  private async continueAtif(first: unknown, builder: TranscriptBuilder): Promise<void> {
    let next = continuationOf(first);
    for (let rest = MOST_CONTINUATIONS; next !== undefined && rest > 0; rest--) {
      const name = path.posix.normalize(next);
      const file = this.listed.find((one) => one.path === name);
      if (file === undefined || this.used.includes(name)) {
        if (file === undefined) builder.note(`The transcript goes on in ${name}, which is not there`);
        return;
      }
      const document = await this.parse(file);
      this.enter(builder, name);
      if (!isAtif(document)) return;
      readAtif(document, builder);
      next = continuationOf(document);
    }
  }

  /** SCB counts lines of the output, where it was kept. */
  private async countOpenHandsSteps(builder: TranscriptBuilder): Promise<void> {
    const output = this.candidates(".log", ".txt", ".jsonl").find((file) => OUTPUT.includes(file.path));
    if (output === undefined) return;
    let steps = 0;
    for await (const { text } of this.linesOf(output.path)) {
      if (text !== undefined && isOpenHandsStep(text)) steps += 1;
    }
    if (steps > 0) builder.tally.setSteps(steps);
  }

  /** @returns undefined when it is too large or no JSON, so that it is no transcript */
  private async parse(file: AgentFile): Promise<unknown> {
    if (file.bytes > LARGEST_DOCUMENT) return undefined;
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of this.files.open(file.path, this.signal)) chunks.push(chunk);
      return parsePythonJson(Buffer.concat(chunks).toString("utf8"));
    } catch {
      this.signal.throwIfAborted();
      return undefined;
    }
  }

  private async readLines(): Promise<TranscriptBuilder | undefined> {
    const sniffed: Sniffed[] = [];
    for (const { path: file } of this.candidates(".jsonl", ".txt", ".log")) {
      const found = await this.sniff(file);
      if (found !== undefined) sniffed.push(found);
      // The turn's own output tells all, but for Codex, whose sessions tell more.
      if (found !== undefined && FIRST.includes(file) && found.form !== codexEvents) break;
    }
    const [first] = sniffed;
    if (first === undefined) return undefined;
    const rollouts = sniffed.filter(({ form }) => form === codexRollout);
    if (first.form === codexEvents && rollouts.length > 0) return this.readCodex(first, rollouts);
    const isWhole = FIRST.includes(first.file);
    return this.readAll(isWhole ? [first] : sniffed.filter(({ form }) => form === first.form));
  }

  private async readAll(parts: readonly Sniffed[]): Promise<TranscriptBuilder> {
    const inOrder = [...parts].sort((left, right) => left.begun.localeCompare(right.begun));
    const [first] = inOrder as [Sniffed, ...Sniffed[]];
    const builder = new TranscriptBuilder(first.form.format, this.limits);
    const reader = first.form.reader(builder);
    for (const { file } of inOrder) await this.pour(builder, reader, file);
    reader.end();
    return builder;
  }

  /** Steps as they were printed, everything else from the sessions, as far as it is of what was printed. */
  private async readCodex(printed: Sniffed, rollouts: readonly Sniffed[]): Promise<TranscriptBuilder> {
    const counter = new TranscriptBuilder("codex", COUNT_ONLY);
    await this.pour(counter, codexEvents.reader(counter), printed.file);
    const turns = new PrintedTurns();
    await this.eachLine(printed.file, (event) => {
      turns.take(event);
    });
    const inOrder = [...rollouts].sort((left, right) => left.begun.localeCompare(right.begun));
    const outlines = await Promise.all(inOrder.map(({ file }) => this.outlineOf(file)));
    const earlier = new Map<string, MessageUsage>();
    for (const outline of outlines) {
      const taken = outline.before[outline.earlierThan(turns)];
      if (outline.thread !== undefined && taken !== undefined) earlier.set(outline.thread, taken);
    }
    const builder = new TranscriptBuilder("codex", this.limits, earlier);
    for (const [index, { file }] of inOrder.entries()) {
      const reader = rolloutReader(builder, outlines[index]?.earlierThan(turns) ?? 0);
      await this.pour(builder, reader, file);
      reader.end();
    }
    builder.tally.setSteps(counter.tally.usage.steps);
    builder.failure = counter.failure;
    return builder;
  }

  private async outlineOf(file: string): Promise<RolloutOutline> {
    const outline = new RolloutOutline();
    await this.eachLine(file, (line) => {
      outline.take(line);
    });
    return outline;
  }

  /** Looks a file through, to its end or to where it breaks; faults are told when it is read. */
  private async eachLine(file: string, take: (line: Fields) => void): Promise<void> {
    try {
      for await (const { text } of this.linesOf(file)) {
        const line = text === undefined ? undefined : parseLine(text);
        if (line !== undefined) take(line);
      }
    } catch {
      this.signal.throwIfAborted();
    }
  }

  private async sniff(file: string): Promise<Sniffed | undefined> {
    const lines: string[] = [];
    try {
      for await (const { text } of this.linesOf(file)) {
        if (text !== undefined) lines.push(text);
        if (lines.length >= SNIFFED_LINES) break;
      }
    } catch {
      this.signal.throwIfAborted();
    }
    const form = formatOfLines(lines);
    if (form === undefined) return undefined;
    const times = lines.map((line) => parseLine(line)?.text("timestamp"));
    return { file, form, begun: times.find((time) => time !== undefined) ?? "" };
  }

  private async readPlain(): Promise<TranscriptBuilder | undefined> {
    const files = this.candidates(".txt", ".log", ".jsonl").map((file) => file.path);
    const output = OUTPUT.find((name) => files.includes(name));
    const errors = ERRORS.find((name) => files.includes(name));
    if (output === undefined && errors === undefined) return undefined;
    const builder = new TranscriptBuilder("plain", this.limits);
    for (const file of [output, errors]) {
      if (file === undefined) continue;
      const reader = plainReader(builder, file === output ? "agent" : "system");
      await this.pour(builder, reader, file);
      reader.end();
    }
    return builder;
  }

  /** Reads a file to its end, or to where it breaks. */
  private async pour(builder: TranscriptBuilder, reader: LineReader, file: string): Promise<void> {
    this.enter(builder, file);
    try {
      for await (const { number, text } of this.linesOf(file)) {
        if (text === undefined) builder.faults.add("This line is too long and was passed over", number);
        else reader.take(text, number);
      }
    } catch (error) {
      this.signal.throwIfAborted();
      builder.faults.add(`This file cannot be read to its end: ${SlopLensError.from(error).message}`);
    }
  }

  private begin(format: "atif" | "openhands", file: string): TranscriptBuilder {
    const builder = new TranscriptBuilder(format, this.limits);
    this.enter(builder, file);
    return builder;
  }

  private enter(builder: TranscriptBuilder, file: string): void {
    this.used.push(file);
    builder.faults.enter(this.files.placeOf(file));
  }

  private linesOf(
    file: string,
  ): AsyncGenerator<{ readonly number: number; readonly text: string | undefined }> {
    return linesOf(this.files.open(file, this.signal));
  }
}
