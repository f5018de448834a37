import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../../model/errors.js";
import type { Fault } from "../../model/problem.js";
import { readText } from "../../model/read-text.js";
import type { RuleChoice } from "../analysis.js";

/** A rule file's text with its absolute path. */
export interface RuleText {
  readonly file: string;
  readonly text: string;
}

/** Files of an ast-grep project that are YAML but hold no rules. */
const PROJECT_FILES = new Set(["sgconfig.yml", "sgconfig.yaml"]);
const SNAPSHOTS = "__snapshots__";

/** The texts of a choice of rules, and what is wrong with the folders that were added. */
export interface RuleTexts {
  readonly texts: readonly RuleText[];
  readonly faults: readonly Fault[];
}

/**
 * Reads all YAML files of a choice of rules, in the order of the folders and then of the names. A folder that was only
 * added costs itself when it cannot be used.
 * @param shipped folder of the shipped rules
 * @throws SlopLensError rules-invalid when a folder that takes their place does not exist or holds no YAML
 */
export async function readRuleFolders(choice: RuleChoice, shipped: string): Promise<RuleTexts> {
  const texts: RuleText[] = [];
  const faults: Fault[] = [];
  for (const folder of choice.folders ?? [shipped]) texts.push(...(await readRuleFolder(folder)));
  for (const folder of choice.added) {
    try {
      texts.push(...(await readRuleFolder(folder)));
    } catch (error) {
      if (!SlopLensError.is(error, "rules-invalid")) throw error;
      faults.push({
        file: folder,
        line: undefined,
        column: undefined,
        message: error.message,
        severity: "error",
      });
    }
  }
  return { texts, faults };
}

async function readRuleFolder(folder: string): Promise<RuleText[]> {
  const files = await yamlFiles(folder);
  if (files.length === 0) {
    throw new SlopLensError(
      "rules-invalid",
      `The rule folder ${folder} holds no YAML file`,
      "Name a folder with ast-grep rules, one or more to a .yml or .yaml file.",
    );
  }
  return Promise.all(files.map(async (file) => ({ file, text: await readText(file) })));
}

/**
 * SHA-256 over the texts in their order and the ids that are switched off; file names do not count, so that a moved
 * folder keeps its caches.
 */
export function hashOf(texts: readonly RuleText[], off: readonly string[]): string {
  const hash = createHash("sha256");
  for (const { text } of texts) hash.update(text).update("\0");
  for (const id of [...off].sort()) hash.update(id).update("\0");
  return hash.digest("hex");
}

async function yamlFiles(folder: string): Promise<string[]> {
  const root = path.resolve(folder);
  const found = await stat(root).catch(() => undefined);
  if (found === undefined) {
    throw new SlopLensError(
      "rules-invalid",
      `The rule folder ${folder} does not exist`,
      "Check the path, or leave it out to use the shipped rules.",
    );
  }
  if (found.isFile()) return isYaml(root) ? [root] : [];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter(
      (entry) =>
        entry.isFile() && isYaml(entry.name) && !entry.parentPath.split(path.sep).includes(SNAPSHOTS),
    )
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/i.test(name) && !PROJECT_FILES.has(path.basename(name));
}
