import type { Duplex } from "node:stream";

import type Docker from "dockerode";
import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { ABORT_GRACE, cancelled, pause, throwIfAborted, within } from "../deadline.js";
import { feed } from "../feed.js";
import type { CommandResult, CommandStreams } from "../sandbox.js";
import { attach } from "./attach.js";
import { Demultiplexer } from "./demux.js";
import type { Engine } from "./engine.js";
import { lost, statusOf, workingError } from "./engine-errors.js";
import { layerSize, LimitWatch, type WatchedLimits } from "./limit-watch.js";

/** Milliseconds between looks at a container whose output has ended, and at one that seems to run. */
const LOOK_SOON = 100;
const HEARTBEAT = 10_000;
const LOOK_DEADLINE = 5_000;
/** How long the last output may take to arrive after the end, without anything new, in milliseconds. */
const DRAIN_IDLE = 2_000;
/** How long looks may fail before the engine counts as lost, in milliseconds. */
const PATIENCE = 5_000;

/** Exit codes of what was ended by SIGTERM or SIGKILL. */
const ENDED_BY_ENGINE: ReadonlySet<number> = new Set([143, 137]);

const waitSchema = z.object({ StatusCode: z.number() });

export interface RunOptions {
  readonly limits: WatchedLimits;
  readonly signal: AbortSignal;
  /** Turns the engine's refusal to start the command into an error for the user. */
  readonly onStartError?: (error: unknown) => Error;
}

/**
 * Starts a created container and resolves when it has ended. Output is passed on and never kept.
 * @throws SlopLensError cancelled (the container is dead then), engine-lost, disk-full, what `onStartError` makes
 */
export async function runContainer(
  engine: Engine,
  container: Docker.Container,
  streams: CommandStreams,
  options: RunOptions,
): Promise<CommandResult> {
  throwIfAborted(options.signal);
  return new ContainerRun(engine, container, options).run(streams);
}

class ContainerGone extends SlopLensError {}

class ContainerRun {
  /** Ends every request of ours that still waits when the run is over. */
  readonly #over = new AbortController();
  #watching: LimitWatch | undefined;
  /** Bytes of the layer before the start. */
  #placed = 0;
  #starting = false;
  #lastOutput = performance.now();

  constructor(
    private readonly engine: Engine,
    private readonly container: Docker.Container,
    private readonly options: RunOptions,
  ) {}

