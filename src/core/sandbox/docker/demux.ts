/** Length of the header before every frame: stream type, three zero bytes, length in big endian. */
const HEADER = 8;
const STDERR = 2;

/**
 * Takes a container's attach stream apart into standard output and standard error, without keeping more than a header.
 * Format: Docker Engine API, "Attach to a container", stream format.
 */
export class Demultiplexer {
  readonly #header = Buffer.alloc(HEADER);
  #headerLength = 0;
  #left = 0;

  constructor(
    private readonly onStdout: (chunk: Uint8Array) => void,
    private readonly onStderr: (chunk: Uint8Array) => void,
  ) {}

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length)
      at += this.#left > 0 ? this.#takePayload(chunk, at) : this.#takeHeader(chunk, at);
  }

  #takeHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerLength, at, at + HEADER - this.#headerLength);
    this.#headerLength += taken;
    if (this.#headerLength === HEADER) {
      this.#left = this.#header.readUInt32BE(4);
      if (this.#left === 0) this.#headerLength = 0;
    }
    return taken;
  }

  #takePayload(chunk: Buffer, at: number): number {
    const payload = chunk.subarray(at, at + this.#left);
    if (this.#header[0] === STDERR) this.onStderr(payload);
    else this.onStdout(payload);
    this.#left -= payload.length;
    if (this.#left === 0) this.#headerLength = 0;
    return payload.length;
  }
}
