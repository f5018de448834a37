/** Agents write whole files into one line; what is longer than this many characters is not read. */
export const LONGEST_LINE = 16 * 1024 * 1024;

export interface Line {
  /** 1-based. */
  readonly number: number;
  /** Without its line break; undefined when it is longer than {@link LONGEST_LINE}. */
  readonly text: string | undefined;
}

/** Cuts UTF-8 into lines as it streams in. Holds one line at a time, and of one that is too long nothing. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  longest = LONGEST_LINE,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const cutter = new LineCutter(longest);
  for await (const chunk of chunks) yield* cutter.push(decoder.decode(chunk, { stream: true }));
  yield* cutter.push(decoder.decode());
  yield* cutter.end();
}

/** Cuts text into lines as it arrives in pieces of any size. */
export class LineCutter {
  private pieces: string[] = [];
  private length = 0;
  private number = 0;

  constructor(private readonly longest = LONGEST_LINE) {}

  *push(text: string): Generator<Line> {
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.hold(part);
      yield this.take();
    }
    this.hold(last);
  }

  /** What stands after the last line break. */
  *end(): Generator<Line> {
    if (this.length > 0) yield this.take();
  }

  private hold(part: string): void {
    this.length += part.length;
    if (this.length > this.longest) this.pieces = [];
    else this.pieces.push(part);
  }

  private take(): Line {
    const text = this.length > this.longest ? undefined : this.pieces.join("").replace(/\r$/u, "");
    this.pieces = [];
    this.length = 0;
    this.number += 1;
    return { number: this.number, text };
  }
}
