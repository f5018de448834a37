/** A line longer than this many UTF-16 units is handed on in pieces: nobody reads it, and it must not be kept whole. */
export const LONGEST_LINE = 16 * 1024;

/** Cuts a stream of text into lines, so that each log entry is a whole one. */
export class LineBuffer {
  private rest = "";

  constructor(private readonly onLine: (line: string) => void) {}

  readonly push = (text: string): void => {
    // Only the new text is searched: a long line that arrives in small pieces would be searched over and over.
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.rest += line;
      this.handOn(this.rest.endsWith("\r") ? this.rest.slice(0, -1) : this.rest);
      this.rest = "";
    }
    this.rest += last;
    if (this.rest.length > LONGEST_LINE) {
      const whole = this.rest.length - (this.rest.length % LONGEST_LINE);
      this.handOn(this.rest.slice(0, whole));
      this.rest = this.rest.slice(whole);
    }
  };

  /** Hands on what stands after the last line break. */
  end(): void {
    if (this.rest !== "") this.handOn(this.rest);
    this.rest = "";
  }

  private handOn(line: string): void {
    let from = 0;
    do {
      this.onLine(line.slice(from, from + LONGEST_LINE));
      from += LONGEST_LINE;
    } while (from < line.length);
  }
}
