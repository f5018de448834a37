import { Readable, type Writable } from "node:stream";

import type { CommandStreams } from "./sandbox.js";

/**
 * Gives a command its input and ends it. A command may end without reading its input; that is no trouble of ours, and
 * the iterator of an input that comes in chunks is closed then.
 */
export function feed(sink: Writable, input: CommandStreams["stdin"]): void {
  sink.on("error", () => undefined);
  if (input === undefined) {
    sink.end();
  } else if (typeof input === "string" || input instanceof Uint8Array) {
    sink.end(input);
  } else {
    const source = Readable.from(input, { objectMode: true });
    source.on("error", () => sink.end());
    sink.once("close", () => source.destroy());
    source.pipe(sink);
  }
}
