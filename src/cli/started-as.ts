import path from "node:path";
import { pathBelow } from "../core/model/paths.js";

/**
 * How the command was started, so that what messages tell a user to type can be typed: `slop-lens` where it is on the
 * PATH, `npx slop-lens`, or `node dist/cli.js`.
 * @param script as Node has it, absolute
 */
export function startedAs(
  script: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  if (env["npm_command"] === "exec") return "npx slop-lens";
  if (script === undefined || path.parse(script).name === "slop-lens") return "slop-lens";
  return `node ${shellWord(nearPath(script, cwd))}`;
}

/** A path as it is typed from where the user stands: relative, unless that leads upwards. */
export function nearPath(place: string, cwd: string): string {
  const isBelow = (pathBelow(cwd, place) ?? "") !== "";
  return isBelow ? path.relative(cwd, place) : place;
}

/** A text as one word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\\-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
