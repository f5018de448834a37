import type { LanguageId } from "../../../src/core/model/quality.js";
import type { Difference } from "./explain.js";
import type { OurCallable } from "./ours.js";
import type { LizardFunction } from "./lizard.js";

export interface Comparison {
  readonly language: LanguageId;
  readonly source: string;
  readonly files: number;
  readonly skipped: readonly string[];
  readonly incomplete: readonly string[];
  readonly compared: number;
  readonly differences: readonly (Difference & { readonly path: string })[];
  readonly oursOnly: readonly (OurCallable & { readonly path: string; readonly reason: string })[];
  readonly theirsOnly: readonly (LizardFunction & { readonly path: string; readonly reason: string })[];
}

/** How many of the callables that only one of the two has are named for each reason. */
const EXAMPLES = 5;

/** The comparison as a Markdown page. */
export function pageOf(comparison: Comparison): string {
  const { source, files, compared, differences, oursOnly, theirsOnly, language } = comparison;
  return [
    `# CC of ${language} beside lizard 1.24`,
    "",
    `\`node test/parity/lizard.mjs ${language} FOLDER --page docs/lizard/${language}.md\` on ${source}.`,
    "What counts is in [LANGUAGES.md](../LANGUAGES.md).",
    "",
    "| | |",
    "| --- | ---: |",
    `| files | ${files} |`,
    ...(comparison.skipped.length > 0
      ? [`| files skipped for syntax errors | ${comparison.skipped.length} |`]
      : []),
    ...(comparison.incomplete.length > 0
      ? [`| files of which some lines could not be parsed | ${comparison.incomplete.length} |`]
      : []),
    `| callables compared | ${compared} |`,
    `| equal | ${compared - differences.length} |`,
    `| different | ${differences.length} |`,
    `| only here | ${oursOnly.length} |`,
    `| only in lizard | ${theirsOnly.length} |`,
    "",
    ...grouped(
      "Only here",
      oursOnly.map((own) => ({ ...own, name: own.qualifiedName })),
    ),
    ...grouped("Only in lizard", theirsOnly),
    "## Different",
    "",
    "A reason says what lizard does otherwise, and what that adds to our number.",
    "",
    "| callable | place | here | lizard | lizard … |",
    "| --- | --- | ---: | ---: | --- |",
    ...differences.map(
      ({ ours, theirs, path, reasons }) =>
        `| ${code(ours.qualifiedName)} | ${path}:${ours.start} | ${ours.cc} | ${theirs.cc} | ${reasons.join("; ")} |`,
    ),
    "",
  ].join("\n");
}

function grouped(
  title: string,
  entries: readonly {
    readonly reason: string;
    readonly path: string;
    readonly start: number;
    readonly name: string;
  }[],
): string[] {
  const reasons = [...new Set(entries.map(({ reason }) => reason))];
  const rows = reasons
    .map((reason) => [reason, entries.filter((entry) => entry.reason === reason)] as const)
    .sort(([, a], [, b]) => b.length - a.length);
  if (rows.length === 0) return [];
  return [
    `## ${title}`,
    "",
    "| | why | for example |",
    "| ---: | --- | --- |",
    ...rows.map(([reason, found]) => {
      const examples = found
        .slice(0, EXAMPLES)
        .map(({ name, path, start }) => `${code(name)} ${path}:${start}`);
      return `| ${found.length} | ${reason} | ${examples.join(", ")} |`;
    }),
    "",
  ];
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
