import { Worker, type MessagePort } from "node:worker_threads";
import { SlopLensError, type ErrorCode } from "../../model/errors.js";

/** What a thread can be asked: name → arguments and value, all plain JSON. */
export type Calls<Known> = { [Name in keyof Known]: { args: unknown; value: unknown } };

type Request =
  | { readonly id: number; readonly call: string; readonly args: unknown }
  | { readonly id: number; readonly abort: true };

type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { code: ErrorCode; message: string; hint: string } };

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread ended before it answered. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** Limits on a thread's objects, in MB. */
export interface ThreadLimits {
  /** A thread that needs more is lost. */
  readonly mostMemory: number;
  /** How much it may make before it looks what can be thrown away. */
  readonly youngMemory: number;
}

/** A worker thread that answers calls. It keeps the process alive only while calls are open. */
export class Thread<Known extends Calls<Known>> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #lost: ThreadLost | undefined;

  /**
   * @param file the worker's bundle
   * @param data what it finds as `workerData`
   * @param limits see `ThreadLimits`
   */
  constructor(file: string, data: unknown, limits?: ThreadLimits) {
    this.#worker = new Worker(file, {
      workerData: data,
      stdout: false,
      stderr: false,
      ...(limits !== undefined && {
        resourceLimits: {
          maxOldGenerationSizeMb: limits.mostMemory,
          maxYoungGenerationSizeMb: limits.youngMemory,
        },
      }),
    });
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => {
      this.#settle(reply);
    });
    this.#worker.on("error", (error) => {
      this.#lose(error.message);
    });
    this.#worker.on("exit", (code) => {
      this.#lose(`ended with exit code ${code}`);
    });
  }

  /** Whether the thread has ended; it will answer nothing more. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Asks and waits for the answer. On abort it rejects with `cancelled` at once and tells the thread.
   * @throws ThreadLost when the thread ends first
   */
  call<Name extends keyof Known & string>(
    name: Name,
    args: Known[Name]["args"],
    signal?: AbortSignal,
  ): Promise<Known[Name]["value"]> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    if (signal?.aborted === true) return Promise.reject(new SlopLensError("cancelled", "Cancelled"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#post({ id, abort: true });
        this.#take(id)?.reject(new SlopLensError("cancelled", "Cancelled"));
      };
      const settled =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener("abort", abort);
          then(value);
        };
      this.#pending.set(id, { resolve: settled(resolve), reject: settled(reject) });
      signal?.addEventListener("abort", abort, { once: true });
      this.#worker.ref();
      this.#post({ id, call: name, args });
    });
  }

  /** Ends the thread; open calls are rejected with ThreadLost. */
  async close(reason = "closed"): Promise<void> {
    this.#lose(reason);
    await this.#worker.terminate();
  }

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }

  #settle(reply: Reply): void {
    const pending = this.#take(reply.id);
    if ("value" in reply) pending?.resolve(reply.value);
    else pending?.reject(new SlopLensError(reply.error.code, reply.error.message, reply.error.hint));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    return pending;
  }

  #lose(reason: string): void {
    this.#lost ??= new ThreadLost(reason);
    const open = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of open) reject(this.#lost);
  }
}

export type Handlers<Known extends Calls<Known>> = {
  readonly [Name in keyof Known]: (
    args: Known[Name]["args"],
    signal: AbortSignal,
  ) => Promise<Known[Name]["value"]>;
};

/** Answers the calls that arrive at a worker's port. */
export function serve<Known extends Calls<Known>>(port: MessagePort, handlers: Handlers<Known>): void {
  const open = new Map<number, AbortController>();
  port.on("message", (request: Request) => {
    if ("abort" in request) {
      open.get(request.id)?.abort();
      return;
    }
    const controller = new AbortController();
    open.set(request.id, controller);
    const reply = (message: Reply) => {
      open.delete(request.id);
      port.postMessage(message);
    };
    const work = isKnown(handlers, request.call)
      ? handlers[request.call](request.args, controller.signal)
      : Promise.reject(new Error(`no call ${request.call}`));
    work.then(
      (value) => {
        reply({ id: request.id, value });
      },
      (error: unknown) => {
        const { code, message, hint } = SlopLensError.from(error);
        reply({ id: request.id, error: { code, message, hint } });
      },
    );
  });
}

function isKnown<Known extends Calls<Known>>(
  handlers: Handlers<Known>,
  name: string,
): name is keyof Known & string {
  return Object.hasOwn(handlers, name);
}
