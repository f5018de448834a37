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
  /** Ids of the solution's user, for a supervising command to change to; undefined where it runs as that user already. */
  readonly solutionUser?: { readonly uid: number; readonly gid: number } | undefined;
  /** HOME of the command. */
  readonly home: string;
}

/** Files that are put into the sandbox before its command starts. */
export interface Placement {
  /** Absolute host path of a file or folder, or the content itself. Links are placed as links, never followed. */
  readonly source: { readonly path: string } | { readonly content: string | Uint8Array };
  readonly root: "workspace" | "harness" | "home";
  /**
   * POSIX path below the root; `.` places a folder's content at the root itself. A later placement wins over an
   * earlier one: it replaces files, merges folders, and makes folders of files and links that stand in its way.
   */
  readonly target: string;
  /**
   * `solution`: writable by agent and solution. `harness`: readable only; directly below the workspace of an evaluation
   * it can also not be deleted or replaced by them (in Docker).
   */
  readonly owner: "solution" | "harness";
  /**
   * Which entries of a folder are taken, by POSIX path relative to it; default all. Asked for files, links and empty
   * folders; a folder with something kept in it comes along.
   */
  readonly keep?: (relativePath: string) => boolean;
}

/** Software that is installed on top of an image once, and found again by its content. */
export interface ImageLayer {
  /** What is installed, for messages, for example `codex 0.171.0`. */
  readonly name: string;
  /**
   * Shell commands, run one after the other as root, with the network of an installation. They find a `python` and a
   * `pip` of their own in `$SLOP_LENS_AGENT/python/bin`; what they put into `$SLOP_LENS_AGENT/bin` an agent finds later.
   */
  readonly commands: readonly string[];
  /** Variables for these commands alone; they are no secret. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ImageRequest {
  readonly environment: Environment;
  /** pip names that the hidden tests need besides pytest. */
  readonly testDependencies: readonly string[];
  /**
   * Folder whose `requirements.txt` is to be installed for the solution; undefined for none. What cannot be installed
   * is the solution's own fault and becomes a warning; only a package index out of reach is an error.
   */
  readonly requirementsFrom: string | undefined;
  /** Installed last. A local sandbox installs nothing: what is on the machine is used, and a warning says so. */
  readonly layer?: ImageLayer | undefined;
}

/** A made-ready place to run in. Opaque to everybody but the sandbox that made it. */
export interface PreparedImage {
  readonly reference: string;
  /** `3.12.4`, as the image's python3 tells. */
  readonly pythonVersion: string;
  /** Things the user should know, for example a Python other than the image tag names, or requirements that cannot be installed. */
  readonly warnings: readonly string[];
}

/** Undefined numbers become the sandbox's own; a local sandbox applies only the time limit. */
export interface SessionLimits {
  /** Wall time after which the command is killed; undefined for none. */
  readonly timeoutSeconds: number | undefined;
  /** Default 4 GiB, or what the machine has. */
  readonly memoryBytes: number | undefined;
  /** Default all. */
  readonly cpus: number | undefined;
  /** Processes and threads; default 512. */
  readonly pids: number | undefined;
  /** Wall time without any output after which the command is killed; undefined for none. Local sandboxes apply it too. */
  readonly idleSeconds?: number | undefined;
  /** What the command may write in all, wherever it writes; it is killed soon after it has written more. Undefined for none. */
  readonly diskBytes?: number | undefined;
}

/**
 * What a session can reach: everything (`bridge`), nothing, or only the hosts named, through a proxy that
 * `HTTP_PROXY` and `HTTPS_PROXY` name. A host is `name`, `name:port` or `*.domain`; without a port it is 80 and 443.
 */
export type SessionNetwork = "bridge" | "none" | { readonly hosts: readonly string[] };

