import { listRules, type ListedRule, type RuleListing } from "../../core/analysis/rules/listing.js";
import { SlopLensError } from "../../core/model/errors.js";
import { suggestion } from "../../core/problem/suggest.js";
import { renderTable } from "../../core/report/text-table.js";
import { EXIT } from "../exit.js";
import { faultLine } from "../fault-line.js";
import type { Installation } from "../installation.js";
import { type CliIo, printJson, printLine } from "../io.js";
import { ruleChoice, type RuleOptions } from "../rule-choice.js";

export interface RulesOptions extends RuleOptions {
  readonly json: boolean;
}

/**
 * `slop-lens rules`: lists the rules, or shows those of one id.
 * @returns exit code: 1 when a rule, or a file of rules, has an error
 * @throws SlopLensError bad-input when no rule has the id, and what reading the rules throws
 */
export async function rulesCommand(
  id: string | undefined,
  options: RulesOptions,
  io: CliIo,
  { files }: Installation,
): Promise<number> {
  const { rules, faults } = await listRules(ruleChoice(options, io.cwd), files);
  const wanted = id === undefined ? rules : rulesOf(id, rules);
  if (options.json) for (const rule of wanted) printJson(io, rule);
  else for (const line of id === undefined ? table(wanted) : wanted.flatMap(details)) printLine(io, line);
  for (const fault of faultsOf(wanted, { rules, faults }))
    io.err(`${fault.severity}: ${faultLine(fault, io.cwd)}\n`);
  return faults.some(({ severity }) => severity === "error") ? EXIT.faults : EXIT.ok;
}

function rulesOf(id: string, rules: readonly ListedRule[]): readonly ListedRule[] {
  const found = rules.filter((rule) => rule.id === id);
  if (found.length > 0) return found;
  const ids = rules.map((rule) => rule.id);
  throw new SlopLensError("bad-input", `No rule has the id ${id}${suggestion(id, ids)}`);
}

/** All faults for a list of all rules, else those of the rules that are shown. */
function faultsOf(shown: readonly ListedRule[], { rules, faults }: RuleListing): RuleListing["faults"] {
  if (shown.length === rules.length) return faults;
  return faults.filter((fault) => shown.some(({ file, line }) => fault.file === file && fault.line === line));
}

function table(rules: readonly ListedRule[]): string[] {
  const lines = renderTable({
    columns: ["rule", "languages", "family", "", "message"].map((title) => ({
      title,
      align: "left" as const,
    })),
    rows: rules.map(({ id, languages, family, state, message }) => [
      id,
      languages.join(", "),
      family ?? "–",
      state,
      message,
    ]),
  });
  const on = rules.filter(({ state }) => state === "on").length;
  return [...lines, "", `${on} of ${rules.length} rules are on.`];
}

function details({
  id,
  languages,
  family,
  severity,
  state,
  message,
  note,
  examples,
  file,
  line,
}: ListedRule): string[] {
  const about = [languages.join(", "), family, severity, state].filter((part) => part !== undefined);
  return [
    `${id} (${about.join(" · ")})`,
    message,
    ...(note === undefined ? [] : [note.trim()]),
    ...examples.bad.flatMap((code) => ["", "Matches:", ...indented(code)]),
    ...examples.good.flatMap((code) => ["", "Does not match:", ...indented(code)]),
    "",
    `${file}:${line}`,
    "",
  ];
}

function indented(code: string): string[] {
  return code
    .trimEnd()
    .split("\n")
    .map((text) => `    ${text}`.trimEnd());
}
