import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

import { SlopLensError } from "../../model/errors.js";
import { cancelled, throwIfAborted, timerMilliseconds, within } from "../deadline.js";
import { feed } from "../feed.js";
import { IdleTimer } from "../idle-timer.js";
import type { CommandResult, CommandStreams } from "../sandbox.js";
import { killTree, SESSION_VARIABLE } from "./process-tree.js";

export interface ChildOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Marks all processes of the command. */
  readonly mark: string;
  readonly timeoutSeconds: number | undefined;
  /** Wall time without output; undefined for any. */
  readonly idleSeconds?: number | undefined;
}

/** How long output may still come after the end, in milliseconds; something outside our reach may hold the pipe. */
const DRAIN = 2000;

/**
 * Runs a command in its own process group and kills whatever it leaves behind when it ends.
 * @throws SlopLensError cancelled, bad-input when the command cannot be started
 */
export async function runChild(
  options: ChildOptions,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<CommandResult> {
  throwIfAborted(signal);
  const [file = "", ...rest] = options.command;
  const began = performance.now();
  const child = spawn(file, rest, {
    cwd: options.folder,
    env: { ...options.env, [SESSION_VARIABLE]: options.mark },
    detached: true,
    stdio: [streams.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdout?.on("data", streams.onStdout);
  child.stderr?.on("data", streams.onStderr);
  if (child.stdin !== null) feed(child.stdin, streams.stdin);
  const closed = new Promise<void>((resolve) =>
    child.once("close", () => {
      resolve();
    }),
  );
  let timedOut = false;
  let stoppedFor: CommandResult["stoppedFor"];
  const stop = (): void => void killTree(child.pid, options.mark);
  const timer = startTimer(options.timeoutSeconds, () => {
    timedOut = true;
    stop();
  });
  const silence = new IdleTimer(options.idleSeconds, () => {
    stoppedFor = "idle";
    stop();
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", () => {
      silence.reset();
    });
  }
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await ended(child, file);
    const seconds = (performance.now() - began) / 1000;
    await killTree(child.pid, options.mark);
    await within(closed, { milliseconds: DRAIN, onExpiry: cancelled }).catch(() => undefined);
    throwIfAborted(signal);
    return { exitCode, timedOut, stoppedFor, outOfMemory: false, seconds };
  } finally {
    clearTimeout(timer);
    silence.stop();
    signal.removeEventListener("abort", stop);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function startTimer(seconds: number | undefined, onExpiry: () => void): NodeJS.Timeout | undefined {
  return seconds === undefined ? undefined : setTimeout(onExpiry, timerMilliseconds(seconds));
}

function ended(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(
        new SlopLensError("bad-input", `${file} cannot be started: ${error.message}`, "", { cause: error }),
      );
    });
    child.once("exit", (code, name) => {
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name]));
    });
  });
}

/** Whether this process may ignore file permissions. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}
