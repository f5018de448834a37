import { GROUPS } from "../../../src/core/model/problem.js";
import type { PlotData, PlotPoint, PlotSeries } from "../../../src/core/report/plot-protocol.js";

/** A point with the given erosion and Core result; everything else is plain. */
export function point(order: number, erosion: number | null, passed = 1, total = 1): PlotPoint {
  const none = { passed: 0, total: 0 };
  return {
    turn: `shelf/checkpoint_${order}`,
    checkpoint: `checkpoint_${order}`,
    order,
    verdict: passed === total ? "passed" : "failed",
    reason: undefined,
    erosion,
    verbosity: erosion,
    sloc: 100,
    callables: 10,
    highCc: 1,
    maxCc: 11,
    passRates: {
      ...Object.fromEntries(GROUPS.map((group) => [group, none])),
      Core: { passed, total },
    } as PlotPoint["passRates"],
    agentSeconds: null,
    costUsd: null,
    totalMass: 0,
    heaviest: [],
  };
}

export function series(id: string, points: readonly PlotPoint[], label = id): PlotSeries {
  return {
    id,
    run: `/runs/${id}`,
    problem: "shelf",
    label,
    startedAt: undefined,
    attempt: undefined,
    isolation: "docker",
    profile: "scb-0.1.3",
    checkpoints: points.length,
    points,
    slope: { erosion: null, verbosity: null },
    state: "finished",
  };
}

export function data(all: readonly PlotSeries[]): PlotData {
  const reference = { mean: 0.34, sd: 0.22 };
  const slopes = { erosion: 0, verbosity: 0 };
  return {
    problem: "shelf",
    series: all,
    references: {
      humans: [{ name: "Human panel", repositories: 473, erosion: reference, verbosity: reference }],
      models: [],
      slopes: { agents: slopes, humans: slopes },
    },
    faults: [],
  };
}
