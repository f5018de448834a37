import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";

import type Docker from "dockerode";
import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { isHost } from "../../model/policy.js";
import { ABORT_GRACE, within } from "../deadline.js";
import type { SessionRequest } from "../sandbox.js";
import { hardenedOptions, installNetwork } from "./container-options.js";
import { createContainer, removeContainer } from "./containers.js";
import type { DockerImage } from "./docker-image.js";
import type { Engine } from "./engine.js";
import { lost } from "./engine-errors.js";
import { containerLabels } from "./labels.js";
import { containerRoots } from "./layout.js";

const PORT = 3128;
/** An option of Docker's networks. */
const WITHOUT_ADDRESS = "com.docker.network.bridge.inhibit_ipv4";
const networkSchema = z.object({ Options: z.record(z.string(), z.string()).nullish() });
const READY_DEADLINE = 30_000;
/** What a proxy needs; it is not the agent's, so the agent's limits are not its. */
const LIMITS = { timeoutSeconds: undefined, memoryBytes: 256 * 1024 ** 2, cpus: undefined, pids: 64 };

/** A network without a way out, and a proxy on it that lets through to the hosts named. */
export class GuardedNetwork {
  private constructor(
    private readonly engine: Engine,
    private readonly network: Docker.Network,
    private readonly proxy: Docker.Container,
    private readonly address: string,
  ) {}

  /**
   * @param harness folder of the product's Python files
   * @throws SlopLensError engine-lost, cancelled, bad-input for a host that cannot be read
   */
  static async create(
    engine: Engine,
    harness: string,
    image: DockerImage,
    request: SessionRequest,
    hosts: readonly string[],
    signal: AbortSignal,
  ): Promise<GuardedNetwork> {
    hosts.forEach(checkHost);
    const script = await readFile(path.join(harness, "proxy.py"), "utf8");
    const network = await createNetwork(engine, request, signal);
    let proxy: Docker.Container | undefined;
    try {
      const options = proxyOptions(image, request, await engine.info(signal), [
        script,
        JSON.stringify(hosts),
      ]);
      proxy = await engine.call("creating a proxy", createContainer(engine, options, signal));
      const address = await startProxy(engine, network, proxy, signal);
      return new GuardedNetwork(engine, network, proxy, address);
    } catch (error) {
      if (proxy !== undefined) await removeContainer(engine, proxy, signal.aborted ? ABORT_GRACE : undefined);
      await removeNetwork(engine, network);
      throw error;
    }
  }

  /** Host settings of a container on this network. Names are looked up by the proxy alone: a query is a way out too. */
  get hostOptions(): Docker.HostConfig {
    return { NetworkMode: this.network.id, Dns: ["127.0.0.1"] };
  }

  /** What programs read to find their proxy; some want small letters, Node's own client a switch besides. */
  get variables(): Record<string, string> {
    const proxy = `http://${this.address}:${PORT}`;
    const none = "localhost,127.0.0.1,::1";
    return {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      NO_PROXY: none,
      http_proxy: proxy,
      https_proxy: proxy,
      no_proxy: none,
      NODE_USE_ENV_PROXY: "1",
    };
  }

  /** Removes proxy and network; never throws. @param deadline milliseconds for each; default as for any container */
  async remove(deadline?: number): Promise<void> {
    await removeContainer(this.engine, this.proxy, deadline);
    await removeNetwork(this.engine, this.network, deadline);
  }
}

function checkHost(host: string): void {
  if (isHost(host)) return;
  throw new SlopLensError(
    "bad-input",
    `\`${host}\` is not the name of a host`,
    "Write it like api.example.com, host:8080 or *.example.com.",
  );
}

async function createNetwork(
  engine: Engine,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<Docker.Network> {
  const creation = engine.docker.createNetwork({
    Name: `slop-lens-${randomBytes(8).toString("hex")}`,
    Internal: true,
    // Engines can be set to give every network such addresses, the machine's own among them.
    EnableIPv6: false,
    // Else the engine's machine has an address on the network, and everything that listens on it can be reached.
    Options: { [WITHOUT_ADDRESS]: "true" },
    Labels: containerLabels("session", request.owner),
  });
  creation.then(
    (late) => (signal.aborted ? removeNetwork(engine, late) : undefined),
    () => undefined,
  );
  const network = await engine.call("creating a network", creation, { signal });
  try {
    await checkKept(engine, network, signal);
    return network;
  } catch (error) {
    await removeNetwork(engine, network, signal.aborted ? ABORT_GRACE : undefined);
    throw error;
  }
}

/** Engines other than Docker's may ignore the option, and say so only here. */
async function checkKept(engine: Engine, network: Docker.Network, signal: AbortSignal): Promise<void> {
  const looking = network.inspect() as Promise<unknown>;
  const info = networkSchema.parse(await engine.call("looking at a network", looking, { signal }));
  if (info.Options?.[WITHOUT_ADDRESS] === "true") return;
  throw new SlopLensError(
    "bad-input",
    "This engine cannot keep an agent to a list of hosts: on its networks the machine itself can be reached",
    "Use Docker's own engine, or the network `bridge` or `none`.",
  );
}

function proxyOptions(
  image: DockerImage,
  request: SessionRequest,
  info: Parameters<typeof hardenedOptions>[1],
  words: readonly string[],
): Docker.ContainerCreateOptions {
  const { environment, owner } = request;
  return {
    Image: image.id,
    Entrypoint: [containerRoots(environment).testPython, "-I", "-c", ...words],
    Cmd: [],
    User: `${image.uid}:${image.gid}`,
    WorkingDir: "/",
    Labels: containerLabels("session", owner),
    AttachStdout: true,
    HostConfig: {
      ...hardenedOptions(LIMITS, info, environment),
      Mounts: [],
      NetworkMode: installNetwork(environment),
    },
  };
}

/** @returns the proxy's address on the network */
async function startProxy(
  engine: Engine,
  network: Docker.Network,
  proxy: Docker.Container,
  signal: AbortSignal,
): Promise<string> {
  const what = "starting a proxy";
  await engine.call(what, network.connect({ Container: proxy.id }), { signal });
  const stream = await engine.call(what, proxy.attach({ stream: true, stdout: true }), { signal });
  try {
    const ready = firstOutput(stream);
    await engine.call(what, proxy.start(), { signal });
    await within(ready, {
      milliseconds: READY_DEADLINE,
      onExpiry: () => lost(what, "it does not begin to listen"),
      signal,
    });
  } finally {
    stream.removeAllListeners("data");
    if (stream instanceof Readable) stream.destroy();
  }
  const info = await engine.call(what, proxy.inspect(), { signal });
  const networks = Object.values(info.NetworkSettings.Networks);
  const own = networks.find(({ NetworkID }) => NetworkID === network.id);
  if (own === undefined || own.IPAddress === "") throw lost(what, "it has no address");
  return own.IPAddress;
}

function firstOutput(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("data", () => {
      resolve();
    });
    for (const event of ["end", "error", "close"]) {
      stream.once(event, () => {
        reject(lost("starting a proxy", "it ended at once"));
      });
    }
  });
}

/** Never throws; the label lets a later start find what could not be removed. */
async function removeNetwork(engine: Engine, network: Docker.Network, deadline = 30_000): Promise<void> {
  await engine.raw("removing a network", network.remove(), { deadline }).catch(() => undefined);
}
