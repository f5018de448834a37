import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";

/** The product's folder in the user's cache directory of this machine, by each system's custom; absolute. */
export function defaultCacheFolder(): string {
  for (const name of ["XDG_CACHE_HOME", ...(process.platform === "win32" ? ["LOCALAPPDATA"] : [])]) {
    const given = process.env[name];
    if (given !== undefined && path.isAbsolute(given)) return path.join(given, "slop-lens");
  }
  const caches = process.platform === "darwin" ? path.join("Library", "Caches") : ".cache";
  return path.join(homedir(), caches, "slop-lens");
}
