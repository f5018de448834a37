import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import type { Profile, QualityReport } from "../../core/model/quality.js";
import { integer } from "../../core/report/format.js";
import { toScbReport } from "../../core/report/scb-report.js";
import { faultLine } from "../fault-line.js";
import type { Installation } from "../installation.js";
import { type CliIo, printLine, warn } from "../io.js";
import { ruleChoice, type RuleOptions } from "../rule-choice.js";
import { reportLines } from "./analyze-text.js";

export interface AnalyzeOptions extends RuleOptions {
  readonly profile: Profile;
  readonly json: boolean;
  /** Globs of what is left out. */
  readonly exclude: readonly string[] | undefined;
  /** A folder; `false` for none, the usual one when undefined. */
  readonly cache: string | false | undefined;
}

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
    {
      profile: options.profile,
      rules: ruleChoice(options, io.cwd),
      ...(options.exclude === undefined ? {} : { exclude: { globs: options.exclude, base: io.cwd } }),
    },
    io.signal,
  );
  for (const glob of report.excluded?.unused ?? [])
    warn(io, `--exclude ${glob} leaves out nothing: no file or folder matches`);
  requireMeasured(report);
  for (const fault of report.rules.faults ?? []) warn(io, faultLine(fault, io.cwd));
  if (options.json) printLine(io, JSON.stringify(toScbReport(report), null, 2));
  else for (const line of reportLines(report)) printLine(io, line);
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
