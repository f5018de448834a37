/** Copies of trees that hold only what both sides are to measure. */
import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const NEVER_READ = new Set(["site-packages", "__pycache__", ".git", "node_modules"]);
/** Files of other languages that scb-check 0.2.0 measures, and adds to the same totals. */
const OTHER_LANGUAGES = /\.(?:c\+\+|cc|cpp|cxx|hh|hpp|hs|hxx|[mc]?js|rs|ts|zig)$/iu;
const PYTHON = /\.pyw?$/iu;

/** Whether a tree holds files that only one side counts. */
export async function isMixed(tree) {
  if (!(await stat(tree)).isDirectory()) return false;
  for (const entry of await readdir(tree, { withFileTypes: true })) {
    if (entry.isFile() && OTHER_LANGUAGES.test(entry.name)) return true;
    const goesOn = entry.isDirectory() && !NEVER_READ.has(entry.name);
    if (goesOn && (await isMixed(path.join(tree, entry.name)))) return true;
  }
  return false;
}

/** Calls `use` with a copy of the Python files of a tree, without those in `leftOut`. */
export async function withMirror(tree, leftOut, use) {
  const folder = await mkdtemp(path.join(tmpdir(), "parity-"));
  const mirror = path.join(folder, path.basename(tree));
  try {
    await cp(tree, mirror, {
      recursive: true,
      filter: async (source) =>
        !leftOut.has(source) &&
        !NEVER_READ.has(path.basename(source)) &&
        (PYTHON.test(source) || (await stat(source)).isDirectory()),
    });
    await use(mirror);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
