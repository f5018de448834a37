import { lstat, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";

import { SlopLensError } from "../../model/errors.js";
import { copyTree } from "../archive/copy-tree.js";
import { PlacementPlan } from "../archive/plan.js";
import type {
  CommandResult,
  CommandStreams,
  SandboxRoots,
  SandboxSession,
  SessionRequest,
} from "../sandbox.js";
import { pathFolders, sessionVariables } from "../variables.js";
import { runChild } from "./child.js";
import { layFiles, openUp, removeFolder } from "./lay-files.js";
import { stampFolder } from "./orphans.js";

/** A temporary folder and one process tree of this machine. Memory, CPU and process limits are not applied. */
export class LocalSession implements SandboxSession {
  readonly #disposal = new AbortController();
  #running: Promise<CommandResult> | undefined;
  #disposed = false;

  private constructor(
    private readonly folder: string,
    private readonly request: SessionRequest,
    readonly roots: SandboxRoots,
  ) {}

  /** @param folder empty temporary folder, owned by the session from now on */
  static async create(
    folder: string,
    request: SessionRequest,
    tools: Pick<SandboxRoots, "testPython" | "solutionBin">,
    signal: AbortSignal,
  ): Promise<LocalSession> {
    const roots = {
      ...tools,
      workspace: path.join(folder, "workspace"),
      harness: path.join(folder, "harness"),
      home: homeOf(request) ?? path.join(folder, "home"),
    };
    const session = new LocalSession(folder, request, roots);
    try {
      await stampFolder(folder);
      for (const part of [roots.workspace, roots.harness, path.join(folder, "home")]) await mkdir(part);
      const placements = request.placements.filter(
        ({ root }) => root !== "home" || homeOf(request) === undefined,
      );
      const plan = await PlacementPlan.of(placements, signal);
      await layFiles(plan.entries(), roots, signal);
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  run(streams: CommandStreams, signal: AbortSignal): Promise<CommandResult> {
    if (this.#running !== undefined) throw new SlopLensError("internal", "A session runs one command");
    const own = {
      path: [
        this.roots.solutionBin,
        ...pathFolders(this.request.environment.env["PATH"] ?? process.env["PATH"]),
      ],
      home: this.roots.home,
    };
    this.#running = runChild(
      {
        command: this.request.command(this.roots),
        folder: this.roots.workspace,
        env: sessionVariables(this.request.environment, this.request.env(this.roots), own),
        mark: this.folder,
        timeoutSeconds: this.request.limits.timeoutSeconds,
        idleSeconds: this.request.limits.idleSeconds,
      },
      streams,
      AbortSignal.any([signal, this.#disposal.signal]),
    );
    return this.#running;
  }

  collect(target: string, keep: (relativePath: string) => boolean, signal: AbortSignal): Promise<string[]> {
    return takeOut(this.roots.workspace, target, keep, signal);
  }

  async collectHome(
    folder: string,
    target: string,
    keep: (relativePath: string) => boolean,
    signal: AbortSignal,
  ): Promise<string[] | undefined> {
    if (homeOf(this.request) !== undefined) return undefined;
    const source = path.join(this.roots.home, ...folder.split("/"));
    const stats = await lstat(source).catch(() => undefined);
    return stats?.isDirectory() === true ? takeOut(source, target, keep, signal) : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#disposal.abort();
    await this.#running?.catch(() => undefined);
    await removeFolder(this.folder);
  }
}

/** Copies what a command left, also what it closed to its own user: a container's engine reads that as well. */
async function takeOut(
  source: string,
  target: string,
  keep: (relativePath: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  await openUp(source);
  return copyTree(source, target, { keep, signal });
}

/**
 * The user's own home where the command is to have it: an agent that is given the user's variables also needs its
 * user's files, because that is where its login lies. Nothing is put there or taken from it.
 */
function homeOf({ environment, purpose }: SessionRequest): string | undefined {
  return environment.includeOsEnv && purpose === "agent" ? homedir() : undefined;
}
