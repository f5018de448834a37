/** The Python version that an image's tag names, for example `3.12` in `python:3.12-slim`; undefined when it names none. */
export function versionInTag(image: string): string | undefined {
  const name = image.slice(image.lastIndexOf("/") + 1).split("@")[0] ?? "";
  const colon = name.indexOf(":");
  const tag = colon < 0 ? "" : name.slice(colon + 1);
  const match = /python-?(3\.\d+(?:\.\d+)?)/u.exec(tag) ?? /^(3\.\d+(?:\.\d+)?)(?![\d.])/u.exec(tag);
  if (match?.[1] === undefined) return undefined;
  return tag.includes("python") || name.slice(0, colon).includes("python") ? match[1] : undefined;
}

/**
 * A warning when `found` is another Python than the image's tag says: code that needs a newer one then fails for a
 * reason that is not its own.
 */
export function versionWarning(image: string | undefined, found: string): string | undefined {
  const named = image === undefined ? undefined : versionInTag(image);
  if (named === undefined || found === named || found.startsWith(`${named}.`)) return undefined;
  return `Python ${found} is used, but the environment's image ${image ?? ""} names Python ${named}`;
}
