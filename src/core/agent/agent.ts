import type { Checkpoint, Problem } from "../model/problem.js";
import type { Environment } from "../model/environment.js";
import type { RunAgent } from "../model/run.js";
import type { TurnLimits } from "../model/policy.js";
import type { SessionMode, TurnOrigin, Usage } from "../model/turn.js";
import type { ImageLayer, PreparedImage, Sandbox } from "../sandbox/sandbox.js";

/** Where an agent's conversation comes from and where it is kept; its files are the agent's own, masked of secrets. */
export interface AgentSession {
  readonly mode: SessionMode;
  /**
   * Host folder with what the agent kept of the conversation that it is to go on with: that of the checkpoint before
   * (`continued`), or of the attempt before. Undefined to begin a new one. Not to be written.
   */
  readonly stateBefore: string | undefined;
  /** Empty or missing host folder that takes what the agent keeps now; undefined when nobody will go on with it. */
  readonly stateAfter: string | undefined;
}

export interface AgentTurn {
  readonly problem: Problem;
  readonly checkpoint: Checkpoint;
  readonly environment: Environment;
  readonly sandbox: Sandbox;
  readonly image: () => Promise<PreparedImage>;
  /** Run folder and turn id, for container labels. */
  readonly owner: { readonly run: string; readonly turn: string };
  readonly prompt: string;
  /** Host folder with the workspace as the turn begins (parent's snapshot plus static assets); not to be written. */
  readonly workspaceBefore: string;
  /** Empty host folder that the agent's result is to be copied to, already filtered by `keep`. */
  readonly workspaceAfter: string;
  /** Which workspace paths belong to a snapshot. */
  readonly keep: (relativePath: string) => boolean;
  /** Host folder for transcripts (`checkpoint_k/agent`), created on first use; a retry adds to what is there. */
  readonly transcriptFolder: string;
  readonly session: AgentSession;
  readonly limits: TurnLimits;
  /**
   * 0 for the first try of a turn, then 1, 2, … for retries: the agent is then only asked to go on, in the workspace
   * and with the state that the try before left.
   */
  readonly attempt: number;
  readonly onOutput: (text: string) => void;
}

export interface AgentResult {
  readonly status: "done" | "error" | "timeout";
  /** Why, for status error and timeout. */
  readonly reason: string | undefined;
  /** Whether the same turn may come out better when the agent is asked to go on; never for a refused key or a limit. */
  readonly retryable: boolean;
  /** Things that the user should know though the turn counts, for example that a key stood in the workspace. */
  readonly warnings?: readonly string[];
  /** Of this try alone. */
  readonly usage: Usage;
}

/** Something that takes a turn: changes a workspace so that it meets a checkpoint's spec. */
export interface Agent {
  readonly description: RunAgent;
  readonly origin: TurnOrigin;
  /** Values that it is given and that must not appear in any file of a run. */
  readonly secrets: readonly string[];
  /** Whether steps and cost of it stay unknown, so that limits on them cannot hold. Default false. */
  readonly usageUnknown?: boolean | undefined;
  /** What its user should know before its first turn. */
  readonly remarks?: readonly string[] | undefined;
  /** What is installed on top of the environment's image; undefined for nothing. */
  readonly layer: ImageLayer | undefined;
  /**
   * What decides beside the description what it does at a checkpoint: its file, its recording. As a hash, and without
   * secrets; absent when there is nothing.
   */
  material?(problem: Problem, checkpoint: Checkpoint): Promise<string | undefined>;
  /**
   * Checks that all turns can be taken, before anything is started.
   * @throws SlopLensError agent-invalid with what is missing
   */
  check(problem: Problem): Promise<void>;
  /** Trouble of the machinery is thrown as SlopLensError; trouble of the agent is returned. */
  takeTurn(turn: AgentTurn, signal: AbortSignal): Promise<AgentResult>;
}
