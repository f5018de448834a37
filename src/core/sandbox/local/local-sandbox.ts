import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

import { defaultCacheFolder } from "../../model/cache-folder.js";
import { SlopLensError } from "../../model/errors.js";
import { throwIfAborted } from "../deadline.js";
import { readRecipe } from "../provision.js";
import { versionWarning } from "../python-version.js";
import { readRequirements, requirementsWarning } from "../requirements.js";
import type {
  ImageLayer,
  ImageRequest,
  PreparedImage,
  Sandbox,
  SandboxSession,
  SessionRequest,
} from "../sandbox.js";
import { runsAsRoot } from "./child.js";
import { requirementsEnvironment, testEnvironment } from "./environment-cache.js";
import { findInterpreter } from "./interpreter.js";
import { LocalSession } from "./local-session.js";
import { FOLDER_PREFIX, removeLocalOrphans } from "./orphans.js";

export interface LocalSandboxOptions {
  /** Folder of the product's Python files. */
  readonly harness: string;
  /** Interpreter, as a path or a name on PATH; default `python3`. */
  readonly python?: string | undefined;
  /** Where virtual environments are kept; default a folder in the user's cache. */
  readonly cacheFolder?: string | undefined;
}

class LocalImage implements PreparedImage {
  constructor(
    readonly reference: string,
    readonly pythonVersion: string,
    readonly warnings: readonly string[],
    readonly tools: { readonly testPython: string; readonly solutionBin: string },
  ) {}
}

/**
 * Processes of this machine in a temporary folder, with the user's own rights: nothing keeps them from the rest of the
 * machine, so hosts show it as not isolated. Works on POSIX systems.
 */
export class LocalSandbox implements Sandbox {
  readonly kind = "local";
  readonly isolated = false;

  constructor(private readonly options: LocalSandboxOptions) {}

  async prepare(
    request: ImageRequest,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<PreparedImage> {
    throwIfAborted(signal);
    refuseWindows();
    const interpreter = await findInterpreter(this.options.python ?? "python3", signal);
    const recipe = await readRecipe(this.options.harness);
    const cache = this.options.cacheFolder ?? defaultCacheFolder();
    const context = { cache, interpreter, recipe, env: request.environment.env, onProgress, signal };
    const tests = await testEnvironment(context, request.testDependencies);
    const requirements = await readRequirements(request.requirementsFrom, signal);
    const solution =
      requirements === undefined ? undefined : await requirementsEnvironment(context, tests, requirements);
    const warnings = [
      runsAsRoot()
        ? "Everything runs as root: tests of file permissions may come out differently"
        : undefined,
      versionWarning(request.environment.docker?.image, interpreter.version),
      layerWarning(request.layer),
      ...tests.warnings,
      await requirementsWarning(request.requirementsFrom),
      ...(solution?.warnings ?? []),
    ];
    return new LocalImage(
      interpreter.command,
      interpreter.version,
      warnings.filter((warning) => warning !== undefined),
      {
        testPython: path.join(tests.folder, "tests", "bin", "python"),
        solutionBin: path.join(solution?.folder ?? tests.folder, "solution", "bin"),
      },
    );
  }

  async open(request: SessionRequest, signal: AbortSignal): Promise<SandboxSession> {
    throwIfAborted(signal);
    if (!(request.image instanceof LocalImage)) {
      throw new SlopLensError("internal", "The image was not prepared by this sandbox");
    }
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), FOLDER_PREFIX)));
    return LocalSession.create(folder, request, request.image.tools, signal);
  }

  /**
   * Ends what sessions of crashed processes left behind on this machine.
   * @returns how many sessions were removed
   */
  async removeOrphans(): Promise<number> {
    return removeLocalOrphans(await realpath(tmpdir()));
  }
}

function layerWarning(layer: ImageLayer | undefined): string | undefined {
  if (layer === undefined) return undefined;
  return `${layer.name} is not installed on this machine; what its command finds here is used`;
}

function refuseWindows(): void {
  if (process.platform !== "win32") return;
  throw new SlopLensError(
    "image-unsuitable",
    "Running without Docker does not work on Windows",
    "Start Docker, or work in WSL.",
  );
}
