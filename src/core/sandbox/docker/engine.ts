import type Docker from "dockerode";
import { z } from "zod";

import { within } from "../deadline.js";
import { connectionError, lost, statusOf, workingError } from "./engine-errors.js";
import { findEndpoint, modemOptions, systemSources, type Endpoint } from "./endpoint.js";

/** Milliseconds within which an engine must answer a ping, and any other short call. */
const PING_DEADLINE = 5_000;
const CALL_DEADLINE = 60_000;

const infoSchema = z.object({
  MemTotal: z.number().default(0),
  NCPU: z.number().default(1),
  MemoryLimit: z.boolean().default(false),
  PidsLimit: z.boolean().default(false),
  CpuCfsQuota: z.boolean().default(false),
  SecurityOptions: z.array(z.string()).nullish(),
  OSType: z.string().default("linux"),
  ServerVersion: z.string().default("unknown"),
});

/** What `docker info` tells, as far as we use it. */
export type EngineInfo = z.infer<typeof infoSchema>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; default one minute. */
  readonly deadline?: number;
}

/** A connection to one Docker engine. Every call has a deadline of our own, because some never settle. */
export class Engine {
  #info: EngineInfo | undefined;

  private constructor(
    readonly docker: Docker,
    readonly endpoint: Endpoint,
  ) {}

  /**
   * @param host explicit address; else as Docker's own command finds it
   * @throws SlopLensError engine-missing, engine-denied, engine-lost, bad-input
   */
  static async connect(host: string | undefined): Promise<Engine> {
    const endpoint = findEndpoint(host, systemSources());
    const options = modemOptions(endpoint);
    const { default: Client } = await import("dockerode");
    const engine = new Engine(new Client(options), endpoint);
    await engine.ping();
    return engine;
  }

  /** @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled */
  async ping(signal?: AbortSignal): Promise<void> {
    try {
      await within(this.docker.ping(), {
        milliseconds: PING_DEADLINE,
        onExpiry: () => lost("ping", `no answer within ${PING_DEADLINE / 1000} s`),
        signal,
      });
    } catch (error) {
      throw connectionError(error, this.endpoint.host);
    }
  }

  /**
   * A short call.
   * @param what for the error message, for example `creating a container`
   * @throws SlopLensError engine-lost, disk-full, cancelled
   */
  async call<T>(what: string, promise: Promise<T>, options: CallOptions = {}): Promise<T> {
    try {
      return await this.raw(what, promise, options);
    } catch (error) {
      throw workingError(error, what);
    }
  }

  /** The same for callers that look at the engine's refusal themselves. */
  raw<T>(what: string, promise: Promise<T>, options: CallOptions = {}): Promise<T> {
    const milliseconds = options.deadline ?? CALL_DEADLINE;
    const onExpiry = (): Error => lost(what, `no answer within ${milliseconds / 1000} s`);
    return within(promise, { milliseconds, onExpiry, signal: options.signal });
  }

  /** Like {@link call}, but undefined when the engine knows no such thing. */
  async find<T>(what: string, promise: Promise<T>, options: CallOptions = {}): Promise<T | undefined> {
    try {
      return await this.raw(what, promise, options);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw workingError(error, what);
    }
  }

  async info(signal?: AbortSignal): Promise<EngineInfo> {
    this.#info ??= infoSchema.parse(await this.call("info", this.docker.info(), { signal }));
    return this.#info;
  }
}
