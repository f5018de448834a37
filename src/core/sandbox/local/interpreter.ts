import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { cancelled } from "../deadline.js";

/** A Python of this machine. */
export interface Interpreter {
  /** As given or found: a path, or a name on PATH. */
  readonly command: string;
  /** Its own idea of where it lies, links resolved. */
  readonly executable: string;
  readonly version: string;
}

const run = promisify(execFile);
const OLDEST = 9;
const QUESTION =
  "import json, os, sys; print(json.dumps([os.path.realpath(sys.executable), '%d.%d.%d' % sys.version_info[:3]]))";
const answerSchema = z.tuple([z.string(), z.string()]);

/**
 * Asks a Python for its version.
 * @throws SlopLensError image-unsuitable when there is none, or when it is older than 3.9; cancelled
 */
export async function findInterpreter(command: string, signal: AbortSignal): Promise<Interpreter> {
  const hint = "Install Python 3.9 or newer, or name one in the settings.";
  let answer: unknown;
  try {
    const { stdout } = await run(command, ["-I", "-c", QUESTION], { signal, timeout: 30_000 });
    answer = JSON.parse(stdout);
  } catch (error) {
    if (signal.aborted) throw cancelled();
    throw new SlopLensError("image-unsuitable", `No Python answers to \`${command}\``, hint, {
      cause: error,
    });
  }
  const [executable, version] = answerSchema.parse(answer);
  const [major, minor] = version.split(".").map(Number);
  if (major !== 3 || (minor ?? 0) < OLDEST) {
    throw new SlopLensError("image-unsuitable", `\`${command}\` is Python ${version}`, hint);
  }
  return { command, executable, version };
}
