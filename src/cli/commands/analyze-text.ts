import { PROFILE_DEFINITIONS } from "../../core/analysis/profiles.js";
import {
  HIGH_CC,
  REFERENCE_LANGUAGE,
  type QualityReport,
  type QualityTotals,
} from "../../core/model/quality.js";
import { integer, ratio, share } from "../../core/report/format.js";
import { renderTable } from "../../core/report/text-table.js";
import { findingLines } from "./findings-text.js";

const HEAVIEST = 10;

/** What `analyze` prints for people. */
export function reportLines(report: QualityReport): string[] {
  return [
    ...whoseLines(report),
    ...totalLines(report),
    ...languageLines(report),
    ...heaviestLines(report),
    ...findingLines(report),
    ...suppressedLines(report),
    ...skippedLines(report),
    ...excludedLines(report),
  ];
}

/** Whose the totals are, said before they are read: a profile that knows Python only leaves the other languages out. */
function whoseLines({ languages, profile }: QualityReport): string[] {
  if (languages.length < 2) return [];
  const hasReference = languages.some(({ language }) => language === REFERENCE_LANGUAGE);
  const whose = hasReference
    ? `${REFERENCE_LANGUAGE} only, as profile ${profile} counts; each language, and all together, are below`
    : "all languages together; each is below";
  return [whose, ""];
}

function totalLines({ totals, profile, rules, clones, overall }: QualityReport): string[] {
  const all = integer(totals.totalFunctions);
  const wrappers = [
    "wrappers",
    integer(totals.trivialWrapperLoc),
    `lines in ${integer(totals.trivialWrappers)} trivial wrappers`,
  ];
  const rows = [
    [
      "erosion",
      ratio(totals.erosion),
      `${integer(totals.highCcFunctions)} of ${all} callables above CC ${HIGH_CC}`,
    ],
    [
      "cognitive erosion",
      ratio(totals.cogErosion),
      `${integer(totals.highCogFunctions)} of ${all} callables above cognitive ${HIGH_CC}`,
    ],
    [
      "verbosity",
      ratio(totals.verbosity),
      `${integer(totals.verbosityFlaggedLoc)} of ${integer(totals.totalLoc)} source lines flagged`,
    ],
    [
      "clones",
      integer(totals.cloneLoc),
      // Classes are not kept by language; beside the lines of one language their number would mislead.
      totals.cloneLoc === overall.cloneLoc ? `lines in ${integer(clones.length)} clone classes` : "lines",
    ],
    [
      "rules",
      integer(totals.astGrepFlaggedLoc),
      `lines matched by ${integer(rules.count)} rules of ${rules.name}`,
    ],
    ...(PROFILE_DEFINITIONS[profile].structuralTerm === "none" ? [] : [wrappers]),
    ["files", integer(totals.filesScanned), `measured by profile ${profile}`],
  ];
  return renderTable({
    columns: [
      { title: "measure", align: "left" },
      { title: "value", align: "right" },
      { title: "", align: "left" },
    ],
    rows,
  });
}

/** A row for each language where there are several. */
function languageLines({ languages, overall }: QualityReport): string[] {
  if (languages.length < 2) return [];
  const table = renderTable({
    columns: [
      { title: "language", align: "left" },
      { title: "files", align: "right" },
      { title: "SLOC", align: "right" },
      { title: "erosion", align: "right" },
      { title: "cognitive erosion", align: "right" },
      { title: "verbosity", align: "right" },
      { title: "clones", align: "right" },
      { title: "rules", align: "right" },
      { title: "callables", align: "right" },
      { title: `above CC ${HIGH_CC}`, align: "right" },
    ],
    rows: [
      ...languages.map(({ language, totals }) => languageRow(language, totals)),
      languageRow("all", overall),
    ],
  });
  return ["", ...table];
}

function languageRow(name: string, totals: QualityTotals): string[] {
  return [
    name,
    integer(totals.filesScanned),
    integer(totals.totalLoc),
    ratio(totals.erosion),
    ratio(totals.cogErosion),
    ratio(totals.verbosity),
    integer(totals.cloneLoc),
    integer(totals.astGrepFlaggedLoc),
    integer(totals.totalFunctions),
    integer(totals.highCcFunctions),
  ];
}

function heaviestLines({ functions, overall }: QualityReport): string[] {
  const high = functions.filter(({ cc }) => cc > HIGH_CC).sort((a, b) => b.mass - a.mass);
  if (high.length === 0) return [];
  const rows = high
    .slice(0, HEAVIEST)
    .map(({ qualifiedName, path: file, start, cc, cognitive, sloc, mass }) => [
      qualifiedName,
      integer(cc),
      integer(cognitive),
      integer(sloc),
      integer(mass),
      share(mass / overall.totalMass),
      `${file}:${start}`,
    ]);
  const columns = renderTable({
    columns: [
      { title: "callable", align: "left" },
      { title: "CC", align: "right" },
      { title: "cognitive", align: "right" },
      { title: "SLOC", align: "right" },
      { title: "mass", align: "right" },
      { title: "share", align: "right" },
      { title: "place", align: "left" },
    ],
    rows,
  });
  const more = high.length > HEAVIEST ? [`and ${high.length - HEAVIEST} more above CC ${HIGH_CC}`] : [];
  return ["", ...columns, ...more];
}

/** What comments in the code suppress, by rule, the most first: it counts nowhere, so it must be seen here. */
function suppressedLines({ suppressed }: QualityReport): string[] {
  if (suppressed.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { rule } of suppressed) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const told = [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  const list = told.map(([rule, count]) => `${rule} ${integer(count)}`).join(", ");
  const matches = suppressed.length === 1 ? "1 match" : `${integer(suppressed.length)} matches`;
  return ["", `suppressed by comments: ${matches} (${list})`];
}

function skippedLines({ skipped, incomplete = [] }: QualityReport): string[] {
  if (skipped.length + incomplete.length === 0) return [];
  return [
    "",
    ...skipped.map((file) => `skipped ${file.path}: ${file.reason}`),
    ...incomplete.map((file) => `incomplete ${file.path}: ${file.reason}`),
  ];
}

function excludedLines({ excluded }: QualityReport): string[] {
  if (excluded === undefined) return [];
  const files = excluded.files === 1 ? "1 file" : `${integer(excluded.files)} files`;
  return ["", `left out by --exclude: ${files}`];
}
