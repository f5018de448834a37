import { stat } from "node:fs/promises";
import path from "node:path";
import { testsHash } from "../evaluation/tests-hash.js";
import { Fields } from "../model/fields.js";
import type { Turn } from "../model/turn.js";
import { readText } from "../model/read-text.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import { unreadableRuns } from "../store/attempt-group.js";
import { Candidates } from "../store/candidates.js";
import { DocumentReader } from "../store/documents.js";
import { turnRecordState } from "../store/read-turn.js";
import { Redactor } from "../store/redact.js";
import type { StoredSetting } from "../store/stored-setting.js";
import { changedInputs, type ChangedInputs } from "./changed-inputs.js";
import { lostWords } from "./lost-words.js";
import type { Step } from "./preparation.js";
import type { TrajectoryRequest } from "./services.js";
import { stopReason } from "./stop.js";

/**
 * keep: stays as it is. evaluate: the snapshot stays, its hidden tests are run again. redo: moved aside and taken anew.
 * take: was never taken, or not to its end. leave: is not taken, because the trajectory stops before it.
 */
export type ResumeAction = "keep" | "evaluate" | "redo" | "take" | "leave";

export interface PlannedCheckpoint {
  readonly checkpoint: string;
  readonly action: ResumeAction;
  /** In a few words; empty for what is kept without a word. */
  readonly why: string;
  /** The turn as it was read; undefined when there is none. */
  readonly turn: Turn | undefined;
}

export interface ResumePlan {
  /** In order; only checkpoints that the run is to take. */
  readonly checkpoints: readonly PlannedCheckpoint[];
  /** What is not as the run knew it and belongs to no checkpoint that it takes; sentences without an end. */
  readonly notes: readonly string[];
  /** Whether anything is done at all. */
  readonly isEmpty: boolean;
}

export interface ResumeWishes {
  /** What becomes of a turn whose agent failed or ran out of time. */
  readonly agentErrors: "retry" | "keep";
  /** Checkpoints that are taken anew although they are finished. */
  readonly redo: readonly string[];
}

/** What a plan is made from; nothing is written. */
export interface PlanInputs {
  readonly setting: StoredSetting;
  readonly request: TrajectoryRequest;
  /** The name of the pack as it is now. */
  readonly pack: string;
  readonly steps: readonly Step[];
  readonly wishes: ResumeWishes;
}

type Judged = Pick<PlannedCheckpoint, "action" | "why">;

/** Says for each checkpoint of a run what becomes of it when the run is gone on with, and why. */
export async function planResume(inputs: PlanInputs): Promise<ResumePlan> {
  const { setting, request, steps } = inputs;
  const chained = request.policy.start.kind !== "reference";
  const checkpoints: PlannedCheckpoint[] = [];
  let stopped: string | undefined;
  let redone: string | undefined;
  for (const step of steps) {
    const { name } = step.checkpoint;
    const turn = setting.part.turns.find(({ checkpoint }) => checkpoint === name);
    const own = await judge(inputs, step, turn);
    const judged = after(own, chained ? redone : undefined, stopped);
    checkpoints.push({ checkpoint: name, ...judged, turn });
    if (judged.action === "redo" || judged.action === "take") redone ??= name;
    if (judged.action === "keep" && turn !== undefined) {
      stopped ??= stopReason(request, { turn, trouble: undefined });
    }
  }
  const notes = [...packNotes(inputs), ...(await groupNotes(setting))];
  return {
    checkpoints,
    notes,
    isEmpty: checkpoints.every(({ action }) => action === "keep" || action === "leave"),
  };
}

/** What of the pack is no longer called as the run knows it, or no longer there. */
function packNotes({ setting, pack, request: { problem } }: PlanInputs): string[] {
  const isInPack = (name: string): boolean => problem.checkpoints.some((one) => one.name === name);
  const taken = setting.part.turns.filter(
    ({ verdict }) => verdict !== "not-reached" && verdict !== "skipped",
  );
  const known = new Set([...(setting.checkpoints ?? []), ...taken.map(({ checkpoint }) => checkpoint)]);
  const gone = [...known].filter((name) => !isInPack(name));
  return [
    ...(pack === problem.name ? [] : [`the pack is now called ${pack}; the run goes on as ${problem.name}`]),
    ...gone.map((name) => `${name} is no longer in the pack; what the run has of it stays as it is`),
  ];
}

/** What keeps attempts of the run's group from being begun. */
async function groupNotes({ run, part, attempt }: StoredSetting): Promise<string[]> {
  if (attempt === undefined || attempt.of === 1) return [];
  const names = await unreadableRuns(path.dirname(run.folder), part.problem);
  return names.map(
    (name) =>
      `the record of ${name} cannot be read; it may be an attempt of this group, so that none is begun anew beside it`,
  );
}

/** What the checkpoints before make of a judgement. */
function after(own: Judged, redone: string | undefined, stopped: string | undefined): Judged {
  if (stopped !== undefined) return { action: "leave", why: stopped };
  if (redone === undefined || own.action === "take") return own;
  return own.action === "redo" ? own : { action: "redo", why: `depends on ${redone}, which is redone` };
}

