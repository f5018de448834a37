import type { DecisionLabel, Language } from "./language.js";
import { languageOfEditorId } from "./languages.js";

/** What adds to cyclomatic complexity in a language and what does not, as Markdown tables made from what the engine reads. */
export function countingTables({ decisions, uncounted }: Language): string {
  return [
    "| adds 1 | syntax node |",
    "| --- | --- |",
    ...rowsOf(decisions).map(([label, types]) => `| ${code(label)} | ${types.map(code).join(", ")} |`),
    "",
    "| adds nothing | because |",
    "| --- | --- |",
    ...Object.entries(uncounted).map(([construct, reason]) => `| ${cell(construct)} | ${cell(reason)} |`),
    "",
  ].join("\n");
}

/** The tables of the language with a VS Code language id, under its heading; empty when it is not measured. */
export function countingTablesOf(editorId: string): string {
  const language = languageOfEditorId(editorId);
  return language === undefined ? "" : `## What adds to CC in ${language.id}\n\n${countingTables(language)}`;
}

/** Label → node types, in the order of the language's table. */
function rowsOf(decisions: Readonly<Record<string, DecisionLabel>>): [string, string[]][] {
  const rows = new Map<string, string[]>();
  for (const [type, { label, within = {} }] of Object.entries(decisions)) {
    for (const shown of [label, ...Object.values(within)]) {
      const types = rows.get(shown) ?? [];
      if (!types.includes(type)) rows.set(shown, [...types, type]);
    }
  }
  return [...rows];
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
