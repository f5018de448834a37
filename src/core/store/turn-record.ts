import type { TestOutcome, TestStatus, Verdict } from "../model/outcome.js";
import { GROUPS } from "../model/problem.js";
import { PROFILES } from "../model/quality.js";
import type { CallableMetrics, Decision, QualityTotals } from "../model/quality.js";
import type { Candidate, SessionMode, Turn, TurnOrigin, TurnQuality, Usage } from "../model/turn.js";
import type { TurnInputs } from "../model/turn-inputs.js";
import { countOutcomes } from "./counts.js";
import { Fields } from "../model/fields.js";
import { placeOf, storedPlace } from "./places.js";

/** Our own file in a checkpoint's folder, written last: where it is, the turn is finished. */
export const TURN_RECORD = "slop-lens.json";
const SCHEMA = 1;

const VERDICTS: readonly Verdict[] = [
  ...([
    "passed",
    "failed",
    "agent-error",
    "agent-timeout",
    "infrastructure",
    "not-reached",
    "skipped",
  ] as const),
];
const ORIGINS: readonly TurnOrigin[] = ["agent", "reference", "replay", "commit", "import"];
const REFERENCE = ["reference"] as const;
const SESSIONS: readonly SessionMode[] = ["fresh", "continued"];
const STATUSES: readonly TestStatus[] = ["passed", "failed", "skipped", "error"];
const TOTALS: readonly (keyof QualityTotals)[] = [
  ...(["verbosity", "erosion", "cogErosion", "filesScanned", "totalLoc", "verbosityFlaggedLoc"] as const),
  ...(["cloneLoc", "astGrepFlaggedLoc", "trivialWrapperLoc", "trivialWrappers", "totalFunctions"] as const),
  ...(["highCcFunctions", "highCogFunctions", "maxCc", "totalMass", "highCcMass", "totalCogMass"] as const),
  "highCogMass",
];

/** A turn as it stands in its record: without its place, which may change, and without the words of failures. */
export type RecordedTurn = Omit<Turn, "folder" | "recorded">;

/**
 * The content of a turn record. Failure messages stay in `evaluation/report.json`.
 * @param runFolder the run that the turn belongs to
 */
export function turnRecordDocument(turn: Turn, runFolder: string): Readonly<Record<string, unknown>> {
  const outcomes = turn.outcomes.map((outcome) => ({ ...outcome, message: undefined }));
  const { parentIn } = turn;
  const place =
    typeof parentIn === "object" ? { parentIn: { run: storedPlace(runFolder, parentIn.run) } } : { parentIn };
  return { schema: SCHEMA, ...turn, ...place, folder: undefined, recorded: undefined, outcomes };
}

/** @returns undefined when the document is not a turn record of a schema known here */
export function readTurnRecord(document: unknown, runFolder: string): RecordedTurn | undefined {
  const fields = new Fields(document);
  const [id, problem, checkpoint] = [fields.text("id"), fields.text("problem"), fields.text("checkpoint")];
  if (fields.number("schema") !== SCHEMA || fields.oneOf("verdict", VERDICTS) === undefined) return undefined;
  if (!isSound(fields)) return undefined;
  if (id === undefined || problem === undefined || checkpoint === undefined) return undefined;
  return { id, problem, checkpoint, ...readHistory(fields, runFolder), ...readResults(fields) };
}

/** Whether what a resumed run compares is there in its own kind, or not at all: else all would seem unchanged. */
function isSound(fields: Fields): boolean {
  const inputs = fields.fields("inputs");
  const isTextOrAbsent = (own: Fields, key: string): boolean => !own.has(key) || own.text(key) !== undefined;
  return (
    (isTextOrAbsent(fields, "snapshotHash") || fields.value("snapshotHash") === null) &&
    isTextOrAbsent(fields, "testsHash") &&
    (fields.isMap("inputs") || !fields.has("inputs")) &&
    inputs.keys.every((key) => isTextOrAbsent(inputs, key)) &&
    (fields.isList("outcomes") || !fields.has("outcomes"))
  );
}

type History = Lineage | "order" | "origin" | "session" | "snapshotHash" | "startedAt" | "finishedAt";
type Lineage = "parent" | "parentIn" | "candidate";

function readHistory(fields: Fields, runFolder: string): Pick<Turn, History> {
  return {
    order: fields.numberOr("order", 0),
    parent: fields.text("parent") ?? null,
    parentIn: readParentPlace(fields, runFolder),
    candidate: readCandidate(fields.fields("candidate")),
    origin: fields.oneOf("origin", ORIGINS) ?? "import",
    session: fields.oneOf("session", SESSIONS) ?? "fresh",
    snapshotHash: fields.text("snapshotHash") ?? null,
    startedAt: fields.text("startedAt"),
    finishedAt: fields.text("finishedAt"),
  };
}

function readParentPlace(fields: Fields, runFolder: string): Turn["parentIn"] {
  const run = fields.fields("parentIn").text("run");
  return (
    fields.oneOf("parentIn", REFERENCE) ?? (run === undefined ? undefined : { run: placeOf(runFolder, run) })
  );
}

