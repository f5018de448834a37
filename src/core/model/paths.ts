/** Where paths lie to each other, by the rules of the platform: of Windows in tests on any machine. Pure. */
import path from "node:path";

/** The part of Node's `path` that is needed; `path.win32` and `path.posix` have it too. */
export type PathRules = Pick<typeof path, "relative" | "isAbsolute" | "sep">;

/**
 * The way from a folder down to a file or folder below it, with slashes, as reports and records write paths.
 * Letters of drives, and on Windows all letters, are compared without their case.
 * @param folder absolute path
 * @param place absolute path
 * @returns empty when both are the same place; undefined when it lies elsewhere, for example on another drive
 */
export function pathBelow(folder: string, place: string, rules: PathRules = path): string | undefined {
  const relative = rules.relative(folder, place);
  // A name may begin with two dots of its own.
  if (relative === ".." || relative.startsWith(`..${rules.sep}`) || rules.isAbsolute(relative))
    return undefined;
  return relative.split(rules.sep).join("/");
}
