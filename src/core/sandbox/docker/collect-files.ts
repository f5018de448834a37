import { IncomingMessage } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";

import type Docker from "dockerode";
import { extract } from "tar-stream";
import { z } from "zod";

import { bytesOf, pour } from "../archive/tar-streams.js";
import { unpackInto, type Unpacked } from "../archive/unpack.js";
import type { Engine } from "./engine.js";
import { lost } from "./engine-errors.js";

/** How long a copy may stand still while we wait for it, in milliseconds. */
const SILENCE = 20_000;
/** What the engine tells about a path in a container (Docker Engine API, HEAD of a container's archive). */
const STAT_HEADER = "x-docker-container-path-stat";
const answerSchema = z.object({ headers: z.object({ [STAT_HEADER]: z.string() }) });
const statSchema = z.object({ mode: z.number() });
/** The highest bit of a mode as Go writes it stands for a folder. */
const GO_FOLDER = 2 ** 31;

/**
 * Copies a folder of a container to the empty host folder `target`.
 * @returns paths that were wanted but are not representable on the host
 * @throws SlopLensError run-folder above a cap, engine-lost, disk-full, bad-input, cancelled
 */
export async function collectFiles(
  engine: Engine,
  container: Docker.Container,
  request: {
    readonly folder: string;
    readonly target: string;
    readonly keep: (relativePath: string) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<string[]> {
  const { folder, target, keep, signal } = request;
  const archive = await readArchive(engine, container, folder, signal);
  const unpacked = await unpackInto(target, archive, { keep, signal });
  for (const relative of unpacked.pending) {
    const single = await readArchive(engine, container, path.posix.join(folder, relative), signal);
    if (!(await addSingle(unpacked, relative, single))) unpacked.leftOut.push(relative);
  }
  await unpacked.folder.finish();
  return unpacked.leftOut;
}

/** Whether a path in a container is a folder; one that a link leads to is none. */
export async function isFolder(
  engine: Engine,
  container: Docker.Container,
  where: string,
  signal: AbortSignal,
): Promise<boolean> {
  const what = "looking at a folder";
  const answer: unknown = await engine.find(what, container.infoArchive({ path: where }), { signal });
  const header = answerSchema.safeParse(answer);
  if (!header.success) return false;
  const stat = statSchema.parse(
    JSON.parse(Buffer.from(header.data.headers[STAT_HEADER], "base64").toString()),
  );
  return stat.mode >= GO_FOLDER;
}

async function readArchive(
  engine: Engine,
  container: Docker.Container,
  where: string,
  signal: AbortSignal,
): Promise<Readable> {
  const options = { path: where, abortSignal: signal };
  const stream = await engine.call("copying files", container.getArchive(options), { signal });
  if (stream instanceof IncomingMessage) {
    // An engine that goes away without a word would leave the copy waiting for ever. What waits for us is no silence.
    stream.setTimeout(SILENCE, () => {
      if (stream.readableLength === 0)
        stream.destroy(lost("copying files", `silent for ${SILENCE / 1000} s`));
    });
  }
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
