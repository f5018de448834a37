import type { Environment } from "../model/environment.js";

/** Where things lie, as seen by the command inside the sandbox. */
export interface SandboxRoots {
  /** Working folder of agent and solution; starts with what was placed there. */
  readonly workspace: string;
  /** Read-only folder of our own files (test harness, prompt); outside the workspace. */
  readonly harness: string;
  /** Interpreter that has pytest and the test dependencies. */
  readonly testPython: string;
  /** Folder that comes first on PATH for the solution: holds its own `python`, with its requirements installed. */
  readonly solutionBin: string;
}

/** Files that are put into the sandbox before its command starts. */
export interface Placement {
  /** Absolute host path of a file or folder, or the content itself. Links are placed as links, never followed. */
  readonly source: { readonly path: string } | { readonly content: string | Uint8Array };
  readonly root: "workspace" | "harness";
  /** POSIX path below the root; `.` places a folder's content at the root itself. */
  readonly target: string;
  /** `solution`: writable by agent and solution. `harness`: readable only. */
  readonly owner: "solution" | "harness";
  /** Which entries of a folder are taken, by POSIX path relative to it; default all. */
  readonly keep?: (relativePath: string) => boolean;
}

export interface ImageRequest {
  readonly environment: Environment;
  /** pip names that the hidden tests need besides pytest. */
  readonly testDependencies: readonly string[];
  /** Folder whose `requirements.txt` is to be installed for the solution; undefined for none. */
  readonly requirementsFrom: string | undefined;
}

/** A made-ready place to run in. Opaque to everybody but the sandbox that made it. */
export interface PreparedImage {
  readonly reference: string;
  /** `3.12.4`, as the image's python3 tells. */
  readonly pythonVersion: string;
  /** Things the user should know, for example a Python other than the image tag names, or requirements that cannot be installed. */
  readonly warnings: readonly string[];
}

export interface SessionLimits {
  readonly timeoutSeconds: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly cpus: number | undefined;
  readonly pids: number | undefined;
}

export interface SessionRequest {
  readonly image: PreparedImage;
  readonly environment: Environment;
  /** `agent` may use the network; `evaluation` has none unless the environment names one. */
  readonly purpose: "agent" | "evaluation";
  /** Run folder and turn id; labels on the container, so that orphans can be told. */
  readonly owner: { readonly run: string; readonly turn: string };
  readonly placements: readonly Placement[];
  readonly command: (roots: SandboxRoots) => readonly string[];
  /** Variables besides PATH, HOME and LANG, which the sandbox sets itself. */
  readonly env: (roots: SandboxRoots) => Readonly<Record<string, string>>;
  readonly limits: SessionLimits;
}

export interface CommandStreams {
  readonly stdin: string | Uint8Array | undefined;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

export interface CommandResult {
  /** Exit code; 128 + n when ended by signal n. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly outOfMemory: boolean;
  readonly seconds: number;
}

/** One fresh container (or process tree) with one command. */
export interface SandboxSession extends AsyncDisposable {
  readonly roots: SandboxRoots;
  /**
   * Starts the command and resolves when it has ended. Callable once.
   * On abort the command is killed within two seconds and the promise rejects with `cancelled`.
   */
  run(streams: CommandStreams, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Copies the workspace as the command left it to the host folder `target` (created, must be empty).
   * Links are copied as links; sockets, pipes and devices are left out.
   * @returns POSIX paths that were left out although `keep` wanted them
   */
  collect(target: string, keep: (relativePath: string) => boolean, signal: AbortSignal): Promise<string[]>;
  /** Removes every trace; safe to call twice, also while running. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A place where code runs apart from us. Two kinds now; a third must fit without a change elsewhere. */
export interface Sandbox {
  readonly kind: "docker" | "local";
  readonly isolated: boolean;
  /**
   * Makes the image ready: pulls, builds or reuses it. Progress lines are for people.
   * @throws SlopLensError engine-missing, engine-denied, image-unavailable, image-unsuitable,
   *   dependencies-unavailable (network trouble while installing), cancelled
   */
  prepare(
    request: ImageRequest,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<PreparedImage>;
  /** Creates the session and places its files; nothing runs yet. */
  open(request: SessionRequest, signal: AbortSignal): Promise<SandboxSession>;
}
