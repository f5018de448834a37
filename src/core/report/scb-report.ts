import type { Profile, QualityReport, RuleSetInfo } from "../model/quality.js";

/** A quality report as scb-check 0.1.3 words it, followed by what it does not tell. */
export interface ScbReport {
  readonly verbosity: number;
  readonly erosion: number;
  readonly cog_erosion: number;
  readonly files_scanned: number;
  readonly total_loc: number;
  readonly verbosity_flagged_loc: number;
  readonly clone_loc: number;
  readonly ast_grep_flagged_loc: number;
  readonly trivial_wrapper_loc: number;
  readonly trivial_wrappers: number;
  readonly total_functions: number;
  readonly high_cc_functions: number;
  readonly high_cog_functions: number;
  readonly total_mass: number;
  readonly high_cc_mass: number;
  readonly total_cog_mass: number;
  readonly high_cog_mass: number;
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  readonly functions: readonly {
    readonly path: string;
    readonly name: string;
    readonly start: number;
    readonly end: number;
    readonly cc: number;
    readonly sloc: number;
    readonly mass: number;
  }[];
  readonly clones: readonly {
    readonly instances: readonly { readonly path: string; readonly start: number; readonly end: number }[];
  }[];
  readonly matches: readonly {
    readonly path: string;
    readonly start: number;
    readonly end: number;
    readonly rule: string;
    readonly message: string;
  }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly incomplete: readonly { readonly path: string; readonly reason: string }[];
}

/** The object that `analyze --json` prints; scb-check's keys come first and in its order. */
export function toScbReport({ totals, ...report }: QualityReport): ScbReport {
  return {
    verbosity: totals.verbosity,
    erosion: totals.erosion,
    cog_erosion: totals.cogErosion,
    files_scanned: totals.filesScanned,
    total_loc: totals.totalLoc,
    verbosity_flagged_loc: totals.verbosityFlaggedLoc,
    clone_loc: totals.cloneLoc,
    ast_grep_flagged_loc: totals.astGrepFlaggedLoc,
    trivial_wrapper_loc: totals.trivialWrapperLoc,
    trivial_wrappers: totals.trivialWrappers,
    total_functions: totals.totalFunctions,
    high_cc_functions: totals.highCcFunctions,
    high_cog_functions: totals.highCogFunctions,
    total_mass: totals.totalMass,
    high_cc_mass: totals.highCcMass,
    total_cog_mass: totals.totalCogMass,
    high_cog_mass: totals.highCogMass,
    profile: report.profile,
    rules: report.rules,
    functions: report.functions.map(({ path, name, start, end, cc, sloc, mass }) => ({
      path,
      name,
      start,
      end,
      cc,
      sloc,
      mass,
    })),
    clones: report.clones.map(({ instances }) => ({
      instances: instances.map(({ path, start, end }) => ({ path, start, end })),
    })),
    matches: report.matches.map(({ path, start, end, rule, message }) => ({
      path,
      start,
      end,
      rule,
      message,
    })),
    skipped: report.skipped.map(({ path, reason }) => ({ path, reason })),
    incomplete: (report.incomplete ?? []).map(({ path, reason }) => ({ path, reason })),
  };
}
