import { NO_COUNTS, NO_USAGE } from "../model/blank-turn.js";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { TestOutcome, Verdict } from "../model/outcome.js";
import { GROUPS } from "../model/problem.js";
import type { RecordedQuality, Turn, Usage } from "../model/turn.js";
import { coarse, countOutcomes } from "./counts.js";
import { DocumentReader } from "./documents.js";
import { readEvaluation } from "./evaluation-file.js";
import type { StoredEvaluation } from "./evaluation-file.js";
import { Fields } from "../model/fields.js";
import { testKey } from "./report-file.js";
import { readTurnRecord, TURN_RECORD } from "./turn-record.js";
import type { RecordedTurn } from "./turn-record.js";

/** What is known of a turn from outside its folder. */
export interface TurnPlace {
  readonly problem: string;
  readonly checkpoint: string;
  readonly order: number;
  /** The turn before, if it was reached. */
  readonly parent: string | null;
  readonly folder: string;
  readonly runFolder: string;
  /** What `run_info.yaml` says: `ran`, `skipped`, `error`. */
  readonly stated: string | undefined;
  /** The row of `checkpoint_results.jsonl`; empty when there is none. */
  readonly row: Fields;
  /** Whether the run is being worked on now, so that a turn without a record is in progress. */
  readonly live: boolean;
}

/** Files that stand in the folder of a checkpoint that was begun. */
const SIGNS = [
  ...[TURN_RECORD, "checkpoint.yaml", "prompt.txt", "inference_result.json", "evaluation.json"],
  ...["snapshot", "agent", "diff.json"],
];

/** Reads one turn. Neither the snapshot nor pytest's report is opened. */
export async function readTurn(place: TurnPlace, reader: DocumentReader): Promise<Turn> {
  const names: readonly string[] = await readdir(place.folder).catch(() => []);
  if (!names.some((name) => SIGNS.includes(name))) return unreached(place);
  const json = async (name: string): Promise<unknown> =>
    names.includes(name) ? reader.json(path.join(place.folder, name)) : undefined;
  const [recordJson, inferenceJson, evaluationJson] = await Promise.all([
    reader.record(path.join(place.folder, TURN_RECORD)),
    ...["inference_result.json", "evaluation.json"].map(json),
  ]);
  const record = recordJson === undefined ? undefined : readTurnRecord(recordJson, place.runFolder);
  const evaluation = evaluationJson === undefined ? undefined : readEvaluation(evaluationJson);
  if (recordJson !== undefined && record === undefined) {
    reader.fault(path.join(place.folder, TURN_RECORD), "This turn record is of an unknown form", "error");
  }
  if (!place.live) reportMissing(place, names, record, reader);
  if (record !== undefined) return fromRecord(place, record, evaluation);
  return fromScb(place, new Fields(inferenceJson), evaluation);
}

/** Whether a turn has a record, and whether that tells anything. @param folder the turn's */
export async function turnRecordState(
  folder: string,
  runFolder: string,
): Promise<"readable" | "missing" | "unreadable"> {
  const reader = new DocumentReader();
  const document = await reader.record(path.join(folder, TURN_RECORD));
  if (document === undefined && reader.faults.length === 0) return "missing";
  return readTurnRecord(document, runFolder) === undefined ? "unreadable" : "readable";
}

/** A file counts as missing when one that is written after it is there; a run that was cut short just lacks the rest. */
function reportMissing(
  place: TurnPlace,
  names: readonly string[],
  record: RecordedTurn | undefined,
  reader: DocumentReader,
): void {
  const evaluated = names.includes("evaluation.json");
  const tested = place.row.has("total_tests") || (record !== undefined && record.outcomes.length > 0);
  const report = (name: string): void => {
    reader.fault(path.join(place.folder, name), "This file is missing");
  };
  if (!names.includes("inference_result.json") && (evaluated || record !== undefined)) {
    report("inference_result.json");
  }
  if (!evaluated && tested) report("evaluation.json");
}

function identity(place: TurnPlace): Pick<Turn, "id" | "problem" | "checkpoint" | "order" | "folder"> {
  const { problem, checkpoint, order, folder } = place;
  return { id: `${problem}/${checkpoint}`, problem, checkpoint, order, folder };
}

function unreached(place: TurnPlace): Turn {
  return {
    ...identity(place),
    ...withoutRecord(place),
    verdict: place.stated === "skipped" ? "skipped" : "not-reached",
    reason: undefined,
    counts: NO_COUNTS,
    outcomes: [],
    usage: NO_USAGE,
    startedAt: undefined,
    finishedAt: undefined,
  };
}

type Unrecorded = "parent" | "origin" | "session" | "snapshotHash" | "quality" | "recorded";

function withoutRecord(place: TurnPlace): Pick<Turn, Unrecorded> {
  return {
    parent: place.parent,
    origin: "import",
    session: "fresh",
    snapshotHash: null,
    quality: undefined,
    recorded: readRecorded(place.row),
  };
}

