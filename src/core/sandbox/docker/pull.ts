import { Readable } from "node:stream";

import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { cancelled, within } from "../deadline.js";
import { IMAGE_CHOICE, LOCAL_CHOICE } from "../image-choice.js";
import type { Engine } from "./engine.js";
import { wordsOf } from "./engine-errors.js";

/** How long the registry may take to answer, and to send anything new, in milliseconds. */
const ANSWER_DEADLINE = 5 * 60_000;
const IDLE_DEADLINE = 5 * 60_000;
/** Milliseconds between progress lines. */
const PROGRESS_INTERVAL = 500;

const eventSchema = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
});

/** `name` with the tag `latest` where it has neither tag nor digest; else the engine would pull all tags. */
export function fullReference(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") || last.includes("@") ? name : `${name}:latest`;
}

/**
 * Pulls an image.
 * @param onProgress hears lines like `Pulling python:3.12-slim: 43 % of 45 MB`
 * @throws SlopLensError image-unavailable with the engine's words, disk-full, cancelled
 */
export async function pullImage(
  engine: Engine,
  image: string,
  onProgress: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const reference = fullReference(image);
  onProgress(`Pulling ${reference}`);
  try {
    const answer = engine.docker.pull(reference, { abortSignal: signal });
    const stream = await within(answer, {
      milliseconds: ANSWER_DEADLINE,
      onExpiry: () => new Error("the registry does not answer"),
      signal,
    });
    await follow(stream, new PullProgress(reference, onProgress), signal);
  } catch (error) {
    throw signal.aborted ? cancelled() : pullError(reference, error);
  }
}

/** What it means that a pull failed: the disk is full, or else the image cannot be had. */
export function pullError(reference: string, error: unknown): SlopLensError {
  if (SlopLensError.is(error)) return error;
  const words = wordsOf(error);
  if (/no space left on device/iu.test(words)) {
    return new SlopLensError(
      "disk-full",
      `The disk is full while pulling ${reference}`,
      "Free some space, then try again.",
      { cause: error },
    );
  }
  return new SlopLensError(
    "image-unavailable",
    `The image ${reference} is not here and cannot be pulled: ${words}`,
    `Check the name and the network, pull it yourself with \`docker pull ${reference}\`, name another image (${IMAGE_CHOICE}), or do without Docker, not isolated (${LOCAL_CHOICE}).`,
    { cause: error },
  );
}

function follow(stream: NodeJS.ReadableStream, progress: PullProgress, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = "";
    const stop = (error: Error): void => {
      finish();
      if (stream instanceof Readable) stream.destroy();
      reject(error);
    };
    const onAbort = (): void => {
      stop(cancelled());
    };
    const onIdle = (): void => {
      stop(new Error("nothing more arrives"));
    };
    let timer = setTimeout(onIdle, IDLE_DEADLINE);
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      clearTimeout(timer);
      timer = setTimeout(onIdle, IDLE_DEADLINE);
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      const failure = lines.map((line) => progress.take(line)).find((error) => error !== undefined);
      if (failure !== undefined) stop(new Error(failure));
    });
    stream.on("error", stop);
    stream.on("end", () => {
      finish();
      resolve();
    });
  });
}

/** Sums the layers' progress up to one line. */
export class PullProgress {
  readonly #layers = new Map<string, { current: number; total: number }>();
  #said = -Infinity;

  constructor(
    private readonly reference: string,
    private readonly onProgress: (line: string) => void,
  ) {}

  /** @returns the registry's words when the line tells of a failure */
  take(line: string): string | undefined {
    const event = eventSchema.safeParse(parse(line));
    if (!event.success) return undefined;
    const { id, status, error, progressDetail } = event.data;
    if (error !== undefined) return error;
    const total = progressDetail?.total;
    if (id !== undefined && status === "Downloading" && total !== undefined) {
      this.#layers.set(id, { current: progressDetail?.current ?? 0, total });
      this.#say();
    }
    return undefined;
  }

  #say(): void {
    const now = performance.now();
    if (now - this.#said < PROGRESS_INTERVAL) return;
    this.#said = now;
    const layers = [...this.#layers.values()];
    const total = layers.reduce((sum, layer) => sum + layer.total, 0);
    const current = layers.reduce((sum, layer) => sum + layer.current, 0);
    if (total === 0) return;
    const share = Math.floor((100 * current) / total);
    this.onProgress(`Pulling ${this.reference}: ${share} % of ${Math.ceil(total / 1e6)} MB`);
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
