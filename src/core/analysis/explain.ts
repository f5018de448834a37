import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { SlopLensError } from "../model/errors.js";
import {
  HIGH_CC,
  type CallableMetrics,
  type Decision,
  type Profile,
  type QualityReport,
} from "../model/quality.js";
import { assemble } from "./assemble.js";
import { discover, type FoundFile } from "./discovery.js";
import { readBytes } from "./file-bytes.js";
import { languageById } from "./languages/languages.js";
import { massOf, measureTree } from "./measure.js";
import { apartCallables, findCallables } from "./measures/callables.js";
import { cognitiveSteps, type CognitiveStep } from "./measures/cognitive.js";
import { moduleNames } from "./modules.js";
import { decode } from "./source.js";
import { Parsers } from "./tree/parsers.js";

/** What one line adds to the complexities of a callable. */
export interface LinePart {
  /** 1-based line. */
  readonly line: number;
  readonly cc: number;
  readonly cognitive: number;
  /** The deepest nesting that adds to `cognitive` on the line. */
  readonly nesting: number;
  /** What adds, in source order; what stands there more than once comes as often. */
  readonly labels: readonly string[];
  /** The line's text without its indentation. */
  readonly text: string;
}

/** A callable with all that its numbers are made of. */
export interface CallableExplanation extends CallableMetrics {
  readonly lines: readonly LinePart[];
  /** Its mass as a share of the file's. */
  readonly massShare: number;
  /** What it adds to the file's erosion: its share of the mass where its CC is high, else nothing. */
  readonly erosionShare: number;
  /** The same with cognitive complexity. */
  readonly cogErosionShare: number;
  /** Whether the profile counts it, and not a later definition of the same name in its place. */
  readonly isCounted: boolean;
}

export interface FileExplanation {
  /** The file alone, without rules. */
  readonly report: QualityReport;
  /** In source order. */
  readonly callables: readonly CallableExplanation[];
}

/**
 * Opens the numbers of a file to their parts.
 * @param file absolute path
 * @param dist folder with the grammars
 * @throws SlopLensError bad-input when the file does not exist, is not measured or has syntax errors
 */
export async function explainFile(
  file: string,
  profile: Profile,
  dist: string,
  signal: AbortSignal,
): Promise<FileExplanation> {
  const { found, bytes } = await readOne(file, profile, signal);
  const parse = await new Parsers(dist).load(languageById(found.language));
  const tree = parse(decode(bytes));
  if (tree === undefined) throw notMeasured(file, "syntax errors");
  const measures = measureTree(tree);
  const report = await reportOn(found, measures, profile);
  const definitions = findCallables(tree);
  const apart = apartCallables(tree, definitions);
  const sourceLines = tree.source.text.split("\n");
  return {
    report,
    callables: measures.callables.map((measured, at) => {
      const { node } = definitions[at] ?? { node: 0 };
      const steps = cognitiveSteps(tree, node, apart.get(node) ?? []);
      const lines = partsByLine(measured.decisions, steps, sourceLines);
      return { path: found.path, ...measured, lines, ...sharesOf(measured, report) };
    }),
  };
}

async function readOne(
  file: string,
  profile: Profile,
  signal: AbortSignal,
): Promise<{ found: FoundFile; bytes: Uint8Array }> {
  const { files, skipped, root } = await discover([file], profile, signal);
  if (root === (await realpath(file))) {
    throw new SlopLensError("bad-input", `${file} is a folder`, "Give a file; analyze measures folders.");
  }
  const [found] = files;
  if (found === undefined) throw notMeasured(file, skipped[0]?.reason ?? "no language that is known");
  const read = readBytes(found.file);
  if ("skipped" in read) throw notMeasured(file, read.skipped);
  return { found, bytes: read.bytes };
}

function notMeasured(file: string, reason: string): SlopLensError {
  return new SlopLensError("bad-input", `${file} cannot be measured: ${reason}`);
}

async function reportOn(
  { file, path, language }: FoundFile,
  measures: ReturnType<typeof measureTree>,
  profile: Profile,
): Promise<QualityReport> {
  const module = (await moduleNames([file])).get(file) ?? basename(dirname(file));
  const rules = { name: "none", count: 0, hash: "none" };
  return assemble([{ path, language, module, measures }], { profile, rules, skipped: [] });
}

type Shares = Pick<CallableExplanation, "massShare" | "erosionShare" | "cogErosionShare" | "isCounted">;

function sharesOf(callable: Omit<CallableMetrics, "path">, { functions, totals }: QualityReport): Shares {
  const { qualifiedName, start, mass, cc, cognitive, sloc } = callable;
  const isCounted = functions.some((one) => one.start === start && one.qualifiedName === qualifiedName);
  const of = (part: number, whole: number) => (isCounted && whole > 0 ? part / whole : 0);
  const massShare = of(mass, totals.totalMass);
  return {
    massShare,
    erosionShare: cc > HIGH_CC ? massShare : 0,
    cogErosionShare: cognitive > HIGH_CC ? of(massOf(cognitive, sloc), totals.totalCogMass) : 0,
    isCounted,
  };
}

/** Puts what adds to either complexity together by lines. */
function partsByLine(
  decisions: readonly Decision[],
  steps: readonly CognitiveStep[],
  sourceLines: readonly string[],
): LinePart[] {
  const lines = new Map<number, { decisions: Decision[]; steps: CognitiveStep[] }>();
  const at = (line: number) => {
    const known = lines.get(line) ?? { decisions: [], steps: [] };
    lines.set(line, known);
    return known;
  };
  for (const decision of decisions) at(decision.line).decisions.push(decision);
  for (const step of steps) at(step.line).steps.push(step);
  return Array.from(lines)
    .sort(([a], [b]) => a - b)
    .map(([line, here]) => ({
      line,
      cc: here.decisions.length,
      cognitive: here.steps.reduce((sum, { adds }) => sum + adds, 0),
      nesting: here.steps.reduce((most, { nesting }) => Math.max(most, nesting), 0),
      labels: joined(
        here.decisions.map(({ label }) => label),
        here.steps.map(({ label }) => label),
      ),
      text: sourceLines[line - 1]?.trim() ?? "",
    }));
}

/** The labels of both lists; what stands in both is one thing. */
function joined(decisions: readonly string[], steps: readonly string[]): string[] {
  const left = [...decisions];
  const further = steps.filter((label) => {
    const at = left.indexOf(label);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return [...decisions, ...further];
}
