import { SlopLensError } from "../../model/errors.js";
import { cancelled, throwIfAborted, within } from "../deadline.js";
import { readRecipe } from "../provision.js";
import { versionWarning } from "../python-version.js";
import { readRequirements, requirementsWarning } from "../requirements.js";
import type { ImageRequest, PreparedImage, Sandbox, SandboxSession, SessionRequest } from "../sandbox.js";
import { DockerImage } from "./docker-image.js";
import { DockerSession } from "./docker-session.js";
import { Engine, type EngineInfo } from "./engine.js";
import { checkImageName } from "./image-name.js";
import { baseImage, derivedImage, layerImage, requirementsImage } from "./images.js";
import { containerRoots } from "./layout.js";
import { removeOrphans } from "./orphans.js";

export interface DockerSandboxOptions {
  /** Folder of the product's Python files. */
  readonly harness: string;
  /** Address of the engine; default as Docker's own command finds it. */
  readonly host?: string | undefined;
}

/** What a host may want to tell about the engine. */
export interface EngineDescription {
  readonly host: string;
  readonly version: string;
  readonly rootless: boolean;
  readonly cpus: number;
  /** 0 when it does not tell. */
  readonly memoryBytes: number;
  /** Limits that this engine does not enforce, in words. */
  readonly missing: readonly string[];
}

const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Containers of a Docker engine, local or remote: files go in and out as archives, never by mounts of ours. */
export class DockerSandbox implements Sandbox {
  readonly kind = "docker";
  readonly isolated = true;
  #connecting: Promise<Engine> | undefined;

  constructor(private readonly options: DockerSandboxOptions) {}

  async prepare(
    request: ImageRequest,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<PreparedImage> {
    throwIfAborted(signal);
    const { environment } = request;
    const name = imageName(request);
    const { workspace } = containerRoots(environment);
    const engine = await this.#engine(signal);
    await engine.ping(signal);
    const recipe = await readRecipe(this.options.harness);
    const context = { engine, environment, recipe, onProgress, signal };
    const base = await baseImage(context, name);
    const derived = await derivedImage(context, { id: base.Id, name }, request.testDependencies);
    const requirements = await readRequirements(request.requirementsFrom, signal);
    const own =
      requirements === undefined ? derived : await requirementsImage(context, derived, requirements);
    const layered = request.layer === undefined ? undefined : await layerImage(context, own, request.layer);
    const top = layered ?? own;
    const uid = derived.uid ?? 0;
    const warnings = [
      protectionWarning(await engine.info(signal)),
      versionWarning(name, derived.python),
      uid === 0 ? `The solution runs as root and can change its own hidden tests in ${workspace}` : undefined,
      ...derived.warnings,
      await requirementsWarning(request.requirementsFrom),
      ...(own === derived ? [] : own.warnings),
    ];
    return new DockerImage({
      reference: top.reference,
      id: top.id,
      pythonVersion: derived.python,
      warnings: warnings.filter((warning) => warning !== undefined),
      uid,
      gid: derived.gid ?? 0,
      path: pathOf(base.Config.Env),
      isLayered: layered !== undefined,
    });
  }

  async open(request: SessionRequest, signal: AbortSignal): Promise<SandboxSession> {
    throwIfAborted(signal);
    if (!(request.image instanceof DockerImage)) {
      throw new SlopLensError("internal", "The image was not prepared by this sandbox");
    }
    return DockerSession.create(
      await this.#engine(signal),
      this.options.harness,
      request.image,
      request,
      signal,
    );
  }

  /** @throws SlopLensError engine-missing, engine-denied, engine-lost, cancelled */
  async describeEngine(signal: AbortSignal): Promise<EngineDescription> {
    const engine = await this.#engine(signal);
    const info = await engine.info(signal);
    return {
      host: engine.endpoint.host,
      version: info.ServerVersion,
      rootless: isRootless(info),
      cpus: info.NCPU,
      memoryBytes: info.MemTotal,
      missing: missingLimits(info),
    };
  }

  /**
   * Removes containers of ours that a crash left behind. Those of living processes and of other hosts stay.
   * @returns how many were removed
   */
  async removeOrphans(signal: AbortSignal): Promise<number> {
    return (await removeOrphans(await this.#engine(signal), signal)).length;
  }

  /** One connection for all calls, whoever asks first; a failed attempt is not kept. */
  async #engine(signal: AbortSignal): Promise<Engine> {
    this.#connecting ??= Engine.connect(this.options.host);
    try {
      return await within(this.#connecting, { milliseconds: undefined, onExpiry: cancelled, signal });
    } catch (error) {
      if (!signal.aborted) this.#connecting = undefined;
      throw error;
    }
  }
}

function isRootless({ SecurityOptions: options }: EngineInfo): boolean {
  return (options ?? []).some((option) => option.includes("name=rootless"));
}

function missingLimits(info: EngineInfo): string[] {
  const missing = [
    info.MemoryLimit ? undefined : "memory",
    info.PidsLimit ? undefined : "number of processes",
    info.CpuCfsQuota ? undefined : "CPU time",
  ];
  return missing.filter((part) => part !== undefined);
}

/** What a run should know before it trusts an engine with code that nobody vouches for; undefined when all is held. */
export function protectionWarning(info: EngineInfo): string | undefined {
  const missing = missingLimits(info);
  if (missing.length === 0) return undefined;
  const kind = isRootless(info) ? "rootless Docker engine" : "Docker engine";
  return `This ${kind} holds no limits on: ${missing.join(", ")}`;
}

function imageName(request: ImageRequest): string {
  const { environment } = request;
  if (environment.docker !== undefined) return checkImageName(environment.docker.image);
  throw new SlopLensError(
    "environment-invalid",
    `The environment ${environment.name} names no Docker image`,
    "Add `docker.image` to it, or choose another environment.",
  );
}

function pathOf(variables: readonly string[] | null | undefined): string {
  const found = (variables ?? []).find((variable) => variable.startsWith("PATH="));
  return found?.slice("PATH=".length) ?? USUAL_PATH;
}
