/** Bytes kept of each end. */
const END_LIMIT = 1024 * 1024;

/** Output of any length, of which the first and the last mebibyte are kept. */
export class CapturedText {
  private readonly head: Buffer[] = [];
  private headLength = 0;
  private tail: Buffer[] = [];
  private tailLength = 0;
  private dropped = 0;

  constructor(private readonly limit = END_LIMIT) {}

  /** Takes the next bytes; they are copied. */
  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes);
    const room = this.limit - this.headLength;
    if (room > 0) {
      const taken = chunk.subarray(0, room);
      this.head.push(taken);
      this.headLength += taken.length;
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    this.tail.push(rest);
    this.tailLength += rest.length;
    if (this.tailLength > 2 * this.limit) this.shrinkTail();
  }

  /** The text, with a line in place of what was left out. */
  toString(): string {
    this.shrinkTail();
    const head = Buffer.concat(this.head).toString("utf8");
    const tail = Buffer.concat(this.tail).toString("utf8");
    return this.dropped === 0 ? head + tail : `${head}\n[… ${this.dropped} bytes left out …]\n${tail}`;
  }

  private shrinkTail(): void {
    const whole = Buffer.concat(this.tail);
    const excess = Math.max(0, whole.length - this.limit);
    this.dropped += excess;
    this.tail = [Buffer.from(whole.subarray(excess))];
    this.tailLength = whole.length - excess;
  }
}
