import { rm } from "node:fs/promises";
import path from "node:path";

import { NO_USAGE } from "../model/blank-turn.js";
import { SlopLensError } from "../model/errors.js";
import type { TurnLimits } from "../model/policy.js";
import type { Usage } from "../model/turn.js";
import { entryFileName } from "../problem/entry.js";
import type { CommandResult, SandboxSession, SessionLimits, SessionRequest } from "../sandbox/sandbox.js";
import type { AgentResult, AgentTurn } from "./agent.js";
import { judgeEnding } from "./ending.js";
import { maskFolder, maskWarning } from "./mask-folder.js";
import { TranscriptStream } from "./transcript.js";

/** A command that takes a turn in a fresh sandbox. */
export interface TurnCommand {
  /** Run by `sh -c` in the workspace. */
  readonly command: string;
  /** On stdin, and in the file that `SLOP_LENS_PROMPT_FILE` names. */
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  /** Values that nothing of ours may hold. */
  readonly secrets: readonly string[];
  readonly limits: SessionLimits;
  readonly network?: SessionRequest["network"];
  /** Names of the transcripts of both streams, in the turn's transcript folder. */
  readonly streams: { readonly stdout: string; readonly stderr: string };
  /** Folders of HOME that a conversation lies in. */
  readonly state: readonly string[];
  /** Follows what is printed. */
  readonly watcher?: Watcher | undefined;
  /** Takes what else is wanted of the sandbox, after the workspace. */
  readonly collect?: (session: SandboxSession, signal: AbortSignal) => Promise<void>;
}

export interface Watcher {
  hear(stdout: string): void;
  /** Why the command is to be stopped now; undefined to let it go on. */
  readonly stop: string | undefined;
  /** What the agent itself says about its failure. */
  readonly failure: string | undefined;
  readonly usage: Usage;
}

/** What a sandbox can hold of a turn's limits, its network apart. */
export function sessionLimits(limits: TurnLimits): SessionLimits {
  const { seconds, memoryBytes, cpus, pids, idleSeconds, diskBytes } = limits;
  return { timeoutSeconds: seconds, memoryBytes, cpus, pids, idleSeconds, diskBytes };
}

const PROMPT_FILE = "prompt.md";
const everything = (): boolean => true;

/**
 * Runs the command and takes home what it leaves: workspace, conversation, transcripts. Everything that is kept is free
 * of the secrets.
 */
export async function takeCommandTurn(
  command: TurnCommand,
  turn: AgentTurn,
  signal: AbortSignal,
): Promise<AgentResult> {
  const image = await turn.image();
  await using session = await turn.sandbox.open(sessionRequest(command, turn, image), signal);
  const ending = await runWatched(session, command, turn, signal);
  // Collected however the command ended: what an agent wrote before it failed is never lost.
  const warning = await collectWorkspace(session, command, turn, signal);
  await collectState(session, command, turn, signal);
  await command.collect?.(session, signal);
  const judged = judgeEnding({
    ...ending,
    failure: command.watcher?.failure,
    timeoutSeconds: command.limits.timeoutSeconds,
    idleSeconds: command.limits.idleSeconds,
    place: turn.sandbox.kind === "docker" ? "image" : "machine",
  });
  const usage = command.watcher?.usage ?? NO_USAGE;
  return {
    ...judged,
    usage: { ...usage, agentSeconds: ending.result.seconds },
    warnings: warning === undefined ? [] : [warning],
  };
}

interface WatchedEnding {
  readonly result: CommandResult;
  readonly stopped: string | undefined;
  readonly lastWords: string | undefined;
}

async function runWatched(
  session: SandboxSession,
  command: TurnCommand,
  turn: AgentTurn,
  signal: AbortSignal,
): Promise<WatchedEnding> {
  const { transcriptFolder: folder, onOutput } = turn;
  const { secrets, watcher } = command;
  const stopping = new AbortController();
  const hear = (text: string): void => {
    watcher?.hear(text);
    onOutput(text);
    if (watcher?.stop !== undefined) stopping.abort();
  };
  const isRetry = turn.attempt > 0;
  const stdout = await TranscriptStream.create(folder, command.streams.stdout, hear, secrets, isRetry);
  const stderr = await TranscriptStream.create(folder, command.streams.stderr, onOutput, secrets, isRetry);
  const began = performance.now();
  const streams = {
    stdin: command.prompt,
    onStdout: (chunk: Uint8Array) => {
      stdout.write(chunk);
    },
    onStderr: (chunk: Uint8Array) => {
      stderr.write(chunk);
    },
  };
  const run = session.run(streams, AbortSignal.any([signal, stopping.signal])).catch((error: unknown) => {
    if (signal.aborted || !stopping.signal.aborted) throw error;
    return killed((performance.now() - began) / 1000);
  });
  const result = await run.finally(async () => {
    await stdout.close();
    await stderr.close();
  });
  const stopped = stopping.signal.aborted ? watcher?.stop : undefined;
  return { result, stopped, lastWords: stderr.lastLine() };
}

function killed(seconds: number): CommandResult {
  return { exitCode: 137, timedOut: false, outOfMemory: false, seconds };
}

async function collectWorkspace(
  session: SandboxSession,
  { secrets }: TurnCommand,
  turn: AgentTurn,
  signal: AbortSignal,
): Promise<string | undefined> {
  const leftOut = await session.collect(turn.workspaceAfter, turn.keep, signal);
  if (leftOut.length > 0) turn.onOutput(`Left out, what a snapshot cannot hold: ${leftOut.join(", ")}\n`);
  return maskWarning(await maskFolder(turn.workspaceAfter, secrets, signal));
}

async function collectState(
  session: SandboxSession,
  { state, secrets }: TurnCommand,
  { session: { stateAfter } }: AgentTurn,
  signal: AbortSignal,
): Promise<void> {
  if (stateAfter === undefined) return;
  for (const folder of state) {
    const target = path.join(stateAfter, ...folder.split("/"));
    await rm(target, { recursive: true, force: true });
    await session.collectHome(folder, target, everything, signal);
  }
  if (state.length > 0) await maskFolder(stateAfter, secrets, signal).catch(ignoreMissing);
}

/** An agent that failed early kept nothing. */
function ignoreMissing(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT") throw SlopLensError.from(error);
}

function sessionRequest(
  command: TurnCommand,
  turn: AgentTurn,
  image: SessionRequest["image"],
): SessionRequest {
  const { stateBefore } = turn.session;
  const state =
    stateBefore === undefined || command.state.length === 0
      ? []
      : [{ source: { path: stateBefore }, root: "home", target: ".", owner: "solution" } as const];
  return {
    image,
    environment: turn.environment,
    purpose: "agent",
    owner: turn.owner,
    placements: [
      { source: { path: turn.workspaceBefore }, root: "workspace", target: ".", owner: "solution" },
      { source: { content: command.prompt }, root: "harness", target: PROMPT_FILE, owner: "harness" },
      ...state,
    ],
    command: () => ["sh", "-c", command.command],
    env: (roots) => ({
      ...command.env,
      SLOP_LENS_PROMPT_FILE: `${roots.harness}/${PROMPT_FILE}`,
      SLOP_LENS_PROBLEM: turn.problem.name,
      SLOP_LENS_CHECKPOINT: turn.checkpoint.name,
      SLOP_LENS_ENTRY_FILE: entryFileName(turn.environment, turn.problem),
    }),
    limits: command.limits,
    network: command.network,
  };
}
