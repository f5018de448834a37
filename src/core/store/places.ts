import path from "node:path";

/** A path as records keep it: POSIX, relative to the run folder, so that runs can be moved together. */
export function storedPlace(runFolder: string, absolute: string): string {
  return path.relative(runFolder, absolute).split(path.sep).join("/");
}

/** The absolute path behind {@link storedPlace}. */
export function placeOf(runFolder: string, stored: string): string {
  return path.resolve(runFolder, stored);
}
