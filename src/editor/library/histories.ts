/** Follows the callables of a turn through the snapshots before it, also where they were renamed or moved. */
import type { CallableMetrics } from "../../core/model/quality.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { callableId, followCallable, type SnapshotCallables } from "../../core/report/follow-callable.js";
import { measureKey } from "./state.js";
import type { Histories } from "../tree/hotspots.js";

/** Reads the callables of snapshots, each once. */
export interface Snapshots {
  /** Reads the snapshot of a turn, if that was not done. @throws SlopLensError cancelled */
  read(turn: Turn, signal: AbortSignal): Promise<void>;
  /** What was read; undefined where there is nothing that can be measured. */
  get(turn: Turn): SnapshotCallables | undefined;
}

/** What is known of where callables come from, turn by turn. */
export class CallableHistories {
  private readonly known = new Map<string, Histories>();

  constructor(private readonly snapshots: Snapshots) {}

  /** What was found for a turn, and for the turns before it as they were then. */
  get(part: ProblemRun, turn: Turn): Histories | undefined {
    return this.known.get(keyOf(part, turn));
  }

  /** Reads the snapshots up to a turn, and follows callables of it back. @throws SlopLensError cancelled */
  async learn(
    part: ProblemRun,
    turn: Turn,
    callables: readonly CallableMetrics[],
    signal: AbortSignal,
  ): Promise<void> {
    const turns = turnsTo(part, turn);
    for (const each of turns) await this.snapshots.read(each, signal);
    const snapshots = turns.map((each) => this.snapshots.get(each));
    const found = new Map<string, readonly (CallableMetrics | null | undefined)[]>();
    for (const callable of callables) {
      const id = callableId(callable);
      const followed = await followCallable(snapshots, snapshots.length - 1, id);
      found.set(
        id,
        followed.map((one, index) => one ?? (snapshots[index] === undefined ? undefined : null)),
      );
    }
    this.known.set(keyOf(part, turn), found);
  }
}

function turnsTo(part: ProblemRun, { order }: Turn): Turn[] {
  return part.turns.filter((turn) => turn.order <= order);
}

/** A turn that was taken anew, or one before it, makes another history. */
function keyOf(part: ProblemRun, turn: Turn): string {
  return turnsTo(part, turn).map(measureKey).join("\n");
}
