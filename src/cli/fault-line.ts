import path from "node:path";
import { pathBelow } from "../core/model/paths.js";
import type { Fault } from "../core/model/problem.js";

/** `shelf/config.yaml:12:3: what is wrong`, the path relative to where the user stands. */
export function faultLine(fault: Fault, cwd: string): string {
  const file = pathBelow(cwd, fault.file) === undefined ? fault.file : path.relative(cwd, fault.file);
  const place = [file, fault.line, fault.column].filter((part) => part !== undefined).join(":");
  return `${place}: ${fault.message}`;
}
