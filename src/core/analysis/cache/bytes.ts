/** Most phrases that are kept for all readings. */
const MOST_PHRASES = 20_000;

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { ignoreBOM: true }) };

/** Writes numbers and texts as bytes. Each text is written once, however often it is used. */
export class ByteWriter {
  readonly #body = new GrowingBytes();
  readonly #texts = new TextTable();
  readonly #phrases = new TextTable();

  /** @throws RangeError when `value` is no integer from 0 to 2³¹ − 1 */
  count(value: number): void {
    this.#body.varint(value);
  }

  real(value: number): void {
    this.#body.real(value);
  }

  text(value: string): void {
    this.#body.varint(this.#texts.numberOf(value));
  }

  /** A text that many files have in common, such as what a rule says. */
  phrase(value: string): void {
    this.#body.varint(this.#phrases.numberOf(value));
  }

  /** A byte that says what follows, and everything that was written, after its texts. */
  toBytes(first: number): Uint8Array<ArrayBuffer> {
    const all = new GrowingBytes();
    all.varint(first);
    this.#texts.write(all);
    this.#phrases.write(all);
    all.bytes(this.#body.toBytes());
    return all.toBytes();
  }
}

class TextTable {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }

  write(bytes: GrowingBytes): void {
    const texts = [...this.#numbers.keys()];
    bytes.varint(texts.length);
    for (const text of texts) bytes.varint(text.length);
    const block = utf8.encoder.encode(texts.join(""));
    bytes.varint(block.length);
    bytes.bytes(block);
  }
}

/** Phrases are kept once for all readings. */
const phrases = new Map<string, string>();

/** Reads what a `ByteWriter` wrote, behind its first byte. Every method throws a RangeError when the bytes end too early or make no sense. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #texts: readonly string[];
  readonly #phrases: readonly string[];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#texts = this.#table();
    this.#phrases = this.#table().map(keptOnce);
  }

  count(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("the bytes are damaged");
  }

  real(): number {
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  text(): string {
    return entry(this.#texts, this.count());
  }

  phrase(): string {
    return entry(this.#phrases, this.count());
  }

  #table(): string[] {
    const count = this.count();
    if (count > this.#bytes.length) throw new RangeError("the bytes are damaged");
    const lengths: number[] = [];
    for (let index = 0; index < count; index++) lengths.push(this.count());
    const end = this.count() + this.#at;
    if (end > this.#bytes.length) throw new RangeError("the bytes are damaged");
    const cutter = new TextCutter(utf8.decoder.decode(this.#bytes.subarray(this.#at, end)));
    this.#at = end;
    return lengths.map((length) => cutter.next(length));
  }
}

function entry(table: readonly string[], number: number): string {
  const text = table[number];
  if (text === undefined) throw new RangeError("the bytes are damaged");
  return text;
}

function keptOnce(phrase: string): string {
  const known = phrases.get(phrase);
  if (known !== undefined) return known;
  if (phrases.size < MOST_PHRASES) phrases.set(phrase, phrase);
  return phrase;
}

/** Cuts a text into pieces from its start. */
class TextCutter {
  #at = 0;

  constructor(private readonly text: string) {}

  next(length: number): string {
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.text.length) throw new RangeError("the bytes are damaged");
    return this.text.slice(start, this.#at);
  }
}

class GrowingBytes {
  #bytes = new Uint8Array(1024);
  #length = 0;

  varint(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > 0x7fffffff) {
      throw new RangeError(`${value} cannot be written`);
    }
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  real(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy with a buffer of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
