import type { ProductFiles } from "../../model/files.js";
import type { RuleChoice } from "../analysis.js";
import type { LanguageId } from "../../model/quality.js";
import { hashOf, readRuleFolders } from "../rules/rule-folders.js";
import { languagesIn } from "../rules/rule-language.js";

/** Rules by their choice and by what it stands for now. Plain JSON. */
export interface ChosenRules {
  readonly choice: RuleChoice;
  /** The hash that a rule set made of the same texts has. */
  readonly hash: string;
  /** Languages in which matches may depend on a file's path as well as on its text. */
  readonly byPath: readonly LanguageId[];
}

/** Keys by which a rule names the files that it is for; what merely looks like one costs a few hits. */
const PATH_KEYS = /(^|[\s,{"'])(files|ignores)["']?\s*:/m;

/**
 * Reads which rules a choice stands for, without making them ready.
 * @throws SlopLensError rules-invalid when a folder does not exist or holds no YAML
 */
export async function chooseRules(choice: RuleChoice, files: ProductFiles): Promise<ChosenRules> {
  const { texts } = await readRuleFolders(choice, files.rules);
  const byPath = texts.flatMap(({ text }) => (PATH_KEYS.test(text) ? languagesIn(text) : []));
  return { choice, hash: hashOf(texts, choice.off), byPath: [...new Set(byPath)] };
}
