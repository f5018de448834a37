import path from "node:path";
import { Option, type Command } from "commander";
import { SHIPPED_RULES, type RuleChoice } from "../core/analysis/analysis.js";
import { gather } from "./option-values.js";

/** The options that say which rules are meant. */
export interface RuleOptions {
  /** Folders in place of the shipped rules; `false` for none, the shipped ones when undefined. */
  readonly rules: readonly string[] | false | undefined;
  readonly addRules: readonly string[] | undefined;
  readonly ruleOff: readonly string[] | undefined;
}

export function addRuleOptions(command: Command): Command {
  return command
    .option("--rules <folder>", "ast-grep rules instead of the shipped ones; may be repeated", gather)
    .option("--no-rules", "none of the shipped rules")
    .addOption(
      new Option("--add-rules <folder>", "ast-grep rules beside those; may be repeated").argParser(gather),
    )
    .addOption(new Option("--rule-off <id>", "switch a rule off; may be repeated").argParser(gather));
}

/** The rules that the options mean. */
export function ruleChoice({ rules, addRules = [], ruleOff = [] }: RuleOptions, cwd: string): RuleChoice {
  const resolved = (folders: readonly string[]) => folders.map((folder) => path.resolve(cwd, folder));
  const folders = rules === undefined ? SHIPPED_RULES.folders : resolved(rules === false ? [] : rules);
  return { folders, added: resolved(addRules), off: ruleOff };
}
