import {
  HIGH_CC,
  LANGUAGE_IDS,
  REFERENCE_LANGUAGE,
  type CallableMetrics,
  type CloneClass,
  type CloneInstance,
  type LanguageId,
  type LanguageTotals,
  type Profile,
  type QualityReport,
  type QualityTotals,
  type RuleMatch,
  type RuleSetInfo,
  type SkippedFile,
} from "../model/quality.js";
import { massOf, type FileMeasures, type MeasuredMatch } from "./measure.js";
import { compareSpans, compareText } from "./measures/order.js";
import { compensatedSum, share } from "./measures/sum.js";
import { isRuled, PROFILE_DEFINITIONS } from "./profiles.js";
import { countedCallables, structuralFindings } from "./structure-findings.js";

/** A measured file under its name in the report. */
export interface MeasuredFile {
  readonly path: string;
  readonly language: LanguageId;
  /** Dotted module name, by which aliases are resolved across files. */
  readonly module: string;
  readonly measures: FileMeasures;
}

export interface AssemblyOptions {
  readonly profile: Profile;
  readonly rules: RuleSetInfo;
  readonly skipped: readonly SkippedFile[];
  /** Clones outside the files; each is an instance more of the key's class. */
  readonly otherClones?: (key: string) => readonly CloneInstance[];
}

/** Puts files together: finds clones and aliases across them, and adds up. A pure function. */
export function assemble(files: readonly MeasuredFile[], options: AssemblyOptions): QualityReport {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  const profile = PROFILE_DEFINITIONS[options.profile];
  const ruled = sorted.filter(({ path }) => isRuled(path, profile));
  const functions = countedCallables(sorted, profile.sameNames).flatMap(({ path, callables }) =>
    callables.map((callable): CallableMetrics => ({ path, ...callable })),
  );
  functions.sort((a, b) => compareText(a.path, b.path) || a.start - b.start || compareText(a.name, b.name));
  const findings = {
    functions,
    clones: cloneClasses(sorted, options.otherClones),
    matches: ruled.flatMap(({ path, measures }) => withPath(measures.matches, path)),
    suppressed: ruled.flatMap(({ path, measures }) => withPath(measures.suppressed, path)),
    structural: structuralFindings(sorted, profile.structuralTerm),
  };
  const overall = totalsOf(sorted, findings);
  const languages = totalsByLanguage(sorted, findings, overall);
  const incomplete = incompleteFiles(sorted);
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

function incompleteFiles(files: readonly MeasuredFile[]): SkippedFile[] {
  return files.flatMap(({ path, measures: { lostLines, sloc } }) =>
    lostLines === undefined
      ? []
      : [{ path, reason: `${lostLines} of ${sloc.length} lines of code could not be parsed` }],
  );
}

type Findings = Pick<QualityReport, "functions" | "clones" | "matches" | "suppressed" | "structural">;

function withPath(matches: readonly MeasuredMatch[], path: string): RuleMatch[] {
  return matches.map((match) => ({ ...match, path }));
}

function cloneClasses(files: readonly MeasuredFile[], others: AssemblyOptions["otherClones"]): CloneClass[] {
  const classes: CloneClass[] = [];
  for (const [id, own] of instancesByKey(files, others !== undefined)) {
    const instances = others === undefined ? own : [...own, ...others(id)];
    if (instances.length > 1) classes.push({ id, instances: instances.sort(compareSpans) });
  }
  return classes.sort((a, b) => compareFirst(a.instances, b.instances));
}

/** Key → its candidates. Most keys are met once in all files, so they are counted before anything is made of them. */
function instancesByKey(files: readonly MeasuredFile[], single: boolean): Map<string, CloneInstance[]> {
  const met = new Set<string>();
  const byKey = new Map<string, CloneInstance[]>();
  for (const { measures } of files) {
    for (const { key } of measures.cloneCandidates) {
      if (single || met.has(key)) byKey.set(key, []);
      else met.add(key);
    }
  }
  for (const { path, measures } of files) {
    for (const { key, start, end } of measures.cloneCandidates) byKey.get(key)?.push({ path, start, end });
  }
  return byKey;
}

function compareFirst(a: readonly CloneInstance[], b: readonly CloneInstance[]): number {
  const [first] = a;
  const [second] = b;
  return first === undefined || second === undefined ? 0 : compareSpans(first, second);
}

/** Bits of a line. */
const CODE = 1;
const CLONE = 2;
const MATCH = 4;
const STRUCTURE = 8;

/** The lines of each file with a bit for each reason to flag them. */
class LineMarks {
  readonly #files = new Map<string, Uint8Array>();

  constructor(files: readonly MeasuredFile[]) {
    for (const { path, measures } of files) {
      const marks = new Uint8Array((measures.sloc.at(-1) ?? 0) + 1);
      for (const line of measures.sloc) marks[line] = CODE;
      this.#files.set(path, marks);
    }
  }

  /** Marks the lines of code within a span; spans of other files are passed over. */
  add(span: CloneInstance, bit: number): void {
    const marks = this.#files.get(span.path);
    if (marks === undefined) return;
    const last = Math.min(span.end, marks.length - 1);
    for (let line = span.start; line <= last; line++) {
      const mark = marks[line] ?? 0;
      if (mark !== 0) marks[line] = mark | bit;
    }
  }

  /** Mark → number of lines that have it. */
  counts(): Int32Array {
    const counts = new Int32Array(2 * STRUCTURE);
    for (const marks of this.#files.values()) {
      for (const mark of marks) counts[mark] = (counts[mark] ?? 0) + 1;
    }
    return counts;
  }
}

/** Number of lines with one of the bits. */
function withAny(counts: Int32Array, bits: number): number {
  return counts.reduce((sum, count, mark) => ((mark & bits) === 0 ? sum : sum + count), 0);
}

function totalsOf(files: readonly MeasuredFile[], findings: Findings): QualityTotals {
  const marks = new LineMarks(files);
  for (const { instances } of findings.clones) for (const instance of instances) marks.add(instance, CLONE);
  for (const match of findings.matches) marks.add(match, MATCH);
  for (const finding of findings.structural) marks.add(finding, STRUCTURE);
  const counts = marks.counts();
  const totalLoc = withAny(counts, CODE);
  const verbosityFlaggedLoc = withAny(counts, CLONE | MATCH | STRUCTURE);
  return {
    verbosity: share(verbosityFlaggedLoc, totalLoc),
    ...massTotals(findings.functions),
    filesScanned: files.length,
    totalLoc,
    verbosityFlaggedLoc,
    cloneLoc: withAny(counts, CLONE),
    astGrepFlaggedLoc: withAny(counts, MATCH),
    trivialWrapperLoc: withAny(counts, STRUCTURE),
    trivialWrappers: findings.structural.length,
  };
}

function totalsByLanguage(
  files: readonly MeasuredFile[],
  findings: Findings,
  overall: QualityTotals,
): LanguageTotals[] {
  const found = LANGUAGE_IDS.filter((language) => files.some((file) => file.language === language));
  return found.map((language) => {
    const own = files.filter((file) => file.language === language);
    const syntaxNodes = own.reduce((sum, { measures }) => sum + measures.syntaxNodes, 0);
    if (found.length === 1) return { language, totals: overall, syntaxNodes };
    const paths = new Set(own.map(({ path }) => path));
    const isOwn = ({ path }: { readonly path: string }) => paths.has(path);
    const totals = totalsOf(own, {
      ...findings,
      functions: findings.functions.filter(isOwn),
      structural: findings.structural.filter(isOwn),
    });
    return { language, totals, syntaxNodes };
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
