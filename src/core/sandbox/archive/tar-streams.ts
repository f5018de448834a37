import type { extract, pack } from "tar-stream";

/** tar-stream's streams are not Node's own; these bridges keep back-pressure and errors between the two kinds. */
type TarWritable = ReturnType<typeof extract> | ReturnType<ReturnType<typeof pack>["entry"]>;

/** Writes all of `source` and ends `sink`. Stops quietly when the sink is destroyed: its own user sees why. */
export async function pour(source: AsyncIterable<unknown>, sink: TarWritable): Promise<void> {
  for await (const chunk of source) {
    if (sink.destroying) return;
    if (!sink.write(chunk)) await drained(sink);
  }
  sink.end(undefined);
}

function drained(sink: TarWritable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off("drain", done);
      sink.off("close", done);
      resolve();
    };
    sink.on("drain", done);
    sink.on("close", done);
  });
}

/** The chunks of a tar entry as bytes. */
export async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}
