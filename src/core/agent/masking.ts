/** Takes the place of a secret wherever it would be shown or kept. */
export const MASK = "***";
/** Shorter values would mask ordinary words. */
const SHORTEST_SECRET = 6;

/**
 * The texts that are to be masked for some secrets: the values, their lines, and what they look like in JSON, YAML,
 * addresses, base64 and hexadecimal. Longest first: one that contains another must not be left in part.
 */
export function maskable(secrets: readonly string[]): string[] {
  const long = secrets.flatMap(partsOf).filter((part) => part.length >= SHORTEST_SECRET);
  return [...new Set(long.flatMap(writtenForms))].sort((left, right) => right.length - left.length);
}

/** Programs drop the white space around a key, and print one of several lines line by line. */
function partsOf(secret: string): string[] {
  return [secret, secret.trim(), ...secret.split(/[\r\n]+/u).map((line) => line.trim())];
}

function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const inBase64 = [0, 1, 2].map((before) => base64Core(bytes, before));
  return [
    secret,
    ...inJson(secret),
    secret.replaceAll("'", "''"),
    ...inAddresses(secret),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    hex,
    hex.toUpperCase(),
  ];
}

/** As it is, in ASCII alone as Python writes it, and with its slashes escaped as PHP does. */
function inJson(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1);
  const ascii = plain.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [plain, ascii].flatMap((text) => [text, text.replaceAll("/", "\\/")]);
}

/** Programs differ in whether they leave slashes and some signs as they are, and in the case of the digits. */
function inAddresses(secret: string): string[] {
  const usual = encodeURIComponent(secret);
  const strict = usual.replace(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return [usual, strict]
    .flatMap((text) => [text, text.replaceAll("%2F", "/")])
    .flatMap((text) => [text, text.replaceAll(/%../gu, (escape) => escape.toLowerCase())]);
}

/** The digits of base64 that depend on nothing but `bytes` where `before` bytes, modulo 3, stand in front of them. */
function base64Core(bytes: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

/** Masks secrets in a whole text. */
export function masked(text: string, forms: readonly string[]): string {
  return forms.reduce((clean, form) => clean.replaceAll(form, MASK), text);
}

/** Masks secrets in a stream of bytes, also one that a chunk's end cuts in two. Everything else passes as it is. */
export class MaskingStream {
  /** One character a byte, so that any bytes survive. */
  private readonly secrets: readonly string[];
  private held = "";

  constructor(
    secrets: readonly string[],
    private readonly onChunk: (chunk: Uint8Array) => void,
  ) {
    this.secrets = maskable(secrets).map((secret) => Buffer.from(secret, "utf8").toString("latin1"));
  }

  push(chunk: Uint8Array): void {
    if (this.secrets.length === 0) {
      this.onChunk(chunk);
      return;
    }
    const arrived = this.held + Buffer.from(chunk).toString("latin1");
    const clean = masked(arrived, this.secrets);
    const unsure = Math.max(...this.secrets.map((secret) => beginningAtEnd(clean, secret)));
    this.held = clean.slice(clean.length - unsure);
    this.handOn(clean.slice(0, clean.length - unsure));
  }

  /** Hands on what might have become a secret and did not. */
  end(): void {
    this.handOn(this.held);
    this.held = "";
  }

  private handOn(text: string): void {
    if (text !== "") this.onChunk(Buffer.from(text, "latin1"));
  }
}

/** How many characters at the end of `text` are the beginning of `secret`, but not all of it. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
