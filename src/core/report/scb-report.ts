import { PROFILE_DEFINITIONS, type ScbKey } from "../analysis/profiles.js";
import {
  REFERENCE_LANGUAGE,
  type Decision,
  type LanguageTotals,
  type Profile,
  type QualityReport,
  type QualityTotals,
  type RuleSetInfo,
} from "../model/quality.js";

/** Trees and nodes by language, as scb-check 0.2.0 tells them. */
type SyntaxByLanguage = Readonly<
  Record<string, { readonly tree_count: number; readonly node_count: number }>
>;

type ScbValues<Value> = Readonly<Partial<Record<ScbKey, Value>>>;

interface Place {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

interface MatchEntry extends Place {
  readonly rule: string;
  readonly message: string;
}

/** What scb-check does not tell. */
export interface FurtherReport {
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  /** The keys of the release's totals for each language, and for all together. */
  readonly languages: readonly (ScbValues<number> & { readonly language: string })[];
  readonly overall: ScbValues<number>;
  readonly functions: readonly (Place & {
    readonly name: string;
    readonly qualified_name: string;
    readonly cc: number;
    readonly cognitive: number;
    readonly sloc: number;
    readonly mass: number;
    readonly decisions: readonly Decision[];
  })[];
  readonly clones: readonly { readonly instances: readonly Place[] }[];
  readonly matches: readonly MatchEntry[];
  readonly suppressed: readonly MatchEntry[];
  readonly structural: readonly (Place & { readonly kind: string; readonly name: string })[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly incomplete: readonly { readonly path: string; readonly reason: string }[];
  /** Files that the user left out. */
  readonly excluded: number;
}

export type ScbReport = ScbValues<number | SyntaxByLanguage> & FurtherReport;

/** The object that `analyze --json` prints; the keys of the profile's release come first and in its order. */
export function toScbReport(report: QualityReport): ScbReport {
  return { ...releaseKeys(report), ...furtherReport(report) };
}

function releaseKeys({ profile, totals, languages }: QualityReport): ScbValues<number | SyntaxByLanguage> {
  const counted = languages.filter(({ language }) => language === REFERENCE_LANGUAGE);
  const known: ScbValues<number | SyntaxByLanguage> = {
    ...totalsInWords(totals),
    ...syntaxInWords(counted.length > 0 ? counted : languages),
  };
  return pick(known, PROFILE_DEFINITIONS[profile].reportKeys);
}

function furtherReport(report: QualityReport): FurtherReport {
  const { reportKeys } = PROFILE_DEFINITIONS[report.profile];
  return {
    profile: report.profile,
    rules: report.rules,
    languages: report.languages.map(({ language, totals }) => ({
      language,
      ...pick(totalsInWords(totals), reportKeys),
    })),
    overall: pick(totalsInWords(report.overall), reportKeys),
    functions: report.functions.map((one) => ({
      ...placeOf(one),
      name: one.name,
      qualified_name: one.qualifiedName,
      cc: one.cc,
      cognitive: one.cognitive,
      sloc: one.sloc,
      mass: one.mass,
      decisions: one.decisions,
    })),
    clones: report.clones.map(({ instances }) => ({ instances: instances.map(placeOf) })),
    matches: report.matches.map((one) => ({ ...placeOf(one), rule: one.rule, message: one.message })),
    suppressed: report.suppressed.map((one) => ({ ...placeOf(one), rule: one.rule, message: one.message })),
    structural: report.structural.map((one) => ({ ...placeOf(one), kind: one.kind, name: one.name })),
    skipped: report.skipped.map(({ path, reason }) => ({ path, reason })),
    incomplete: (report.incomplete ?? []).map(({ path, reason }) => ({ path, reason })),
    excluded: report.excluded?.files ?? 0,
  };
}

function placeOf({ path, start, end }: Place): Place {
  return { path, start, end };
}

/** Entries of the given keys, in their order; keys without an entry are passed over. */
function pick<Value>(
  entries: Readonly<Partial<Record<ScbKey, Value>>>,
  keys: readonly ScbKey[],
): Partial<Record<ScbKey, Value>> {
  const picked: Partial<Record<ScbKey, Value>> = {};
  for (const key of keys) {
    const value = entries[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Both releases' words for the structural term stand for the same totals. */
function totalsInWords(totals: QualityTotals): ScbValues<number> {
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
    structural_rule_loc: totals.trivialWrapperLoc,
    structural_rule_findings: totals.trivialWrappers,
    total_functions: totals.totalFunctions,
    high_cc_functions: totals.highCcFunctions,
    high_cog_functions: totals.highCogFunctions,
    total_mass: totals.totalMass,
    high_cc_mass: totals.highCcMass,
    total_cog_mass: totals.totalCogMass,
    high_cog_mass: totals.highCogMass,
  };
}

function syntaxInWords(languages: readonly LanguageTotals[]): ScbValues<number | SyntaxByLanguage> {
  const entries = languages.map(
    ({ language, totals, syntaxNodes }) =>
      [language, { tree_count: totals.filesScanned, node_count: syntaxNodes }] as const,
  );
  return {
    syntax_tree_count: entries.reduce((sum, [, { tree_count }]) => sum + tree_count, 0),
    syntax_node_count: entries.reduce((sum, [, { node_count }]) => sum + node_count, 0),
    syntax_by_language: Object.fromEntries(entries),
  };
}
