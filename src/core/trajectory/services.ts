import type { Agent } from "../agent/agent.js";
import type { AnalysisOptions, Analyzer } from "../analysis/analysis.js";
import type { Evaluation, EvaluationListener, EvaluationRequest } from "../evaluation/evaluation.js";
import type { Environment } from "../model/environment.js";
import type { AttemptOf, RunPolicy } from "../model/policy.js";
import type { PromptTemplate } from "../prompt/prompt.js";
import type { Problem } from "../model/problem.js";
import type { Sandbox } from "../sandbox/sandbox.js";

/** What one trajectory is to be made of. */
export interface TrajectoryRequest {
  readonly problem: Problem;
  readonly agent: Agent;
  /** What the user calls the agent; absent where its usual name is meant. */
  readonly agentName?: string | undefined;
  readonly environment: Environment;
  readonly prompt: PromptTemplate;
  /** Folder in which the run folder is made. */
  readonly runsFolder: string;
  readonly policy: RunPolicy;
  /** Which of several attempts it is; absent for a run that stands alone. */
  readonly attempt?: AttemptOf | undefined;
  readonly analysis: AnalysisOptions;
  /** Names of the checkpoints to take, undefined for all. */
  readonly checkpoints: readonly string[] | undefined;
}

/** The machinery that a host hands to the loop. */
export interface TrajectoryServices {
  readonly sandbox: Sandbox;
  readonly analyzer: Analyzer;
  readonly evaluate: (
    request: EvaluationRequest,
    listener: EvaluationListener,
    signal: AbortSignal,
  ) => Promise<Evaluation>;
  /** Settles when the next turn may begin, or rejects on abort; absent where nothing holds it back. */
  readonly mayGoOn?: ((signal: AbortSignal) => Promise<void>) | undefined;
}
