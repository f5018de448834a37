/** How a trajectory goes on, from where, how often it is tried, and what a turn may take: one object, stored whole. */
import type { SessionMode } from "./turn.js";

/** SCB's pass policies: which outcomes let a trajectory go on to the next checkpoint. */
export const PASS_POLICIES = [
  "any",
  "any-case",
  "all-cases",
  "all-non-error-cases",
  "core-cases",
  "any-core-cases",
  "all-core-cases",
] as const;
export type PassPolicy = (typeof PASS_POLICIES)[number];

/**
 * How often a problem is tried. `independent`: whole trajectories that know nothing of each other, a run folder each.
 * `roundwise`: that many tries at each checkpoint, of which at most `beam` that meet the pass policy are gone on from.
 * The two differ in what they measure: roundwise tries begin anew at each checkpoint from a success.
 */
export type Attempts =
  | { readonly kind: "single" }
  | { readonly kind: "independent"; readonly count: number }
  | { readonly kind: "roundwise"; readonly count: number; readonly beam: number };

/** What the first turn, and with `reference` every turn, begins from. */
export type Start =
  /** An empty workspace with the problem's static assets. */
  | { readonly kind: "empty" }
  /** The pack's own solution of the checkpoint before, at every checkpoint; what SR, success from reference, asks for. */
  | { readonly kind: "reference" }
  /** The snapshot of a turn of any run: a fork. */
  | SnapshotStart;

export interface SnapshotStart {
  readonly kind: "snapshot";
  /** Run folder that holds the turn; absolute in memory, relative to the fork's own folder in its record. */
  readonly run: string;
  /** Id of the turn, `<problem>/<checkpoint>`; the first checkpoint after it is the first that is taken. */
  readonly turn: string;
}

/** What the agent can reach while it works; hosts are names, or `*.` and a domain for all below it. */
export type AgentNetwork = "bridge" | "none" | { readonly hosts: readonly string[] };

/** Whether a text is a host that {@link AgentNetwork} may list: a name, an address, one with a port, or `*.domain`. */
export function isHost(text: string): boolean {
  return /^(\*\.)?[\w.-]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/iu.test(text);
}

/** Bounds of a turn. Undefined is off, or for what a container has (memory to network) the sandbox's own default. */
export interface TurnLimits {
  /** Wall time of the agent at a checkpoint. */
  readonly seconds: number | undefined;
  /** Steps of the agent at a checkpoint. */
  readonly steps: number | undefined;
  /** Cost of a checkpoint in US dollars. */
  readonly costUsd: number | undefined;
  /** Cost of a problem in US dollars; no further turn is begun once it is spent. */
  readonly problemCostUsd: number | undefined;
  /** Wall time without a word from the agent. */
  readonly idleSeconds: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly cpus: number | undefined;
  readonly pids: number | undefined;
  readonly diskBytes: number | undefined;
  readonly network: AgentNetwork | undefined;
  /** How often an agent that failed for a reason that may pass is asked to go on within its turn. */
  readonly retries: number | undefined;
}

export interface RunPolicy {
  /** As it was chosen: a shipped one's name, or that of the user's own file. */
  readonly name: string;
  readonly pass: PassPolicy;
  readonly attempts: Attempts;
  readonly start: Start;
  /** `continued`: the agent goes on with the conversation of the checkpoint before. */
  readonly session: SessionMode;
  readonly limits: TurnLimits;
}

/** Two hours a checkpoint and two retries, as SCB has them; everything else off. */
export const DEFAULT_LIMITS: TurnLimits = {
  seconds: 7200,
  steps: undefined,
  costUsd: undefined,
  problemCostUsd: undefined,
  idleSeconds: undefined,
  memoryBytes: undefined,
  cpus: undefined,
  pids: undefined,
  diskBytes: undefined,
  network: undefined,
  retries: 2,
};

/**
 * Limits with another time at a checkpoint.
 * @param seconds undefined leaves it as it is, 0 is no limit
 */
export function withSeconds(limits: TurnLimits, seconds: number | undefined): TurnLimits {
  if (seconds === undefined) return limits;
  return { ...limits, seconds: seconds === 0 ? undefined : seconds };
}

/** One try from an empty workspace, a new conversation at each checkpoint, every checkpoint taken. */
export const DEFAULT_POLICY: RunPolicy = passPolicy("any");

/** SCB's own: one try that goes on while outcomes meet `pass`. */
export function passPolicy(pass: PassPolicy): RunPolicy {
  return {
    name: pass,
    pass,
    attempts: { kind: "single" },
    start: { kind: "empty" },
    session: "fresh",
    limits: DEFAULT_LIMITS,
  };
}

/** One try that ends at the first checkpoint with a failed test, as EvoCode-Bench's trajectories do. */
export const FAIL_STOP: RunPolicy = { ...passPolicy("all-cases"), name: "fail-stop" };

/** Every checkpoint once from the reference of the one before: what SR is computed from. */
export const FROM_REFERENCE: RunPolicy = {
  ...passPolicy("any"),
  name: "reference",
  start: { kind: "reference" },
};

/** @param count attempts, at least 1; each ends at its first failure */
export function independent(count: number): RunPolicy {
  return { ...FAIL_STOP, name: `independent(${count})`, attempts: { kind: "independent", count } };
}

/** @param count tries at each checkpoint, at least 1 @param beam successes that are gone on from, 1 to `count` */
export function roundwise(count: number, beam: number): RunPolicy {
  return {
    ...FAIL_STOP,
    name: `roundwise(${count}, ${beam})`,
    attempts: { kind: "roundwise", count, beam },
  };
}

/** Which of several attempts at a problem a run is. */
export interface AttemptOf {
  /** How many were asked for. */
  readonly of: number;
  /** 1-based. */
  readonly index: number;
  /** The same for all attempts that were asked for together. */
  readonly group: string;
}
