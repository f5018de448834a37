/** A run's mass as blocks over its checkpoints, and the sentence that says what they show. Pure. */
import * as l10n from "@vscode/l10n";
import { integer, share } from "../../src/core/report/format.js";
import type { HeavyCallable, PlotPoint, PlotSeries } from "../../src/core/report/plot-protocol.js";

/** Callables that have a block of their own; the rest is one block. */
const NAMED = 7;
/** A callable that holds less is nobody's headline. */
const WORTH_NAMING = 0.2;

export interface MassBlock {
  readonly callable: HeavyCallable;
  readonly followed: boolean;
  /** Place among the named callables, 0 for the followed one; the same in every bar. */
  readonly place: number;
}

export interface MassBar {
  readonly order: number;
  readonly total: number;
  /** From the base line upwards, the followed one first. */
  readonly blocks: readonly MassBlock[];
  /** What the blocks leave. */
  readonly restMass: number;
  readonly restCount: number;
}

export interface MassPicture {
  readonly bars: readonly MassBar[];
  readonly followed: HeavyCallable | undefined;
  readonly title: string;
  readonly sentence: string;
}

/** @param followed id of the callable to follow; the one with the largest share at the end when it is not there */
export function massPicture(series: PlotSeries, followed: string | undefined): MassPicture {
  const measured = series.points.filter((point) => point.totalMass !== null && point.totalMass > 0);
  const named = namedCallables(measured, followed);
  const [first] = named;
  const bars = measured.map((point) => barOf(point, named));
  return {
    bars,
    followed: callableAt(measured.at(-1), first) ?? lastSeen(measured, first),
    ...wordsOf(measured, first),
  };
}

/** Ids in the order of their blocks: the followed one, then by mass at the last checkpoint. */
function namedCallables(points: readonly PlotPoint[], followed: string | undefined): readonly string[] {
  const last = points.at(-1)?.heaviest.map(({ id }) => id) ?? [];
  const known = new Set(points.flatMap(({ heaviest }) => heaviest.map(({ id }) => id)));
  const first = followed !== undefined && known.has(followed) ? followed : last[0];
  if (first === undefined) return [];
  return [first, ...last.filter((id) => id !== first)].slice(0, NAMED);
}

function barOf(point: PlotPoint, named: readonly string[]): MassBar {
  const total = point.totalMass ?? 0;
  const blocks = named.flatMap((id, place) => {
    const callable = callableAt(point, id);
    return callable === undefined ? [] : [{ callable, followed: place === 0, place }];
  });
  const inBlocks = blocks.reduce((sum, { callable }) => sum + callable.mass, 0);
  return {
    order: point.order,
    total,
    blocks,
    restMass: Math.max(0, total - inBlocks),
    restCount: Math.max(0, (point.callables ?? 0) - blocks.length),
  };
}

function callableAt(point: PlotPoint | undefined, id: string | undefined): HeavyCallable | undefined {
  return point?.heaviest.find((callable) => callable.id === id);
}

function lastSeen(points: readonly PlotPoint[], id: string | undefined): HeavyCallable | undefined {
  return points.flatMap((point) => callableAt(point, id) ?? []).at(-1);
}

function wordsOf(
  points: readonly PlotPoint[],
  id: string | undefined,
): Pick<MassPicture, "title" | "sentence"> {
  const last = points.at(-1);
  const now = callableAt(last, id);
  if (last === undefined) return { title: l10n.t("Nothing is measured yet."), sentence: "" };
  const top = last.heaviest[0];
  const title =
    now === undefined
      ? l10n.t(
          "{0} is not among the heaviest callables any more.",
          lastSeen(points, id)?.name ?? l10n.t("It"),
        )
      : now.share < WORTH_NAMING && now.id === top?.id
        ? l10n.t("No callable holds more than 20 % of the mass.")
        : l10n.t("{0} holds {1} of the mass", now.name, share(now.share));
  return { title, sentence: stepSentence(points, id) };
}

/** The checkpoint at which the callable grew most, and its part of the program's growth there. */
function stepSentence(points: readonly PlotPoint[], id: string | undefined): string {
  const steps = points.slice(1).flatMap((point, index) => {
    const before = points[index];
    const now = callableAt(point, id);
    const was = callableAt(before, id);
    if (before === undefined || now === undefined || was === undefined) return [];
    return [{ point, before, now, was, growth: now.mass - was.mass }];
  });
  const [largest] = steps.sort((a, b) => b.growth - a.growth);
  if (largest === undefined || largest.growth <= 0) return "";
  const { point, before, now, was, growth } = largest;
  const program = (point.totalMass ?? 0) - (before.totalMass ?? 0);
  const told = l10n.t(
    "At checkpoint {0} the CC of {1} went from {2} to {3}, and the whole program from {4} to {5} mass.",
    ...[point.order, now.name, was.cc, now.cc, integer(before.totalMass), integer(point.totalMass)],
  );
  if (program < growth) return told;
  return `${told} ${l10n.t("{0} of that growth is {1}.", share(growth / program), now.name)}`;
}
