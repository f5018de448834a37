import { GROUPS } from "../core/model/problem.js";
import type { GroupCounts } from "../core/model/outcome.js";
import type { Turn } from "../core/model/turn.js";
import { failedTests } from "../core/report/failed-tests.js";

/** A turn as one JSON object: what `--json` prints. Figures that were not measured are null. */
export function turnToJson(turn: Turn): Record<string, unknown> {
  return {
    problem: turn.problem,
    checkpoint: turn.checkpoint,
    verdict: turn.verdict ?? null,
    reason: turn.reason ?? null,
    counts: countsToJson(turn.counts),
    failures: failedTests(turn).map(({ id, checkpoint, group, status, message }) => ({
      id,
      checkpoint,
      group,
      status,
      message: message ?? null,
    })),
    erosion: turn.quality?.totals.erosion ?? null,
    verbosity: turn.quality?.totals.verbosity ?? null,
    profile: turn.quality?.profile ?? null,
    usage: Object.fromEntries(Object.entries(turn.usage).map(([key, value]) => [key, value ?? null])),
    snapshot: turn.snapshotHash,
    folder: turn.folder,
  };
}

/** Counts by group, with the total of tests that passed or failed. */
export function countsToJson(counts: GroupCounts): Record<string, unknown> {
  return Object.fromEntries(
    GROUPS.map((group) => {
      const { passed, failed, skipped } = counts[group];
      return [group, { passed, failed, skipped, total: passed + failed }];
    }),
  );
}
