import { readdir } from "node:fs/promises";
import path from "node:path";
import { suggestion } from "../problem/suggest.js";
import { SlopLensError } from "../model/errors.js";
import { readText } from "../model/read-text.js";
import { JinjaError, renderJinja } from "./jinja.js";

export interface PromptTemplate {
  /** File name without suffix, for example `just-solve`. */
  readonly name: string;
  /** Jinja text. */
  readonly source: string;
}

/** The variables of a prompt template, as SCB names and fills them. */
export interface PromptInputs {
  /** The spec as `renderSpec` gives it. */
  readonly spec: string;
  /** False for the first checkpoint of a trajectory only. */
  readonly isContinuation: boolean;
  readonly agentType: string;
  readonly agentVersion: string | undefined;
  readonly modelName: string | undefined;
}

/**
 * Renders the prompt of a turn.
 * @throws SlopLensError bad-input with the template's line when it is not valid Jinja or fails
 */
export function renderPrompt(template: PromptTemplate, inputs: PromptInputs): string {
  try {
    return renderJinja(template.source, {
      spec: inputs.spec,
      is_continuation: inputs.isContinuation,
      agent_type: inputs.agentType,
      agent_version: inputs.agentVersion ?? "",
      model_name: inputs.modelName ?? "",
    });
  } catch (error) {
    throw templateError(template, error);
  }
}

/** Where a workspace keeps templates of its own. */
export const WORKSPACE_TEMPLATES = path.join(".slop-lens", "templates");

/**
 * Reads a template by its path, or by its name in the first of `folders` that has it.
 * @throws SlopLensError bad-input when there is none
 */
export async function readTemplate(
  nameOrPath: string,
  ...folders: readonly string[]
): Promise<PromptTemplate> {
  const isPath = nameOrPath.includes("/") || nameOrPath.includes("\\") || path.extname(nameOrPath) !== "";
  const files = isPath ? [nameOrPath] : folders.map((folder) => path.join(folder, `${nameOrPath}.jinja`));
  for (const file of files) {
    const source = await readText(file).catch(() => undefined);
    if (source !== undefined) return { name: path.parse(file).name, source };
  }
  const known = [...new Set((await Promise.all(folders.map(listTemplates))).flat())].sort();
  throw new SlopLensError(
    "bad-input",
    `There is no prompt template ${nameOrPath}${suggestion(nameOrPath, known)}`,
    `Name one of ${known.join(", ")}, or the path of a .jinja file.`,
  );
}

/** Names of the templates in a folder, sorted; empty when there is no such folder. */
export async function listTemplates(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".jinja"))
    .map((name) => name.slice(0, -".jinja".length))
    .sort();
}

function templateError(template: PromptTemplate, error: unknown): SlopLensError {
  const { message, line } =
    error instanceof JinjaError ? error : { message: SlopLensError.from(error).message, line: undefined };
  const place = line === undefined ? template.name : `${template.name}, line ${line}`;
  return new SlopLensError("bad-input", `The prompt template ${place}: ${message}`, "Correct the template.", {
    cause: error,
  });
}
