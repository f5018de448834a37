/** Longest frame that the harness sends, in bytes. */
const FRAME_LIMIT = 4096;
/** A message longer than this is none of the harness's. */
const MESSAGE_LIMIT = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

export interface FrameHandlers {
  /** One whole message, as JSON text. */
  readonly onMessage: (text: string) => void;
  /** Bytes that belong to no frame, in their order. The buffer is only valid during the call. */
  readonly onText: (bytes: Buffer) => void;
}

interface Frame {
  readonly source: string;
  readonly sequence: number;
  readonly last: boolean;
  readonly piece: string;
}

interface Source {
  next: number;
  pieces: string[];
  length: number;
}

/**
 * Takes the harness's frames out of a byte stream that also carries other output, in chunks cut anywhere.
 * The form of a frame is described in `harness/slop_lens_harness/frames.py`. Only frames with the right nonce count;
 * whatever else looks like one is text.
 */
export class FrameReader {
  private readonly mark: Buffer;
  private readonly sources = new Map<string, Source>();
  private pending: Buffer = Buffer.alloc(0);
  private fault: string | undefined;

  constructor(
    nonce: string,
    private readonly handlers: FrameHandlers,
  ) {
    this.mark = Buffer.from(`\x1e${nonce} `, "latin1");
  }

  /** Why the stream cannot be trusted: a frame is lost, repeated, broken or unfinished; undefined when it is whole. */
  get damage(): string | undefined {
    if (this.fault !== undefined) return this.fault;
    const unfinished = [...this.sources.values()].some((source) => source.pieces.length > 0);
    return unfinished ? "the last message is not complete" : undefined;
  }

  /** Takes the next chunk. */
  push(chunk: Uint8Array): void {
    this.pending = this.pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.pending, chunk]);
    while (this.takeNext());
  }

  /** Hands out what is left when the stream has ended; a frame that was cut off is text. */
  end(): void {
    this.emitText(this.pending.length);
  }

  /** Takes text and at most one frame from the front; false when more bytes are needed. */
  private takeNext(): boolean {
    const start = this.pending.indexOf(this.mark);
    if (start < 0) {
      this.emitText(this.pending.length - this.beginningOfMark());
      return false;
    }
    this.emitText(start);
    const end = this.pending.indexOf(LINE_FEED, this.mark.length);
    const length = end < 0 ? this.pending.length : end + 1;
    if (length > FRAME_LIMIT) {
      this.fault ??= "a frame is broken";
      this.emitText(this.mark.length);
      return true;
    }
    if (end < 0) return false;
    this.takeFrame(this.pending.toString("latin1", this.mark.length, end));
    this.pending = this.pending.subarray(end + 1);
    return true;
  }

  private takeFrame(text: string): void {
    const frame = parseFrame(text);
    if (frame === undefined) {
      this.fault ??= "a frame is broken";
      return;
    }
    const source = this.sources.get(frame.source) ?? { next: 0, pieces: [], length: 0 };
    this.sources.set(frame.source, source);
    if (frame.sequence !== source.next) {
      this.fault ??= `frame ${frame.sequence} of ${frame.source} came where ${source.next} was due`;
    }
    source.next = frame.sequence + 1;
    source.pieces.push(frame.piece);
    source.length += frame.piece.length;
    const tooLong = source.length > MESSAGE_LIMIT;
    if (tooLong) this.fault ??= "a message is too long";
    if (!frame.last && !tooLong) return;
    const message = source.pieces.join("");
    source.pieces = [];
    source.length = 0;
    this.handlers.onMessage(message);
  }

  /** How many bytes at the end may be the beginning of a mark. */
  private beginningOfMark(): number {
    const from = Math.max(0, this.pending.length - this.mark.length + 1);
    for (let at = from; at < this.pending.length; at++) {
      if (this.mark.indexOf(this.pending.subarray(at)) === 0) return this.pending.length - at;
    }
    return 0;
  }

  private emitText(length: number): void {
    if (length > 0) this.handlers.onText(this.pending.subarray(0, length));
    this.pending = this.pending.subarray(length);
  }
}

/** Reads what stands between the mark and the line feed. */
function parseFrame(text: string): Frame | undefined {
  const match = /^([a-z]+) (\d+) ([+.]) (.*)$/su.exec(text);
  if (match === null) return undefined;
  const [, source = "", sequence = "", flag = "", piece = ""] = match;
  return { source, sequence: Number(sequence), last: flag === ".", piece };
}
