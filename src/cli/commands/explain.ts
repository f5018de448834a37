import path from "node:path";
import { explainFile, type CallableExplanation, type LinePart } from "../../core/analysis/explain.js";
import { SlopLensError } from "../../core/model/errors.js";
import { HIGH_CC, type Profile, type QualityReport } from "../../core/model/quality.js";
import { suggestion } from "../../core/problem/suggest.js";
import { integer, ratio } from "../../core/report/format.js";
import { renderTable } from "../../core/report/text-table.js";
import type { Installation } from "../installation.js";
import { type CliIo, printLine } from "../io.js";

export interface ExplainOptions {
  readonly profile: Profile;
  readonly json: boolean;
}

/** Longer lines of code are cut. */
const CODE_WIDTH = 60;
/** So many names are offered in place of one that is not there. */
const MOST_NAMES = 8;

/**
 * `slop-lens explain`: opens the numbers of a file's callables to the lines that they are made of.
 * @param wanted name, qualified name or a line inside; all callables when undefined
 * @throws SlopLensError bad-input when the file cannot be measured or holds no such callable
 */
export async function explainCommand(
  file: string,
  wanted: string | undefined,
  { profile, json }: ExplainOptions,
  io: CliIo,
  installation: Installation,
): Promise<void> {
  const place = path.resolve(io.cwd, file);
  const { report, callables } = await explainFile(place, profile, installation.files.dist, io.signal);
  const chosen = wanted === undefined ? callables : choose(callables, wanted, file);
  if (json) printLine(io, JSON.stringify(toJson(report, chosen), null, 2));
  else for (const line of [...headLines(report, file), ...chosen.flatMap(callableLines)]) printLine(io, line);
}

function choose(
  callables: readonly CallableExplanation[],
  wanted: string,
  file: string,
): readonly CallableExplanation[] {
  const line = Number(wanted);
  const byName = callables.filter(({ name, qualifiedName }) => wanted === name || wanted === qualifiedName);
  const found =
    byName.length > 0 ? byName : callables.filter(({ start, end }) => start <= line && line <= end);
  if (found.length > 0) return found;
  throw noSuchCallable(callables, wanted, file);
}

function noSuchCallable(
  callables: readonly CallableExplanation[],
  wanted: string,
  file: string,
): SlopLensError {
  const isLine = /^\d+$/u.test(wanted);
  const shown = callables
    .slice(0, MOST_NAMES)
    .map(({ qualifiedName, start, end }) => (isLine ? `${qualifiedName} ${start}–${end}` : qualifiedName));
  const list = `${shown.join(", ")}${callables.length > MOST_NAMES ? ", …" : ""}`;
  const names = callables.flatMap(({ name, qualifiedName }) => [qualifiedName, name]);
  const what = isLine
    ? `Line ${wanted} of ${file} is in no callable`
    : `${file} has no callable ${wanted}${suggestion(wanted, names)}`;
  return new SlopLensError("bad-input", what, shown.length > 0 ? `It has ${list}.` : "It has none at all.");
}

function headLines({ totals, languages, profile }: QualityReport, file: string): string[] {
  const [found] = languages;
  return [
    `${file}: ${found?.language ?? ""}, profile ${profile}`,
    `erosion ${ratio(totals.erosion)}, cognitive erosion ${ratio(totals.cogErosion)}, mass ` +
      `${totals.totalMass.toFixed(1)} in ${integer(totals.totalFunctions)} callables, ` +
      `${integer(totals.totalLoc)} source lines`,
  ];
}

function callableLines(callable: CallableExplanation): string[] {
  const { qualifiedName, start, end, cc, cognitive, sloc, mass, massShare, erosionShare } = callable;
  const part = callable.isCounted
    ? `${percent(massShare)} of the file's mass, adds ${erosionShare.toFixed(3)} to its erosion and ` +
      `${callable.cogErosionShare.toFixed(3)} to its cognitive erosion`
    : "not counted by this profile: a later definition has its name";
  return [
    "",
    `${qualifiedName}, lines ${start}–${end}`,
    `  CC ${cc}${highMark(cc)}, cognitive ${cognitive}${highMark(cognitive)}, SLOC ${sloc}`,
    `  mass ${cc} · √${sloc} = ${mass.toFixed(1)}; ${part}`,
    ...partsTable(callable).map((line) => `  ${line}`),
  ];
}

function highMark(complexity: number): string {
  return complexity > HIGH_CC ? " (high)" : "";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function partsTable({ start, cc, cognitive, lines }: CallableExplanation): string[] {
  return renderTable({
    columns: [
      { title: "line", align: "right" },
      { title: "CC", align: "right" },
      { title: "cognitive", align: "right" },
      { title: "nesting", align: "right" },
      { title: "what", align: "left" },
      { title: "code", align: "left" },
    ],
    rows: [
      [String(start), "+1", "", "", "the callable itself", ""],
      ...lines.map(partRow),
      ["", `= ${cc}`, `= ${cognitive}`, "", "", ""],
    ],
  });
}

function partRow({ line, cc, cognitive, nesting, labels, text }: LinePart): string[] {
  const code = text.length > CODE_WIDTH ? `${text.slice(0, CODE_WIDTH - 1)}…` : text;
  return [
    String(line),
    added(cc),
    added(cognitive),
    nesting > 0 ? String(nesting) : "",
    counted(labels),
    code,
  ];
}

function added(number: number): string {
  return number === 0 ? "" : `+${number}`;
}

/** `if, and, or ×2`: each label once, with how often it stands there. */
function counted(labels: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return Array.from(counts, ([label, count]) => (count === 1 ? label : `${label} ×${count}`)).join("; ");
}

function toJson({ profile, totals, languages }: QualityReport, callables: readonly CallableExplanation[]) {
  return {
    profile,
    language: languages[0]?.language,
    erosion: totals.erosion,
    cog_erosion: totals.cogErosion,
    total_mass: totals.totalMass,
    total_loc: totals.totalLoc,
    callables: callables.map((one) => ({
      path: one.path,
      name: one.name,
      qualified_name: one.qualifiedName,
      kind: one.kind,
      start: one.start,
      end: one.end,
      cc: one.cc,
      cognitive: one.cognitive,
      sloc: one.sloc,
      mass: one.mass,
      mass_share: one.massShare,
      erosion_share: one.erosionShare,
      cog_erosion_share: one.cogErosionShare,
      counted: one.isCounted,
      lines: one.lines,
    })),
  };
}
