import { z } from "zod";

import type { Engine } from "./engine.js";
import { LABEL, type Kind } from "./labels.js";

/** What an image of ours tells about its making. */
const madeSchema = z.object({
  python: z.string(),
  uid: z.number().nullable(),
  gid: z.number().nullable(),
  offline: z.boolean(),
  warnings: z.array(z.string()),
  /** Milliseconds since the epoch. */
  at: z.number(),
});

export type Made = z.infer<typeof madeSchema>;

export interface OwnImage extends Made {
  readonly id: string;
  /** Name and tag. */
  readonly reference: string;
}

/** How many images of a kind are kept. */
const KEPT: Readonly<Record<ImageKind, number>> = { derived: 10, requirements: 20, layer: 8 };
/** Age after which an image that was made without the package index is made anew, in milliseconds. */
const OFFLINE_AGE = 60 * 60 * 1000;

export type ImageKind = Extract<Kind, "derived" | "requirements" | "layer">;

export function imageTag(kind: ImageKind, key: string): { repo: string; tag: string } {
  return { repo: `slop-lens/${kind}`, tag: key.slice(0, 24) };
}

/** The image of ours with this key, if it is there and worth using. */
export async function findOwnImage(
  engine: Engine,
  kind: ImageKind,
  key: string,
  signal: AbortSignal,
): Promise<OwnImage | undefined> {
  const { repo, tag } = imageTag(kind, key);
  const info = await engine.find("looking at an image", engine.docker.getImage(`${repo}:${tag}`).inspect(), {
    signal,
  });
  if (info === undefined) return undefined;
  // An image without configuration has no labels; the type definition promises more than the engine does.
  const labels = (info.Config as typeof info.Config | null)?.Labels ?? {};
  const made = labels[LABEL.key] === key ? readMade(labels[LABEL.made]) : undefined;
  if (made === undefined || (made.offline && Date.now() - made.at > OFFLINE_AGE)) return undefined;
  return { ...made, id: info.Id, reference: `${repo}:${tag}` };
}

/** What {@link readMade} reads; of letters and digits, because engines differ in how they read quotes. */
export function madeLabel(made: Made): string {
  return Buffer.from(JSON.stringify(made)).toString("base64url");
}

/** What the label of an image of ours tells; undefined for anything else. */
export function readMade(text: string | undefined): Made | undefined {
  try {
    const parsed = madeSchema.safeParse(JSON.parse(Buffer.from(text ?? "", "base64url").toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the oldest images of ours above the number that is kept. The engine keeps those that are in use. */
export async function pruneOwnImages(engine: Engine, kind: ImageKind, kept = KEPT[kind]): Promise<void> {
  const filters = { label: [`${LABEL.kind}=${kind}`] };
  const images = await engine.call("listing images", engine.docker.listImages({ filters }));
  const old = images.sort((a, b) => b.Created - a.Created).slice(kept);
  for (const image of old) await removeImage(engine, image.Id);
}

/** Removes an image that nobody uses; leaves it where somebody does. */
export async function removeImage(engine: Engine, id: string): Promise<void> {
  await engine.raw("removing an image", engine.docker.getImage(id).remove()).catch(() => undefined);
}
