import path from "node:path";
import { Readable } from "node:stream";

import type Docker from "dockerode";
import { extract } from "tar-stream";

import { bytesOf, pour } from "../archive/tar-streams.js";
import { unpackInto, type Unpacked } from "../archive/unpack.js";
import type { Engine } from "./engine.js";
import { lost } from "./engine-errors.js";

/**
 * Copies a container's workspace to the empty host folder `target`.
 * @returns paths that were wanted but are not representable on the host
 * @throws SlopLensError run-folder above a cap, engine-lost, disk-full, bad-input, cancelled
 */
export async function collectFiles(
  engine: Engine,
  container: Docker.Container,
  request: {
    readonly workspace: string;
    readonly target: string;
    readonly keep: (relativePath: string) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<string[]> {
  const { workspace, target, keep, signal } = request;
  const archive = await readArchive(engine, container, workspace, signal);
  const unpacked = await unpackInto(target, archive, { keep, signal });
  for (const relative of unpacked.pending) {
    const single = await readArchive(engine, container, path.posix.join(workspace, relative), signal);
    if (!(await addSingle(unpacked, relative, single))) unpacked.leftOut.push(relative);
  }
  await unpacked.folder.finish();
  return unpacked.leftOut;
}

async function readArchive(
  engine: Engine,
  container: Docker.Container,
  where: string,
  signal: AbortSignal,
): Promise<Readable> {
  const options = { path: where, abortSignal: signal };
  const stream = await engine.call("copying files", container.getArchive(options), { signal });
  if (stream instanceof Readable) return stream;
  throw lost("copying files", "the engine sends no stream");
}

/** A hard link's content, asked for by its own name. */
async function addSingle(unpacked: Unpacked, relative: string, archive: Readable): Promise<boolean> {
  const parser = extract();
  const feeding = pour(archive, parser);
  feeding.catch((error: unknown) => {
    parser.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  let added = false;
  for await (const entry of parser) {
    const { header } = entry;
    if (!added && header.type === "file") {
      await unpacked.folder.addFile(relative, header.mode, header.size, bytesOf(entry));
      added = true;
    } else entry.resume();
  }
  return added;
}
