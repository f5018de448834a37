import type { OwnEngine } from "./own-engine.mjs";

export interface KillPlan {
  readonly kills: number;
  readonly each: number;
  readonly place: readonly string[];
  readonly checkpoints: string;
  readonly longestMs?: number | undefined;
  readonly share?: number;
  readonly random: () => number;
  readonly agents?: readonly (readonly string[])[];
  readonly engine?: OwnEngine;
  readonly tell: (line: string) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly runs: number;
  readonly faults: readonly string[];
  readonly moments: Readonly<Record<string, number>>;
}

export function killAndResume(plan: KillPlan): Promise<KillReport>;
