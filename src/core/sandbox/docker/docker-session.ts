import path from "node:path";

import type Docker from "dockerode";

import { SlopLensError } from "../../model/errors.js";
import { PlacementPlan } from "../archive/plan.js";
import { ABORT_GRACE } from "../deadline.js";
import type {
  CommandResult,
  CommandStreams,
  SandboxRoots,
  SandboxSession,
  SessionRequest,
} from "../sandbox.js";
import { pathFolders, sessionVariables } from "../variables.js";
import { collectFiles, isFolder } from "./collect-files.js";
import { hardenedOptions, sessionNetwork } from "./container-options.js";
import { createContainer, removeContainer } from "./containers.js";
import type { DockerImage } from "./docker-image.js";
import type { Engine } from "./engine.js";
import { GuardedNetwork } from "./guarded-network.js";
import { isMissingProgram, statusOf, wordsOf, workingError } from "./engine-errors.js";
import { containerLabels } from "./labels.js";
import { containerRoots, LAYER_BIN } from "./layout.js";
import { putFiles } from "./put-files.js";
import { runContainer } from "./run-container.js";

/** A fresh container of a prepared image. */
export class DockerSession implements SandboxSession {
  readonly #disposal = new AbortController();
  #running: Promise<CommandResult> | undefined;
  #removal: Promise<void> | undefined;

  private constructor(
    private readonly engine: Engine,
    private readonly container: Docker.Container,
    private readonly request: SessionRequest,
    readonly roots: SandboxRoots,
    private readonly network: GuardedNetwork | undefined,
  ) {}

  /** @param harness folder of the product's Python files */
  static async create(
    engine: Engine,
    harness: string,
    image: DockerImage,
    request: SessionRequest,
    signal: AbortSignal,
  ): Promise<DockerSession> {
    const roots = {
      ...containerRoots(request.environment),
      solutionUser: isSupervised(request, image) ? { uid: image.uid, gid: image.gid } : undefined,
    };
    const reading = PlacementPlan.of(request.placements, signal);
    reading.catch(() => undefined);
    const network = await guardedNetwork(engine, harness, image, request, signal);
    let container: Docker.Container | undefined;
    try {
      container = await createSessionContainer(engine, image, { request, roots, network }, signal);
      const options = { ...roots, uid: image.uid, gid: image.gid, purpose: request.purpose };
      await putFiles(container, await reading, options, signal);
      return new DockerSession(engine, container, request, roots, network);
    } catch (error) {
      const deadline = signal.aborted ? ABORT_GRACE : undefined;
      if (container !== undefined) await removeContainer(engine, container, deadline);
      await network?.remove(deadline);
      throw error;
    }
  }

  run(streams: CommandStreams, signal: AbortSignal): Promise<CommandResult> {
    if (this.#running !== undefined) throw new SlopLensError("internal", "A session runs one command");
    const either = AbortSignal.any([signal, this.#disposal.signal]);
    this.#running = runContainer(this.engine, this.container, streams, {
      limits: this.request.limits,
      signal: either,
      onStartError: (error) => this.#startError(error),
    });
    return this.#running;
  }

  collect(target: string, keep: (relativePath: string) => boolean, signal: AbortSignal): Promise<string[]> {
    const folder = this.roots.workspace;
    return collectFiles(this.engine, this.container, { folder, target, keep, signal });
  }

  async collectHome(
    folder: string,
    target: string,
    keep: (relativePath: string) => boolean,
    signal: AbortSignal,
  ): Promise<string[] | undefined> {
    const request = { folder: path.posix.join(this.roots.home, folder), target, keep, signal };
    if (!(await isFolder(this.engine, this.container, request.folder, signal))) return undefined;
    return collectFiles(this.engine, this.container, request);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#removal ??= this.#remove();
    return this.#removal;
  }

  async #remove(): Promise<void> {
    this.#disposal.abort();
    // From an engine that is lost not much is to be hoped; the label lets a later start find what stays.
    const isLost = await this.#running?.then(
      () => false,
      (error: unknown) => SlopLensError.is(error, "engine-lost"),
    );
    const deadline = isLost === true ? ABORT_GRACE : undefined;
    await removeContainer(this.engine, this.container, deadline);
    await this.network?.remove(deadline);
  }

  #startError(error: unknown): Error {
    if (!isMissingProgram(error)) return workingError(error, "starting a container");
    const [program = ""] = this.request.command(this.roots);
    return new SlopLensError("bad-input", `${program} cannot be started: ${wordsOf(error)}`, "", {
      cause: error,
    });
  }
}

async function guardedNetwork(
  engine: Engine,
  harness: string,
  image: DockerImage,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<GuardedNetwork | undefined> {
  const { network } = request;
  if (typeof network !== "object") return undefined;
  return GuardedNetwork.create(engine, harness, image, request, network.hosts, signal);
}

/** A solution that is root itself cannot be kept from anything by another user. */
function isSupervised(request: SessionRequest, image: DockerImage): boolean {
  return request.supervising === true && image.uid !== 0;
}

async function createSessionContainer(
  engine: Engine,
  image: DockerImage,
  plan: {
    readonly request: SessionRequest;
    readonly roots: SandboxRoots;
    readonly network: GuardedNetwork | undefined;
  },
  signal: AbortSignal,
): Promise<Docker.Container> {
  const { request, roots, network } = plan;
  const { environment, limits } = request;
  const command = request.command(roots);
  const own = {
    path: [
      roots.solutionBin,
      ...(image.isLayered ? [LAYER_BIN] : []),
      ...pathFolders(environment.env["PATH"] ?? image.path),
    ],
    home: roots.home,
  };
  const asked = { ...request.env(roots), ...network?.variables };
  const variables = sessionVariables(environment, asked, own);
  const options: Docker.ContainerCreateOptions = {
    Image: image.id,
    // As the entrypoint, so that an entrypoint of the image does not get in between.
    Entrypoint: [...command],
    Cmd: [],
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    User: roots.solutionUser === undefined ? `${image.uid}:${image.gid}` : "0:0",
    WorkingDir: roots.workspace,
    Labels: containerLabels("session", request.owner),
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    HostConfig: {
      ...hardenedOptions(limits, await engine.info(signal), environment),
      ...(network?.hostOptions ?? { NetworkMode: sessionNetwork(environment, request) }),
      ...(roots.solutionUser === undefined ? {} : { CapAdd: ["SETUID", "SETGID"] }),
    },
  };
  try {
    return await createContainer(engine, options, signal);
  } catch (error) {
    throw creationError(error, image);
  }
}

function creationError(error: unknown, image: DockerImage): Error {
  const status = statusOf(error);
  if (status === 404) {
    return new SlopLensError(
      "image-unavailable",
      `The image ${image.reference} is gone: ${wordsOf(error)}`,
      "Start again; it is made anew.",
      { cause: error },
    );
  }
  if (status !== 400) return workingError(error, "creating a container");
  return new SlopLensError(
    "environment-invalid",
    `The engine makes no container of this environment: ${wordsOf(error)}`,
    "Check `docker` in the environment and the limits.",
    { cause: error },
  );
}
