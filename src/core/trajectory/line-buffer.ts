/** Cuts a stream of text into lines, so that each log entry is a whole one. */
export class LineBuffer {
  private rest = "";

  constructor(private readonly onLine: (line: string) => void) {}

  readonly push = (text: string): void => {
    const lines = (this.rest + text).split(/\r?\n/u);
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.onLine(line);
  };

  /** Hands on what stands after the last line break. */
  end(): void {
    if (this.rest !== "") this.onLine(this.rest);
    this.rest = "";
  }
}
