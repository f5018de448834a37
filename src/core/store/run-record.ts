import { readFile } from "node:fs/promises";
import os from "node:os";
import type { AttemptOf, RunPolicy } from "../model/policy.js";
import type { Isolation, Run, RunAgent } from "../model/run.js";
import { Fields } from "../model/fields.js";
import { policyDocument, readAttempt, readPolicy } from "./policy-record.js";

/** Our own file at the top of a run folder. */
export const RUN_RECORD = "slop-lens.json";
const SCHEMA = 1;

/** Tells two states of a run's record apart: who works on it, how it ended, how often it was gone on with. */
export function recordMark(record: RunRecord | undefined): string {
  if (record === undefined) return "none";
  const { state, runner, startedAt, finishedAt, resumptions } = record;
  return JSON.stringify([state, runner, startedAt, finishedAt, resumptions]);
}

/** The process that works on a run. */
export interface Runner {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the kernel's own count; undefined where that cannot be read. */
  readonly began: string | undefined;
}

export interface RunRecord {
  readonly state: Run["state"];
  readonly reason: string | undefined;
  readonly agent: RunAgent;
  readonly prompt: string | undefined;
  readonly environment: string | undefined;
  readonly isolation: Isolation;
  readonly policy: RunPolicy | undefined;
  /** Which of several attempts the run is. */
  readonly attempt: AttemptOf | undefined;
  /** Names of the checkpoints that the run was to take; undefined for all. */
  readonly checkpoints: readonly string[] | undefined;
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  readonly runner: Runner | undefined;
  /** Whether another tool began the run, whose turns have no records of ours. */
  readonly imported: boolean;
  /** When the run was gone on with after it had ended, and by which agent; empty for most. */
  readonly resumptions: readonly Resumption[];
}

export interface Resumption {
  readonly at: string;
  readonly agent: string;
}

/** @param runFolder where the record lies, or another folder beside it */
export function runRecordDocument(record: RunRecord, runFolder: string): Readonly<Record<string, unknown>> {
  const policy = record.policy === undefined ? undefined : policyDocument(record.policy, runFolder);
  return { schema: SCHEMA, ...record, policy };
}

/** @returns undefined when the document is not a run record of a schema known here */
export function readRunRecord(document: unknown, runFolder: string): RunRecord | undefined {
  const fields = new Fields(document);
  const state = fields.oneOf("state", ["running", "finished", "cancelled", "interrupted"]);
  if (fields.number("schema") !== SCHEMA || state === undefined) return undefined;
  const agent = fields.fields("agent");
  return {
    state,
    reason: fields.text("reason"),
    agent: {
      type: agent.text("type") ?? "unknown",
      name: agent.text("name"),
      version: agent.text("version"),
      model: agent.text("model"),
      detail: agent.text("detail"),
    },
    prompt: fields.text("prompt"),
    environment: fields.text("environment"),
    isolation: fields.oneOf("isolation", ["docker", "local"]) ?? "unknown",
    policy: readPolicy(fields, runFolder),
    attempt: readAttempt(fields.fields("attempt")),
    checkpoints: fields.list("checkpoints").length === 0 ? undefined : fields.texts("checkpoints"),
    startedAt: fields.text("startedAt"),
    finishedAt: fields.text("finishedAt"),
    runner: readRunner(fields.fields("runner")),
    imported: fields.flag("imported") ?? false,
    resumptions: fields.list("resumptions").flatMap((item) => readResumption(new Fields(item))),
  };
}

function readResumption(fields: Fields): Resumption[] {
  const [at, agent] = [fields.text("at"), fields.text("agent")];
  return at === undefined || agent === undefined ? [] : [{ at, agent }];
}

export function readRunner(fields: Fields): Runner | undefined {
  const [pid, host] = [fields.number("pid"), fields.text("host")];
  return pid === undefined || host === undefined ? undefined : { pid, host, began: fields.text("began") };
}

/** This process as a runner. */
export async function thisRunner(): Promise<Runner> {
  return { pid: process.pid, host: os.hostname(), began: await processStart(process.pid) };
}

/**
 * Whether the process of a runner is still at work. A process of another machine cannot be seen and counts as gone; a
 * new process that got an old number is told by its start.
 */
export async function isAlive(runner: Runner): Promise<boolean> {
  if (runner.host !== os.hostname() || !processExists(runner.pid)) return false;
  const began = await processStart(runner.pid);
  return runner.began === undefined || began === undefined || began === runner.began;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Boot and start time of a process on Linux, which no other process shares. */
async function processStart(pid: number): Promise<string | undefined> {
  const read = async (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
  const [stat, boot] = await Promise.all([
    read(`/proc/${pid}/stat`),
    read("/proc/sys/kernel/random/boot_id"),
  ]);
  // The command's name, in parentheses, may hold spaces; the start time is the 20th field after it.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return ticks === undefined || ticks === "" ? undefined : `${boot.trim()} ${ticks}`;
}
