/** Texts of this length and more are kept once for all readings, because rules say the same to many files. */
const SHARED_LENGTH = 24;
/** Most texts that are kept for all readings. */
const MOST_SHARED = 20_000;

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { ignoreBOM: true }) };

/** Writes numbers and texts as bytes. Each text is written once, however often it is used. */
export class ByteWriter {
  readonly #body = new GrowingBytes();
  readonly #texts = new Map<string, number>();

  /** @throws RangeError when `value` is no integer from 0 to 2³¹ − 1 */
  count(value: number): void {
    this.#body.varint(value);
  }

  real(value: number): void {
    this.#body.real(value);
  }

  text(value: string): void {
    let number = this.#texts.get(value);
    if (number === undefined) {
      number = this.#texts.size;
      this.#texts.set(value, number);
    }
    this.#body.varint(number);
  }

  /** Everything that was written, after a table of its texts. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const texts = [...this.#texts.keys()];
    const own = texts.filter((text) => text.length < SHARED_LENGTH);
    const shared = texts.filter((text) => text.length >= SHARED_LENGTH);
    const head = new GrowingBytes();
    head.varint(texts.length);
    for (const text of texts) head.varint(text.length);
    for (const part of [own, shared]) {
      const bytes = utf8.encoder.encode(part.join(""));
      head.varint(bytes.length);
      head.bytes(bytes);
    }
    head.bytes(this.#body.toBytes());
    return head.toBytes();
  }
}

/** Reads what a `ByteWriter` wrote. Every method throws a RangeError when the bytes end too early or make no sense. */
export class ByteReader {
  static readonly #shared = new Map<string, string>();
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #texts: readonly string[];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#texts = this.#readTexts();
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
    const text = this.#texts[this.count()];
    if (text === undefined) throw new RangeError("the bytes are damaged");
    return text;
  }

  #readTexts(): string[] {
    const count = this.count();
    if (count > this.#bytes.length) throw new RangeError("the bytes are damaged");
    const lengths: number[] = [];
    for (let index = 0; index < count; index++) lengths.push(this.count());
    const own = new TextCutter(this.#block());
    const shared = new TextCutter(this.#block());
    return lengths.map((length) =>
      length < SHARED_LENGTH ? own.next(length) : ByteReader.#share(shared.next(length)),
    );
  }

  #block(): string {
    const length = this.count();
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError("the bytes are damaged");
    return utf8.decoder.decode(this.#bytes.subarray(start, this.#at));
  }

  static #share(text: string): string {
    const known = ByteReader.#shared.get(text);
    if (known !== undefined) return known;
    if (ByteReader.#shared.size < MOST_SHARED) ByteReader.#shared.set(text, text);
    return text;
  }
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