function readCandidate(fields: Fields): Candidate | undefined {
  const [index, of] = [fields.number("index"), fields.number("of")];
  return index === undefined || of === undefined ? undefined : { index, of };
}

type Results = "verdict" | "reason" | "counts" | "outcomes" | "testsHash" | "inputs" | "quality" | "usage";

function readResults(fields: Fields): Pick<Turn, Results> {
  const outcomes = fields.list("outcomes").flatMap((test) => readOutcome(new Fields(test)));
  return {
    verdict: fields.oneOf("verdict", VERDICTS),
    reason: fields.text("reason"),
    counts: countOutcomes(outcomes),
    outcomes,
    testsHash: fields.text("testsHash"),
    inputs: readInputs(fields.fields("inputs")),
    quality: readQuality(fields.fields("quality")),
    usage: readUsage(fields.fields("usage")),
  };
}

/** Undefined in records that have none. */
function readInputs(fields: Fields): TurnInputs | undefined {
  if (fields.keys.length === 0) return undefined;
  return {
    agent: fields.text("agent"),
    environment: fields.text("environment"),
    environmentSecrets: fields.text("environmentSecrets"),
    assets: fields.text("assets"),
    start: fields.text("start"),
    evaluation: fields.text("evaluation"),
    evaluationSecrets: fields.text("evaluationSecrets"),
  };
}

function readOutcome(test: Fields): TestOutcome[] {
  const [id, checkpoint] = [test.text("id"), test.text("checkpoint")];
  const group = test.oneOf("group", GROUPS);
  const status = test.oneOf("status", STATUSES);
  if (id === undefined || checkpoint === undefined || group === undefined || status === undefined) return [];
  const file = test.text("file") ?? `test_${checkpoint}.py`;
  const known = { id, checkpoint, group, status, file };
  return [{ ...known, line: test.number("line"), durationMs: test.number("durationMs"), message: undefined }];
}

function readUsage(usage: Fields): Usage {
  return {
    costUsd: usage.number("costUsd"),
    steps: usage.number("steps"),
    inputTokens: usage.number("inputTokens"),
    outputTokens: usage.number("outputTokens"),
    cacheReadTokens: usage.number("cacheReadTokens"),
    cacheWriteTokens: usage.number("cacheWriteTokens"),
    reasoningTokens: usage.number("reasoningTokens"),
    agentSeconds: usage.number("agentSeconds"),
    testSeconds: usage.number("testSeconds"),
  };
}

function readQuality(quality: Fields): TurnQuality | undefined {
  const profile = quality.oneOf("profile", PROFILES);
  const rules = quality.fields("rules");
  const totals = readTotals(quality.fields("totals"));
  if (profile === undefined || totals === undefined) return undefined;
  return {
    profile,
    rules: {
      name: rules.text("name") ?? "",
      count: rules.number("count") ?? 0,
      hash: rules.text("hash") ?? "",
    },
    totals,
    heaviest: quality.list("heaviest").flatMap((item) => readCallable(new Fields(item))),
  };
}

/** Undefined when one is missing: a total that was never measured must not read as 0. */
function readTotals(fields: Fields): QualityTotals | undefined {
  const known = new Map(TOTALS.map((key) => [key, fields.number(key)]));
  if ([...known.values()].includes(undefined)) return undefined;
  const total = (key: keyof QualityTotals): number => known.get(key) ?? 0;
  return {
    verbosity: total("verbosity"),
    erosion: total("erosion"),
    cogErosion: total("cogErosion"),
    filesScanned: total("filesScanned"),
    totalLoc: total("totalLoc"),
    verbosityFlaggedLoc: total("verbosityFlaggedLoc"),
    cloneLoc: total("cloneLoc"),
    astGrepFlaggedLoc: total("astGrepFlaggedLoc"),
    trivialWrapperLoc: total("trivialWrapperLoc"),
    trivialWrappers: total("trivialWrappers"),
    totalFunctions: total("totalFunctions"),
    highCcFunctions: total("highCcFunctions"),
    highCogFunctions: total("highCogFunctions"),
    maxCc: total("maxCc"),
    totalMass: total("totalMass"),
    highCcMass: total("highCcMass"),
    totalCogMass: total("totalCogMass"),
    highCogMass: total("highCogMass"),
  };
}

function readCallable(item: Fields): CallableMetrics[] {
  const [path, name] = [item.text("path"), item.text("name")];
  if (path === undefined || name === undefined) return [];
  return [
    {
      path,
      name,
      qualifiedName: item.text("qualifiedName") ?? name,
      kind: item.oneOf("kind", ["function", "method"]) ?? "function",
      start: item.numberOr("start", 1),
      end: item.numberOr("end", 1),
      cc: item.numberOr("cc", 1),
      cognitive: item.numberOr("cognitive", 0),
      sloc: item.numberOr("sloc", 0),
      mass: item.numberOr("mass", 0),
      decisions: item.list("decisions").flatMap((decision) => readDecision(new Fields(decision))),
    },
  ];
}

function readDecision(item: Fields): Decision[] {
  const [line, label] = [item.number("line"), item.text("label")];
  return line === undefined || label === undefined ? [] : [{ line, label }];
}
