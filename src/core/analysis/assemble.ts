import {
  HIGH_CC,
  LANGUAGE_IDS,
  REFERENCE_LANGUAGE,
  type CallableMetrics,
  type LanguageId,
  type LanguageTotals,
  type Profile,
  type QualityReport,
  type QualityTotals,
  type RuleMatch,
  type RuleSetInfo,
  type SkippedFile,
} from "../model/quality.js";
import { CloneFinder, type OtherClones } from "./clone-finder.js";
import { CLONE, CODE, LineMarks, MATCH, STRUCTURE, withAny } from "./line-marks.js";
import { massOf, type FileMeasures, type MeasuredMatch } from "./measure.js";
import { compareText } from "./measures/order.js";
import { compensatedSum, share } from "./measures/sum.js";
import { isRuled, needsSymbols, PROFILE_DEFINITIONS, type ProfileDefinition } from "./profiles.js";
import { countedCallables, structuralFindings, type StructuredFile } from "./structure-findings.js";

/** A measured file under its name in the report. */
export interface MeasuredFile {
  readonly path: string;
  readonly language: LanguageId;
  /** Dotted module name, by which aliases are resolved across files. */
  readonly module: string;
  /** May be made anew each time that it is asked for. */
  readonly measures: FileMeasures;
}

export interface AssemblyOptions {
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  readonly skipped: readonly SkippedFile[];
  /** Clones outside the files; each is an instance more of the key's class. */
  readonly otherClones?: (key: string) => OtherClones;
}

/** Puts files together: finds clones and aliases across them, and adds up. A pure function. */
export function assemble(files: readonly MeasuredFile[], options: AssemblyOptions): QualityReport {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  const profile = PROFILE_DEFINITIONS[options.profile];
  const marks = new LineMarks();
  const candidates = new CloneFinder();
  const gathered = sorted.map((file) => gather(file, profile, marks, candidates));
  const functions = [...countedCallables(gathered, profile.sameNames)];
  functions.sort((a, b) => compareText(a.path, b.path) || a.start - b.start || compareText(a.name, b.name));
  const findings = {
    functions,
    clones: candidates.classes(options.otherClones),
    matches: gathered.flatMap(({ matches }) => matches),
    suppressed: gathered.flatMap(({ suppressed }) => suppressed),
    structural: structuralFindings(gathered, profile.structuralTerm),
  };
  for (const { instances } of findings.clones) for (const instance of instances) marks.add(instance, CLONE);
  for (const match of findings.matches) marks.add(match, MATCH);
  for (const finding of findings.structural) marks.add(finding, STRUCTURE);
  const overall = totalsOf(gathered, findings, marks);
  const languages = totalsByLanguage(gathered, findings, marks, overall);
  const incomplete = incompleteFiles(gathered);
  return {
    profile: options.profile,
    rules: options.rules,
    totals: languages.find(({ language }) => language === REFERENCE_LANGUAGE)?.totals ?? overall,
    overall,
    languages,
    ...findings,
    skipped: [...options.skipped].sort((a, b) => compareText(a.path, b.path)),
    ...(incomplete.length > 0 && { incomplete }),
  };
}

/** What is left of a file's measures when its lines are marked and its clone candidates known. */
interface GatheredFile extends StructuredFile<CallableMetrics> {
  readonly language: LanguageId;
  readonly syntaxNodes: number;
  readonly sloc: number;
  readonly lostLines: number | undefined;
  readonly matches: readonly RuleMatch[];
  readonly suppressed: readonly RuleMatch[];
}

/** Asks a file for its measures, once, and keeps of them what the report needs: those of large trees take much room. */
function gather(
  { path, language, module, measures }: MeasuredFile,
  profile: ProfileDefinition,
  marks: LineMarks,
  clones: CloneFinder,
): GatheredFile {
  const { sloc, callables, syntaxNodes, structure, lostLines } = measures;
  marks.addFile(path, sloc);
  clones.add(path, measures.cloneCandidates);
  const ruled = isRuled(path, profile);
  return {
    path,
    language,
    module,
    syntaxNodes,
    sloc: sloc.length,
    lostLines,
    callables: callables.map((callable): CallableMetrics => ({ path, ...callable })),
    structure: needsSymbols(profile) ? structure : { ...structure, symbols: [] },
    matches: ruled ? withPath(measures.matches, path) : [],
    suppressed: ruled ? withPath(measures.suppressed, path) : [],
  };
}

function incompleteFiles(files: readonly GatheredFile[]): SkippedFile[] {
  return files.flatMap(({ path, lostLines, sloc }) =>
    lostLines === undefined
      ? []
      : [{ path, reason: `${lostLines} of ${sloc} lines of code could not be parsed` }],
  );
}

type Findings = Pick<QualityReport, "functions" | "structural">;

function withPath(matches: readonly MeasuredMatch[], path: string): RuleMatch[] {
  return matches.map((match) => ({ ...match, path }));
}

function totalsOf(
  files: readonly GatheredFile[],
  { functions, structural }: Findings,
  marks: LineMarks,
): QualityTotals {
  const counts = marks.counts(files);
  const totalLoc = withAny(counts, CODE);
  const verbosityFlaggedLoc = withAny(counts, CLONE | MATCH | STRUCTURE);
  return {
    verbosity: share(verbosityFlaggedLoc, totalLoc),
    ...massTotals(functions),
    filesScanned: files.length,
    totalLoc,
    verbosityFlaggedLoc,
    cloneLoc: withAny(counts, CLONE),
    astGrepFlaggedLoc: withAny(counts, MATCH),
    trivialWrapperLoc: withAny(counts, STRUCTURE),
    trivialWrappers: structural.length,
  };
}

function totalsByLanguage(
  files: readonly GatheredFile[],
  findings: Findings,
  marks: LineMarks,
  overall: QualityTotals,
): LanguageTotals[] {
  const found = LANGUAGE_IDS.filter((language) => files.some((file) => file.language === language));
  return found.map((language) => {
    const own = files.filter((file) => file.language === language);
    const syntaxNodes = own.reduce((sum, file) => sum + file.syntaxNodes, 0);
    if (found.length === 1) return { language, totals: overall, syntaxNodes };
    const paths = new Set(own.map(({ path }) => path));
    const isOwn = ({ path }: { readonly path: string }) => paths.has(path);
    const functions = findings.functions.filter(isOwn);
    const structural = findings.structural.filter(isOwn);
    return { language, totals: totalsOf(own, { functions, structural }, marks), syntaxNodes };
  });
}

/** Sums over callables in report order, which decides the last digit. */
function massTotals(functions: readonly CallableMetrics[]) {
  const highCc = functions.filter(({ cc }) => cc > HIGH_CC);
  const highCog = functions.filter(({ cognitive }) => cognitive > HIGH_CC);
  const cogMass = ({ cognitive, sloc }: CallableMetrics) => massOf(cognitive, sloc);
  const totalMass = compensatedSum(functions.map(({ mass }) => mass));
  const highCcMass = compensatedSum(highCc.map(({ mass }) => mass));
  const totalCogMass = compensatedSum(functions.map(cogMass));
  const highCogMass = compensatedSum(highCog.map(cogMass));
  return {
    erosion: share(highCcMass, totalMass),
    cogErosion: share(highCogMass, totalCogMass),
    totalFunctions: functions.length,
    highCcFunctions: highCc.length,
    highCogFunctions: highCog.length,
    maxCc: functions.reduce((max, { cc }) => Math.max(max, cc), 0),
    totalMass,
    highCcMass,
    totalCogMass,
    highCogMass,
  };
}
