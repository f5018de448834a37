import type { Checkpoint, Problem } from "../model/problem.js";
import type { Environment } from "../model/environment.js";
import type { RunAgent } from "../model/run.js";
import type { TurnOrigin, Usage } from "../model/turn.js";
import type { PreparedImage, Sandbox } from "../sandbox/sandbox.js";

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
  /** Host folder for transcripts (`checkpoint_k/agent`), created on first use. */
  readonly transcriptFolder: string;
  readonly onOutput: (text: string) => void;
}

export interface AgentResult {
  readonly status: "done" | "error" | "timeout";
  /** Why, for status error and timeout. */
  readonly reason: string | undefined;
  readonly usage: Usage;
}

/** Something that takes a turn: changes a workspace so that it meets a checkpoint's spec. */
export interface Agent {
  readonly description: RunAgent;
  readonly origin: TurnOrigin;
  /** Values that it is given and that must not appear in any file of a run. */
  readonly secrets: readonly string[];
  /**
   * Checks that all turns can be taken, before anything is started.
   * @throws SlopLensError agent-invalid with what is missing
   */
  check(problem: Problem): Promise<void>;
  /** Trouble of the machinery is thrown as SlopLensError; trouble of the agent is returned. */
  takeTurn(turn: AgentTurn, signal: AbortSignal): Promise<AgentResult>;
}
