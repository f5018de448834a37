import type Docker from "dockerode";
import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { within } from "../deadline.js";
import {
  findEndpoint,
  modemOptions,
  socketOptions,
  sshUrl,
  systemSources,
  type Endpoint,
} from "./endpoint.js";
import { connectionError, lost, statusOf, wordsOf, workingError } from "./engine-errors.js";
import { openSshBridge } from "./ssh-bridge.js";

/** Milliseconds within which an engine must answer a ping, and any other short call. */
const PING_DEADLINE = 5_000;
/** The same where ssh has to get in touch first. */
const SSH_DEADLINE = 30_000;
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
    const url = sshUrl(endpoint);
    if (url !== undefined) return Engine.#connectThroughSsh(endpoint, url);
    const engine = await Engine.#of(endpoint, modemOptions(endpoint));
    await engine.ping();
    return engine;
  }

  static async #of(endpoint: Endpoint, options: Docker.DockerOptions): Promise<Engine> {
    const { default: Client } = await import("dockerode");
    try {
      return new Engine(new Client(options), endpoint);
    } catch (error) {
      // It reads DOCKER_CERT_PATH, whatever it is given.
      const message = `The files that DOCKER_CERT_PATH names cannot be read: ${wordsOf(error)}`;
      throw new SlopLensError("engine-denied", message, "Correct the variable, or unset it.", {
        cause: error,
      });
    }
  }

  static async #connectThroughSsh(endpoint: Endpoint, url: URL): Promise<Engine> {
    const bridge = await openSshBridge(url);
    const engine = await Engine.#of(endpoint, socketOptions(bridge.socketPath));
    try {
      await engine.ping();
      return engine;
    } catch (error) {
      throw new SlopLensError(
        "engine-missing",
        `No Docker engine answers at ${endpoint.host}: ${bridge.lastWords() || wordsOf(error)}`,
        `Check that \`ssh ${url.hostname} docker version\` works without a question; keys with a passphrase need an agent.`,
        { cause: error },
      );
    }
  }

  /** @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled */
  async ping(signal?: AbortSignal): Promise<void> {
    try {
      const milliseconds = sshUrl(this.endpoint) === undefined ? PING_DEADLINE : SSH_DEADLINE;
      await within(this.docker.ping(), {
        milliseconds,
        onExpiry: () => lost("ping", `no answer within ${milliseconds / 1000} s`),
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
