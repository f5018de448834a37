import path from "node:path";

/** A folder that is one program: a snapshot of a run, or a checkpoint's solution. */
const ONE_PROGRAM = /^(snapshot|checkpoint_\d+)$/;

/**
 * The folder in which the clones of a file are looked for, when its place tells: two checkpoints of one trajectory hold
 * the same code on purpose, so a copy in another one is no clone.
 * @param file absolute path
 */
export function programFolder(
  file: string,
  rules: Pick<typeof path, "dirname" | "basename"> = path,
): string | undefined {
  for (let folder = rules.dirname(file); folder !== rules.dirname(folder); folder = rules.dirname(folder)) {
    if (ONE_PROGRAM.test(rules.basename(folder))) return folder;
  }
  return undefined;
}
