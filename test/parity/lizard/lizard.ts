import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** A function as lizard sees it. */
export interface LizardFunction {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly cc: number;
}

export interface LizardFile {
  readonly functions: readonly LizardFunction[];
  /** Every token that lizard counts as a condition, inside functions or not. */
  readonly tokens: readonly { readonly line: number; readonly text: string }[];
}

/** One line of what `conditions.py` prints. */
interface Printed {
  readonly file: string;
  readonly functions: readonly [name: string, cc: number, start: number, end: number][];
  readonly tokens: readonly [line: number, text: string][];
}

/**
 * @param python an interpreter that can import lizard
 * @param script `conditions.py`
 * @returns file → what lizard finds in it
 */
export async function runLizard(
  python: string,
  script: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, LizardFile>> {
  const process = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  process.stdin.end(files.join("\n"));
  const printed = (await text(process.stdout)).split("\n").filter((line) => line !== "");
  if (printed.length < files.length)
    throw new Error(`lizard read ${printed.length} of ${files.length} files`);
  return new Map(printed.map((line) => toFile(JSON.parse(line) as Printed)));
}

function toFile({ file, functions, tokens }: Printed): [string, LizardFile] {
  return [
    file,
    {
      functions: functions.map(([name, cc, start, end]) => ({ name, cc, start, end })),
      tokens: tokens.map(([line, token]) => ({ line, text: token })),
    },
  ];
}
