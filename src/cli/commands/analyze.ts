import path from "node:path";
import { NO_RULES, SHIPPED_RULES, type RuleChoice } from "../../core/analysis/analysis.js";
import { SlopLensError } from "../../core/model/errors.js";
import type { Profile, QualityReport } from "../../core/model/quality.js";
import { HIGH_CC } from "../../core/model/quality.js";
import { integer, ratio, share } from "../../core/report/format.js";
import { toScbReport } from "../../core/report/scb-report.js";
import { renderTable } from "../../core/report/text-table.js";
import { faultLine } from "../fault-line.js";
import type { Installation } from "../installation.js";
import { type CliIo, printLine, warn } from "../io.js";

export interface AnalyzeOptions {
  /** Folders; `false` for no rules, the shipped ones when undefined. */
  readonly rules: readonly string[] | false | undefined;
  readonly profile: Profile;
  readonly json: boolean;
  /** A folder; `false` for none, the usual one when undefined. */
  readonly cache: string | false | undefined;
}

const HEAVIEST = 10;

/**
 * `slop-lens analyze`: measures files and folders together; with `--json` in scb-check's words.
 * @throws SlopLensError bad-input when not a single file could be measured, and what the analysis throws
 */
export async function analyzeCommand(
  paths: readonly string[],
  options: AnalyzeOptions,
  io: CliIo,
  installation: Installation,
): Promise<void> {
  const { cache } = options;
  const cacheFolder = typeof cache === "string" ? path.resolve(io.cwd, cache) : cache;
  await using analyzer = installation.createAnalyzer(cacheFolder);
  const report = await analyzer.analyzePaths(
    paths.map((one) => path.resolve(io.cwd, one)),
    { profile: options.profile, rules: ruleChoice(options.rules, io.cwd) },
    io.signal,
  );
  requireMeasured(report);
  for (const fault of report.rules.faults ?? []) warn(io, faultLine(fault, io.cwd));
  if (options.json) printLine(io, JSON.stringify(toScbReport(report), null, 2));
  else for (const line of reportLines(report)) printLine(io, line);
}

function ruleChoice(rules: AnalyzeOptions["rules"], cwd: string): RuleChoice {
  if (rules === false) return NO_RULES;
  return { ...SHIPPED_RULES, folders: rules?.map((folder) => path.resolve(cwd, folder)) };
}

/** Totals over no file are all 0, which would read as perfect code. */
function requireMeasured({ totals, skipped }: QualityReport): void {
  const [first] = skipped;
  if (totals.filesScanned > 0 || first === undefined) return;
  const count = skipped.length === 1 ? "1 was" : `${integer(skipped.length)} were`;
  throw new SlopLensError(
    "bad-input",
    `No file could be measured: ${count} skipped, the first is ${first.path} (${first.reason})`,
  );
}

function reportLines(report: QualityReport): string[] {
  return [...totalLines(report), ...heaviestLines(report), ...skippedLines(report)];
}

function totalLines({ totals, profile, rules, clones }: QualityReport): string[] {
  const rows = [
    [
      "erosion",
      ratio(totals.erosion),
      `${integer(totals.highCcFunctions)} of ${integer(totals.totalFunctions)} callables above CC ${HIGH_CC}`,
    ],
    [
      "verbosity",
      ratio(totals.verbosity),
      `${integer(totals.verbosityFlaggedLoc)} of ${integer(totals.totalLoc)} source lines flagged`,
    ],
    ["clones", integer(totals.cloneLoc), `lines in ${integer(clones.length)} clone classes`],
    [
      "rules",
      integer(totals.astGrepFlaggedLoc),
      `lines matched by ${integer(rules.count)} rules of ${rules.name}`,
    ],
    [
      "wrappers",
      integer(totals.trivialWrapperLoc),
      `lines in ${integer(totals.trivialWrappers)} trivial wrappers`,
    ],
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

function heaviestLines({ functions, totals }: QualityReport): string[] {
  const high = functions.filter(({ cc }) => cc > HIGH_CC).sort((a, b) => b.mass - a.mass);
  if (high.length === 0) return [];
  const rows = high
    .slice(0, HEAVIEST)
    .map(({ qualifiedName, path: file, start, cc, sloc, mass }) => [
      qualifiedName,
      integer(cc),
      integer(sloc),
      integer(mass),
      share(mass / totals.totalMass),
      `${file}:${start}`,
    ]);
  const columns = renderTable({
    columns: [
      { title: "callable", align: "left" },
      { title: "CC", align: "right" },
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

function skippedLines({ skipped, incomplete = [] }: QualityReport): string[] {
  if (skipped.length + incomplete.length === 0) return [];
  return [
    "",
    ...skipped.map((file) => `skipped ${file.path}: ${file.reason}`),
    ...incomplete.map((file) => `incomplete ${file.path}: ${file.reason}`),
  ];
}