  async run(streams: CommandStreams): Promise<CommandResult> {
    const { signal } = this.options;
    const killed = new Promise<never>((_, reject) => {
      const onAbort = (): void => {
        void this.#kill().finally(() => {
          reject(cancelled());
        });
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#over.signal.addEventListener("abort", () => {
        signal.removeEventListener("abort", onAbort);
      });
    });
    killed.catch(() => undefined);
    try {
      const result = await Promise.race([this.#work(streams), killed]);
      // A kill's effect may be seen before the kill itself has ended.
      if (signal.aborted) throw cancelled();
      return result;
    } finally {
      this.#over.abort();
    }
  }

  async #work(streams: CommandStreams): Promise<CommandResult> {
    const { stream, closed } = await this.#attach(streams);
    const exited = this.#waitForExit();
    try {
      await this.#start();
      const began = performance.now();
      const watching = this.#watchLimits();
      feed(stream, streams.stdin);
      try {
        const exitCode = await Promise.race([exited, this.#watch(closed)]);
        const seconds = (performance.now() - began) / 1000;
        await this.#drain(closed);
        const state = await this.#look();
        return {
          exitCode: state.Running ? exitCode : state.ExitCode,
          ...watching.verdict,
          outOfMemory: state.OOMKilled,
          seconds,
        };
      } finally {
        watching.end();
      }
    } finally {
      stream.destroy();
    }
  }

  async #attach(streams: CommandStreams): Promise<{ stream: Duplex; closed: Promise<void> }> {
    const stream = await attach(this.engine, this.container, this.#over.signal);
    const demultiplexer = new Demultiplexer(streams.onStdout, streams.onStderr);
    stream.on("data", (chunk: Buffer) => {
      this.#lastOutput = performance.now();
      this.#watching?.noteOutput();
      demultiplexer.push(chunk);
    });
    const closed = new Promise<void>((resolve) => {
      for (const event of ["end", "close", "error"])
        stream.on(event, () => {
          resolve();
        });
    });
    return { stream, closed };
  }

  /** The engine's own word on the end. It may never come, so it is raced, and its failure says nothing. */
  #waitForExit(): Promise<number> {
    const options = { condition: "next-exit" as const, abortSignal: this.#over.signal };
    return new Promise((resolve) => {
      this.container.wait(options).then(
        (answer: unknown) => {
          const parsed = waitSchema.safeParse(answer);
          if (parsed.success) resolve(parsed.data.StatusCode);
        },
        () => undefined,
      );
    });
  }

  async #start(): Promise<void> {
    this.#starting = true;
    try {
      // A program may have written much before it can be looked at for the first time.
      if (this.options.limits.diskBytes !== undefined)
        this.#placed = await layerSize(this.engine, this.container, this.#over.signal);
      await this.engine.raw("starting a container", this.container.start());
    } catch (error) {
      const refusal = statusOf(error) === undefined ? undefined : this.options.onStartError?.(error);
      throw refusal ?? workingError(error, "starting a container");
    } finally {
      this.#starting = false;
    }
  }

  #watchLimits(): LimitWatch {
    const { engine, container } = this;
    const watched = { engine, docker: container, placed: this.#placed };
    this.#watching = new LimitWatch(this.options.limits, watched, () => {
      void this.#kill();
    });
    return this.#watching;
  }

  /** Looks at the container now and then, often once its output has ended, until it is seen to have ended. */
  async #watch(closed: Promise<void>): Promise<number> {
    let failingSince: number | undefined;
    const output = { ended: false };
    const ending = closed.then(() => {
      output.ended = true;
    });
    for (;;) {
      const soon = output.ended || failingSince !== undefined;
      await (soon ? pause(LOOK_SOON, this.#over.signal) : this.#eitherEndOrHeartbeat(ending));
      try {
        const state = await this.#look();
        if (!state.Running) return this.#exitCodeOf(state, failingSince !== undefined);
        failingSince = undefined;
      } catch (error) {
        failingSince ??= performance.now();
        if (error instanceof ContainerGone || performance.now() - failingSince > PATIENCE) throw error;
      }
    }
  }

  /** An engine that ends takes its containers along; that is not how their commands ended. */
  #exitCodeOf({ ExitCode }: Docker.ContainerInspectInfo["State"], wasAway: boolean): number {
    const { timedOut = false, stoppedFor } = this.#watching?.verdict ?? {};
    const isOurDoing = timedOut || stoppedFor !== undefined;
    if (!wasAway || isOurDoing || !ENDED_BY_ENGINE.has(ExitCode)) return ExitCode;
    throw new ContainerGone(
      "engine-lost",
      "The container was ended while the Docker engine was away",
      "Resume the run.",
    );
  }

  #eitherEndOrHeartbeat(ending: Promise<void>): Promise<void> {
    return within(Promise.race([ending, pause(HEARTBEAT, this.#over.signal)]), {
      milliseconds: undefined,
      onExpiry: cancelled,
    });
  }

  async #look(): Promise<Docker.ContainerInspectInfo["State"]> {
    const what = "looking at a container";
    const info = await this.engine.find(what, this.container.inspect(), { deadline: LOOK_DEADLINE });
    if (info === undefined) throw new ContainerGone("engine-lost", "The container was removed while it ran");
    return info.State;
  }

  /** Waits for the last output, as long as some keeps coming. */
  async #drain(closed: Promise<void>): Promise<void> {
    const output = { ended: false };
    void closed.then(() => {
      output.ended = true;
    });
    const from = performance.now();
    for (;;) {
      await within(closed, { milliseconds: LOOK_SOON, onExpiry: cancelled }).catch(() => undefined);
      if (output.ended || performance.now() - Math.max(from, this.#lastOutput) > DRAIN_IDLE) return;
    }
  }

  /** Kills the container, also one that is just being started; gives up when the engine does not answer in time. */
  async #kill(): Promise<void> {
    const until = performance.now() + ABORT_GRACE;
    for (;;) {
      const left = until - performance.now();
      if (left <= 0) return;
      try {
        await within(this.container.kill(), {
          milliseconds: left,
          onExpiry: () => lost("kill", "no answer"),
        });
        return;
      } catch {
        if (!this.#starting) return;
        await pause(50);
      }
    }
  }
}
