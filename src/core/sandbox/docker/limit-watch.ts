import type Docker from "dockerode";
import { z } from "zod";

import { pause } from "../deadline.js";
import { IdleTimer } from "../idle-timer.js";
import type { CommandResult, SessionLimits } from "../sandbox.js";
import type { Engine } from "./engine.js";

/** The limits that the engine does not hold itself. */
export type WatchedLimits = Pick<SessionLimits, "timeoutSeconds" | "idleSeconds" | "diskBytes">;

/** Milliseconds between looks at what was written; more where a look itself takes its time. */
const LOOK_AGAIN = 2_000;
/** Part of the time that may be spent on looking. */
const SHARE = 0.1;
/** How long a look may take, in milliseconds: the engine walks through everything that was written. */
const LOOK_DEADLINE = 5 * 60_000;

const sizeSchema = z.object({ SizeRw: z.number().default(0) });

/** Kills a running container that exceeds wall time, silence or what it may write; tells which it was. */
export class LimitWatch {
  #timedOut = false;
  #stoppedFor: CommandResult["stoppedFor"];
  readonly #timer: IdleTimer;
  readonly #silence: IdleTimer;
  readonly #over = new AbortController();

  /**
   * Begins to watch.
   * @param container `placed` is the size of its layer before it was started, in bytes
   * @param kill ends the container
   */
  constructor(
    limits: WatchedLimits,
    container: { engine: Engine; docker: Docker.Container; placed: number },
    kill: () => void,
  ) {
    this.#timer = new IdleTimer(limits.timeoutSeconds, () => {
      this.#timedOut = true;
      kill();
    });
    const stop = (reason: "idle" | "disk"): void => {
      if (this.#timedOut || this.#over.signal.aborted) return;
      this.#stoppedFor ??= reason;
      kill();
    };
    this.#silence = new IdleTimer(limits.idleSeconds, () => {
      stop("idle");
    });
    if (limits.diskBytes === undefined) return;
    whenWritten(limits.diskBytes, container, this.#over.signal).then(
      () => {
        stop("disk");
      },
      // The end of the run, or an engine that is lost, which the run notices itself.
      () => undefined,
    );
  }

  /** What the watch did. */
  get verdict(): Pick<CommandResult, "timedOut" | "stoppedFor"> {
    return { timedOut: this.#timedOut, stoppedFor: this.#stoppedFor };
  }

  /** To be called for every output. */
  noteOutput(): void {
    this.#silence.reset();
  }

  end(): void {
    this.#timer.stop();
    this.#silence.stop();
    this.#over.abort();
  }
}

/**
 * Resolves when the container has written more than `limit` bytes. The engine's own sum counts all of its layer, also
 * what was placed before the start, and not what was deleted while it is open.
 */
async function whenWritten(
  limit: number,
  { engine, docker, placed }: { engine: Engine; docker: Docker.Container; placed: number },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const began = performance.now();
    const size = await layerSize(engine, docker, signal);
    if (size - placed > limit) return;
    await pause(Math.max(LOOK_AGAIN, (performance.now() - began) / SHARE), signal);
  }
}

/** Bytes of a container's own layer, as the engine adds them up. @throws SlopLensError when the engine does not answer */
export async function layerSize(
  engine: Engine,
  container: Docker.Container,
  signal: AbortSignal,
): Promise<number> {
  const options: Docker.ContainerInspectOptions & { size: true } = { size: true, abortSignal: signal };
  const looking: Promise<unknown> = container.inspect(options);
  const info = await engine.call("measuring a container", looking, { signal, deadline: LOOK_DEADLINE });
  return sizeSchema.parse(info).SizeRw;
}
