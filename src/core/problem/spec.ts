import { SlopLensError } from "../model/errors.js";
import type { Environment } from "../model/environment.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import { readText } from "../model/read-text.js";
import { entryCommand, entryFileName } from "./entry.js";

/** SCB takes everything up to the last ` -->` of a spec; stopping at the first one keeps comments of the text itself. */
const CANARY = /^<!-- [^]+? -->\n?/u;

/**
 * The spec of a checkpoint as an agent reads it: without the canary comment at its head, placeholders filled.
 * @throws SlopLensError pack-invalid when the spec cannot be read
 */
export async function renderSpec(
  problem: Pick<Problem, "entryFile">,
  checkpoint: Checkpoint,
  environment: Environment,
): Promise<string> {
  const text = await readText(checkpoint.specPath).catch((error: unknown) => {
    throw new SlopLensError(
      "pack-invalid",
      `The spec ${checkpoint.specPath} cannot be read`,
      "Put the file in its place.",
      { cause: error },
    );
  });
  return renderSpecText(text, problem, environment);
}

/** {@link renderSpec} for a text that is at hand. */
export function renderSpecText(
  text: string,
  problem: Pick<Problem, "entryFile">,
  environment: Environment,
): string {
  return text
    .replace(/^\uFEFF/u, "")
    .replaceAll("\r\n", "\n")
    .replace(CANARY, "")
    .replaceAll("%%%ENTRYPOINT:entry_file%%%", () => entryFileName(environment, problem))
    .replaceAll("%%%ENTRYPOINT:entry_command%%%", () => entryCommand(environment, problem, "agent"));
}
