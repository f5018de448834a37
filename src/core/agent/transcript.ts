import { mkdir, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import { plainText } from "../model/plain-text.js";
import { MaskingStream } from "./masking.js";

/** A runaway agent must not fill the disk: what comes after this many bytes of a stream is not kept. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * One output stream of an agent, written to a file as it arrives and handed on as text.
 * Secrets are masked before anything else sees them. The file exists from the start, so that an empty transcript can be told from a missing one.
 */
export class TranscriptStream {
  private readonly decoder = new TextDecoder();
  private pending: Promise<void> = Promise.resolve();
  private kept = 0;
  private trouble: unknown;
  private tail = "";
  private readonly masking: MaskingStream;

  private constructor(
    private readonly file: FileHandle,
    private readonly onText: (text: string) => void,
    secrets: readonly string[],
  ) {
    this.masking = new MaskingStream(secrets, (chunk) => {
      this.take(chunk);
    });
  }

  /**
   * @param secrets values that neither the file nor `onText` may get
   * @param isMore whether what was kept before stays in front
   */
  static async create(
    folder: string,
    name: string,
    onText: (text: string) => void,
    secrets: readonly string[],
    isMore = false,
  ): Promise<TranscriptStream> {
    await mkdir(folder, { recursive: true });
    return new TranscriptStream(await open(path.join(folder, name), isMore ? "a" : "w"), onText, secrets);
  }

  write(chunk: Uint8Array): void {
    this.masking.push(chunk);
  }

  private take(chunk: Uint8Array): void {
    const text = this.decoder.decode(chunk, { stream: true });
    this.tail = (this.tail + text).slice(-2000);
    this.onText(text);
    this.keep(chunk);
  }

  /** The last line with something on it, shortened for a message, once closed; undefined when nothing was written. */
  lastLine(): string | undefined {
    // Colours, window titles and the like are no part of a message.
    const line = plainText(this.tail)
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1)
      ?.trim();
    return line === undefined || line === "" ? undefined : line.slice(0, 300);
  }

  /** @throws SlopLensError disk-full or internal when something could not be written */
  async close(): Promise<void> {
    this.masking.end();
    await this.pending;
    await this.file.close();
    if (this.trouble !== undefined) throw SlopLensError.from(this.trouble);
  }

  private keep(chunk: Uint8Array): void {
    if (this.kept >= KEPT_BYTES || this.trouble !== undefined) return;
    const taken = chunk.subarray(0, KEPT_BYTES - this.kept);
    this.kept += taken.length;
    this.append(taken);
    if (this.kept >= KEPT_BYTES) this.append(Buffer.from("\n[the rest was not kept]\n"));
  }

  private append(bytes: Uint8Array): void {
    const copy = Uint8Array.from(bytes);
    this.pending = this.pending
      .then(() => this.file.appendFile(copy))
      .catch((error: unknown) => {
        this.trouble ??= error;
      });
  }
}
