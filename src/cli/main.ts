import { writeSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { productFilesIn } from "../core/model/files.js";
import { EXIT } from "./exit.js";
import { Installation } from "./installation.js";
import type { CliIo } from "./io.js";
import { startedAs } from "./started-as.js";
import { runCli } from "./program.js";

/**
 * Aborts on the first interrupt, so that containers are removed; the second one ends the process at once, and tells what
 * the first would have told at its end.
 */
function interruptSignal(lastWords: () => string | undefined): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) endAtOnce(lastWords());
    controller.abort();
  };
  // SIGHUP is what a closed terminal sends: an agent at work must not go on without anybody.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, interrupt);
  return controller.signal;
}

/** Writes before the process ends, which a stream would not. */
function endAtOnce(words: string | undefined): never {
  try {
    // A progress line may stand where this begins.
    writeSync(
      2,
      `${process.stderr.isTTY ? "\n" : ""}slop-lens: ended at once${words === undefined ? "" : `; ${words}`}\n`,
    );
  } catch {
    // The terminal may be gone.
  }
  process.exit(EXIT.interrupted);
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/iu.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

function processIo(): CliIo {
  let lastWords: string | undefined;
  // A reader that goes away, as `head` does, is not an error of ours.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    // Some terminals say that they have no columns at all.
    columns: process.stderr.isTTY && process.stderr.columns > 0 ? process.stderr.columns : 80,
    program: startedAs(process.argv[1], process.env, process.cwd()),
    env: process.env,
    cwd: process.cwd(),
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
    signal: interruptSignal(() => lastWords),
    setLastWords: (words) => {
      lastWords = words;
    },
  };
}

const io = processIo();
void runCli(process.argv.slice(2), io, new Installation(productFilesIn(path.dirname(__dirname)))).then(
  (code) => {
    process.exitCode = code;
  },
);