export interface SessionRequest {
  readonly image: PreparedImage;
  readonly environment: Environment;
  /** `agent` may use the network; `evaluation` has none unless the environment names one. */
  readonly purpose: "agent" | "evaluation";
  /** Run folder and turn id; labels on the container, so that orphans can be told. */
  readonly owner: { readonly run: string; readonly turn: string };
  readonly placements: readonly Placement[];
  readonly command: (roots: SandboxRoots) => readonly string[];
  /**
   * Variables besides the environment's own (`env`, `include_os_env`), which the sandbox adds and these override.
   * PATH is always the sandbox's: the solution's folder first, then the image's or the machine's. HOME and LANG are
   * its own unless the environment names them.
   */
  readonly env: (roots: SandboxRoots) => Readonly<Record<string, string>>;
  readonly limits: SessionLimits;
  /**
   * The command is ours and watches over the solution: it is started with the right to become other users, and no
   * other right, and gives the solution no part in it. Where there is no such right, `roots.solutionUser` is undefined.
   */
  readonly supervising?: boolean;
  /** Undefined: what the environment names, else `bridge` for agents and `none` for evaluations. Docker only. */
  readonly network?: SessionNetwork | undefined;
}

export interface CommandStreams {
  /**
   * The whole input; undefined for an input that ends at once. Chunks are written as they come, and the input ends with
   * them: so a command can be talked to. An iterable that fails ends the input; its error is its own to tell.
   */
  readonly stdin: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Chunks as they come, in order; nothing is kept, so there is no limit. */
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
}

export interface CommandResult {
  /** Exit code; 128 + n when ended by signal n. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** The limit besides wall time that the command was killed for: `idleSeconds` or `diskBytes`. */
  readonly stoppedFor?: "idle" | "disk" | undefined;
  /** Whether any process was killed for want of memory; the command itself may have gone on. Always false locally. */
  readonly outOfMemory: boolean;
  /** Wall time from the start to the end of the command. */
  readonly seconds: number;
}

/** One fresh container (or process tree) with one command. */
export interface SandboxSession extends AsyncDisposable {
  readonly roots: SandboxRoots;
  /**
   * Starts the command and resolves when it has ended. Callable once.
   * Everything that the command leaves running ends with it.
   * On abort the command is killed within two seconds and the promise rejects with `cancelled`.
   * @throws SlopLensError cancelled, engine-lost, disk-full, bad-input when the command cannot be started
   */
  run(streams: CommandStreams, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Copies the workspace as the command left it to the host folder `target` (created, must be empty).
   * Links are copied as links, files with their modes (always readable and writable for the owner); sockets, pipes,
   * devices, names that are not UTF-8 and paths of more than 768 bytes are left out. At most 1 GiB and 200,000 entries are kept.
   * @param keep asked for files, links and empty folders; a folder with something kept in it comes along
   * @throws SlopLensError run-folder above a limit, bad-input when `target` is not empty, engine-lost, disk-full, cancelled
   * @returns POSIX paths that were left out although `keep` wanted them
   */
  collect(target: string, keep: (relativePath: string) => boolean, signal: AbortSignal): Promise<string[]>;
  /**
   * Copies a folder of HOME as the command left it, as {@link collect} does. A local session that works with the user's
   * own home hands out nothing of it.
   * @param folder POSIX path relative to HOME
   * @returns POSIX paths that were left out; undefined when there is no such folder, and then `target` is not made
   */
  collectHome(
    folder: string,
    target: string,
    keep: (relativePath: string) => boolean,
    signal: AbortSignal,
  ): Promise<string[] | undefined>;
  /** Removes every trace; safe to call twice, also while running. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A place where code runs apart from us. Two kinds now; a third must fit without a change elsewhere. */
export interface Sandbox {
  readonly kind: "docker" | "local";
  readonly isolated: boolean;
  /**
   * Makes the image ready: pulls, builds or reuses it. Progress lines are for people.
   * @throws SlopLensError engine-missing, engine-denied, engine-lost, environment-invalid, image-unavailable, image-unsuitable,
   *   dependencies-unavailable (network trouble while installing), cancelled
   */
  prepare(
    request: ImageRequest,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<PreparedImage>;
  /**
   * Creates the session and places its files; nothing runs yet.
   * @throws SlopLensError bad-input for a placement that is not there, environment-invalid, engine-lost, disk-full,
   *   image-unavailable when the image is gone meanwhile, cancelled
   */
  open(request: SessionRequest, signal: AbortSignal): Promise<SandboxSession>;
}
