import { z } from "zod";
import type { ProductFiles } from "../../model/files.js";
import type { Fault } from "../../model/problem.js";
import type { LanguageId } from "../../model/quality.js";
import type { RuleChoice } from "../analysis.js";
import { loadRules } from "./engine.js";
import { readRuleFile, type RuleSource } from "./rule-file.js";
import { readRuleFolders } from "./rule-folders.js";
import { RULE_LANGUAGES } from "./rule-language.js";

/** A rule as a list of rules shows it. */
export interface ListedRule {
  readonly id: string;
  readonly languages: readonly LanguageId[];
  readonly family: string | undefined;
  readonly severity: RuleSource["severity"];
  readonly message: string;
  readonly note: string | undefined;
  /** `broken`: a fault tells why it is not applied, or not in all of its languages. */
  readonly state: "on" | "off" | "broken";
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** Code that it matches, and code that it does not. */
  readonly examples: { readonly bad: readonly string[]; readonly good: readonly string[] };
}

export interface RuleListing {
  /** In the order of the folders, files and documents. */
  readonly rules: readonly ListedRule[];
  readonly faults: readonly Fault[];
}

const listedMetadata = z.looseObject({
  family: z.string().optional().catch(undefined),
  examples: z
    .looseObject({ bad: z.array(z.string()).catch([]), good: z.array(z.string()).catch([]) })
    .catch({ bad: [], good: [] }),
});

/**
 * Lists the rules of a choice, those that are switched off or cannot be used too.
 * @throws SlopLensError rules-invalid when a folder is missing or empty
 */
export async function listRules(choice: RuleChoice, files: ProductFiles): Promise<RuleListing> {
  const { texts } = await readRuleFolders(choice, files.rules);
  const sources = texts.flatMap(({ file, text }) => readRuleFile(file, text).rules);
  const faults = await (await loadRules(choice, files)).faultsIn(RULE_LANGUAGES);
  const stateOf = (source: RuleSource): ListedRule["state"] => {
    if (source.severity === "off" || choice.off.includes(source.id)) return "off";
    const isBroken = faults.some(({ file, line }) => file === source.file && line === source.line);
    return isBroken ? "broken" : "on";
  };
  return { rules: sources.map((source) => ({ ...toListed(source), state: stateOf(source) })), faults };
}

function toListed(source: RuleSource): Omit<ListedRule, "state"> {
  const { id, languages, severity, message, note, file, line } = source;
  const { family, examples } = listedMetadata.parse(source.metadata);
  return { id, languages, family, severity, message, note, file, line, examples };
}