/** `mass.high_cc_pct` is the share of mass above the limit, which is erosion by another name. */
function readRecorded(row: Fields): RecordedQuality | undefined {
  const erosion = row.number("erosion") ?? row.number("mass.high_cc_pct");
  const verbosity = row.number("verbosity");
  return erosion === undefined && verbosity === undefined ? undefined : { erosion, verbosity };
}

/** A turn of ours. Where `evaluation.json` tells something else, the turn was evaluated again by another tool. */
function fromRecord(place: TurnPlace, record: RecordedTurn, evaluation: StoredEvaluation | undefined): Turn {
  const turn = { ...record, parent: chosenId(record.parent), ...identity(place) };
  if (evaluation === undefined || agrees(record.outcomes, evaluation.outcomes)) return turn;
  const outcomes = enrich(evaluation.outcomes, record.outcomes);
  const { verdict, reason } = judge(evaluation);
  return { ...turn, outcomes, counts: countOutcomes(outcomes), verdict, reason };
}

/** The id of a turn without the number of its try: where a checkpoint's folder is, the chosen try lies. */
function chosenId(id: string | null): string | null {
  return id === null ? null : (id.split("#")[0] ?? null);
}

function agrees(recorded: readonly TestOutcome[], stored: readonly TestOutcome[]): boolean {
  if (recorded.length !== stored.length) return false;
  const statuses = new Map(recorded.map((test) => [testKey(test), test]));
  return stored.every((test) => {
    const known = statuses.get(testKey(test));
    return known !== undefined && coarse(known.status) === coarse(test.status) && known.group === test.group;
  });
}

function enrich(outcomes: readonly TestOutcome[], known: readonly TestOutcome[]): TestOutcome[] {
  const lines = new Map(known.map((test) => [testKey(test), test.line]));
  return outcomes.map((outcome) => ({ ...outcome, line: lines.get(testKey(outcome)) }));
}

function fromScb(place: TurnPlace, inference: Fields, evaluation: StoredEvaluation | undefined): Turn {
  const outcomes = evaluation?.outcomes ?? [];
  return {
    ...identity(place),
    ...withoutRecord(place),
    ...verdictOf(place, inference, evaluation),
    counts: countOutcomes(outcomes),
    outcomes,
    usage: readUsage(inference, evaluation),
    startedAt: inference.text("started"),
    finishedAt: inference.text("completed"),
  };
}

type Judgement = Pick<Turn, "verdict" | "reason">;

function verdictOf(place: TurnPlace, inference: Fields, evaluation: StoredEvaluation | undefined): Judgement {
  if (inference.flag("had_error") === true) {
    return { verdict: "agent-error", reason: lastLine(inference.text("error_message")) };
  }
  if (evaluation !== undefined) return judge(evaluation);
  if (place.live) return { verdict: undefined, reason: undefined };
  const ended =
    inference.flag("had_error") === undefined ? "the agent was done" : "the hidden tests were run";
  return { verdict: "infrastructure", reason: endedBefore(ended) };
}

/** Why a turn without a record has no verdict. @param what did not come about */
export function endedBefore(what: string): string {
  return `The run ended before ${what}`;
}

/** The verdict of an evaluation that another tool made. */
function judge(evaluation: StoredEvaluation): {
  readonly verdict: Verdict;
  readonly reason: string | undefined;
} {
  if (evaluation.infrastructureFailure) {
    const code = evaluation.exitCode === undefined ? "" : ` (pytest's exit code ${evaluation.exitCode})`;
    return { verdict: "infrastructure", reason: `The hidden tests could not be run${code}` };
  }
  const counts = countOutcomes(evaluation.outcomes);
  if (GROUPS.some((group) => counts[group].failed > 0)) return { verdict: "failed", reason: undefined };
  if (GROUPS.some((group) => counts[group].passed > 0)) return { verdict: "passed", reason: undefined };
  return { verdict: "infrastructure", reason: "No hidden test was run" };
}

/** Upstream stores whole Python tracebacks; what happened stands in the last line. */
function lastLine(text: string | undefined): string | undefined {
  return text?.trim().split("\n").at(-1)?.trim();
}

function readUsage(inference: Fields, evaluation: StoredEvaluation | undefined): Usage {
  const usage = inference.fields("usage");
  const tokens = usage.fields("net_tokens");
  return {
    costUsd: usage.number("cost"),
    steps: usage.number("steps"),
    inputTokens: tokens.number("input"),
    outputTokens: tokens.number("output"),
    cacheReadTokens: tokens.number("cache_read"),
    cacheWriteTokens: tokens.number("cache_write"),
    reasoningTokens: tokens.number("reasoning"),
    agentSeconds: inference.number("elapsed"),
    testSeconds: evaluation?.seconds,
  };
}