async function judge(inputs: PlanInputs, step: Step, turn: Turn | undefined): Promise<Judged> {
  const rounds = await judgeRound(inputs, step);
  if (rounds !== undefined) return rounds;
  if (turn === undefined || turn.verdict === "not-reached" || turn.verdict === "skipped") {
    return { action: "take", why: "not reached" };
  }
  const changed = await changedInputs(inputs.request, step.checkpoint, turn);
  const fault = (await faultOf(inputs, step, turn)) ?? changed.redo;
  if (fault !== undefined) return { action: "redo", why: fault };
  return (await judgeVerdict(inputs, turn, changed)) ?? (await judgeTests(inputs, step, turn, changed));
}

/** Of roundwise attempts: how many tries are there. @returns undefined when all are */
async function judgeRound({ setting, request }: PlanInputs, step: Step): Promise<Judged | undefined> {
  if (request.policy.attempts.kind !== "roundwise") return undefined;
  const candidates = new Candidates(setting.run.folder, request.problem.name);
  const { name } = step.checkpoint;
  const tries = (await candidates.read(name)).filter(({ verdict }) => verdict !== "infrastructure");
  const lost = await candidates.lost(name);
  const of = tries[0]?.candidate?.of;
  if (of !== undefined && tries.length >= of) return undefined;
  const unread = lost.length === 0 ? undefined : lostWords(lost);
  if (of !== undefined)
    return { action: "take", why: withNote(`${tries.length} of ${of} tries are there`, unread) };
  return unread === undefined ? undefined : { action: "take", why: unread };
}

/** Why nothing of a turn can be kept; undefined when something can. */
async function faultOf(
  { setting, request, wishes }: PlanInputs,
  { checkpoint, prompt }: Step,
  turn: Turn,
): Promise<string | undefined> {
  if (wishes.redo.includes(checkpoint.name)) return "asked for";
  if (!(await isFolder(path.join(turn.folder, "snapshot")))) {
    return turn.verdict === "infrastructure" ? withReason("no snapshot", turn) : "no snapshot";
  }
  const stored = await readText(path.join(turn.folder, "prompt.txt")).catch(() => undefined);
  const now = new Redactor(request.agent.secrets).text(prompt);
  if (stored !== undefined && stored.trim() !== now.trim()) {
    return setting.prompt?.source === request.prompt.source ? "spec changed" : "prompt changed";
  }
  if (turn.snapshotHash === null) return undefined;
  const hash = await snapshotHash(path.join(turn.folder, "snapshot"));
  return hash === turn.snapshotHash ? undefined : "the snapshot is not as it was recorded";
}

/** What the verdict or a lost record says, where the turn did not come to its end. */
async function judgeVerdict(
  { setting, wishes }: PlanInputs,
  turn: Turn,
  { note }: ChangedInputs,
): Promise<Judged | undefined> {
  const lost = await lostRecord(setting, turn);
  if (turn.verdict === "agent-error" || turn.verdict === "agent-timeout") {
    const what = turn.verdict === "agent-error" ? "agent error" : "agent timeout";
    return wishes.agentErrors === "retry"
      ? { action: "redo", why: `${what}, retried` }
      : { action: "keep", why: withNote(withNote(`${what}, kept`, lost), note) };
  }
  if (turn.verdict !== "infrastructure" && lost === undefined) return undefined;
  const why = lost ?? withReason("infrastructure", turn);
  return (await isAgentDone(turn))
    ? { action: "evaluate", why: withNote(why, note) }
    : { action: "redo", why };
}

/** Why no record tells a turn's end; undefined when one does, or it ended in the hands of another tool, which writes none. */
async function lostRecord(
  { run, hasRecords }: StoredSetting,
  { folder, verdict }: Turn,
): Promise<string | undefined> {
  switch (await turnRecordState(folder, run.folder)) {
    case "readable":
      return undefined;
    case "unreadable":
      return "its record cannot be read";
    case "missing":
      return hasRecords || verdict === "infrastructure" ? "no record: cut short" : undefined;
  }
}

async function judgeTests(
  { request }: PlanInputs,
  { checkpoint }: Step,
  turn: Turn,
  { evaluate, note }: ChangedInputs,
): Promise<Judged> {
  if (turn.testsHash !== undefined && (await testsHash(request.problem, checkpoint)) !== turn.testsHash) {
    return { action: "evaluate", why: withNote("tests changed", note) };
  }
  if (evaluate !== undefined) return { action: "evaluate", why: withNote(evaluate, note) };
  return { action: "keep", why: note ?? "" };
}

function withNote(why: string, note: string | undefined): string {
  return note === undefined ? why : `${why}; ${note}`;
}

/** Whether the agent had come to its end when the turn was cut short, so that only its evaluation is missing. */
async function isAgentDone({ folder }: Turn): Promise<boolean> {
  const document = await new DocumentReader().json(path.join(folder, "inference_result.json"));
  return new Fields(document).flag("had_error") === false;
}

function withReason(what: string, { reason }: Turn): string {
  const [first] = (reason ?? "").split("\n");
  return first === undefined || first === "" ? what : `${what}: ${first}`;
}

function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
