import type { GroupCount } from "../model/outcome.js";
import type { QualityTotals } from "../model/quality.js";
import type { ProblemRun, Run } from "../model/run.js";
import type { Turn } from "../model/turn.js";
import { callableId } from "./follow-callable.js";
import type { PassRate, PlotData, PlotPoint, PlotSeries } from "./plot-protocol.js";
import { publishedReferences } from "./published.js";
import { erosionOf, verbosityOf } from "./ratios.js";
import { runLabel } from "./run-label.js";
import { leastSquaresSlope } from "./slope.js";

/**
 * The series of every run that took turns on `problem`, oldest run first, with the published figures beside them.
 * Checkpoints after the last turn have no point; one without a turn in between has a point without measures.
 */
export function erosionSeries(problem: string, runs: readonly Run[]): PlotData {
  const series = runs
    .flatMap((run) =>
      run.problems.filter((part) => part.problem === problem).map((part) => toSeries(run, part)),
    )
    .sort((a, b) => (a.startedAt ?? "").localeCompare(b.startedAt ?? ""));
  const faults = runs.flatMap((run) => run.faults.map(({ file, message }) => `${file}: ${message}`));
  return { problem, series, references: publishedReferences(), faults };
}

function toSeries(run: Run, part: ProblemRun): PlotSeries {
  const lastTaken = part.turns.map(wasTaken).lastIndexOf(true);
  const points = part.turns.slice(0, lastTaken + 1).map(toPoint);
  const slopeOf = (pick: (point: PlotPoint) => number | null): number | null =>
    leastSquaresSlope(points.map((point) => ({ x: point.order, y: pick(point) })));
  return {
    id: `${run.folder}#${part.problem}`,
    run: run.folder,
    problem: part.problem,
    label: runLabel(run),
    startedAt: run.startedAt,
    attempt: run.attempt === undefined || run.attempt.of === 1 ? undefined : run.attempt.index,
    isolation: run.isolation,
    profile: part.turns.find((turn) => turn.quality !== undefined)?.quality?.profile,
    checkpoints: part.turns.length,
    points,
    slope: { erosion: slopeOf((point) => point.erosion), verbosity: slopeOf((point) => point.verbosity) },
    state: run.state,
  };
}

function wasTaken(turn: Turn): boolean {
  return turn.verdict !== "not-reached" && turn.verdict !== "skipped";
}

function toPoint(turn: Turn): PlotPoint {
  return {
    turn: turn.id,
    checkpoint: turn.checkpoint,
    order: turn.order,
    verdict: turn.verdict,
    reason: turn.reason,
    erosion: erosionOf(turn) ?? null,
    verbosity: verbosityOf(turn) ?? null,
    ...measures(turn.quality?.totals),
    passRates: {
      Core: passRate(turn.counts.Core),
      Functionality: passRate(turn.counts.Functionality),
      Error: passRate(turn.counts.Error),
      Regression: passRate(turn.counts.Regression),
    },
    agentSeconds: turn.usage.agentSeconds ?? null,
    costUsd: turn.usage.costUsd ?? null,
    heaviest: heaviestOf(turn),
  };
}

type Measures = Pick<PlotPoint, "sloc" | "callables" | "highCc" | "maxCc" | "totalMass">;

function measures(totals: QualityTotals | undefined): Measures {
  if (totals === undefined) {
    return { sloc: null, callables: null, highCc: null, maxCc: null, totalMass: null };
  }
  return {
    sloc: totals.totalLoc,
    callables: totals.totalFunctions,
    highCc: totals.highCcFunctions,
    maxCc: totals.maxCc,
    totalMass: totals.totalMass,
  };
}

function passRate(count: GroupCount): PassRate {
  return { passed: count.passed, total: count.passed + count.failed };
}

function heaviestOf(turn: Turn): PlotPoint["heaviest"] {
  const { quality } = turn;
  if (quality === undefined || quality.totals.totalMass === 0) return [];
  const { totalMass } = quality.totals;
  return quality.heaviest.map((callable) => ({
    id: callableId(callable),
    name: callable.qualifiedName,
    ...{ cc: callable.cc, mass: callable.mass, share: callable.mass / totalMass },
  }));
}
