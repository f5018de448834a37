/** Axes from 0 to a round figure, with ticks short enough to stand beside them. Pure. */
import { integer } from "../../src/core/report/format.js";

export interface Axis {
  readonly top: number;
  /** Between ticks; the top is a multiple of it. */
  readonly step: number;
  readonly tick: (value: number) => string;
}

const MOST_TICKS = 5;

/** Steps of 0.2 to at least `least`. */
export function ratioAxis(least: number): (highest: number) => Axis {
  return (highest) => ({
    top: highest <= least ? least : Math.ceil(highest / 0.2) * 0.2,
    step: 0.2,
    tick: (value) => value.toFixed(1),
  });
}

/** Whole numbers to at least `least`. */
export function countAxis(least: number): (highest: number) => Axis {
  return (highest) => ({ ...roundAxis(Math.max(least, highest), 1), tick: integer });
}

/** Dollars to at least ten cents; without cents where the steps need none. */
export function dollarAxis(highest: number): Axis {
  const { top, step } = roundAxis(Math.max(0.1, highest), 0);
  const digits = step >= 1 ? 0 : 2;
  return { top, step, tick: (value) => `$${value.toFixed(digits)}` };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const TIME_STEPS = [
  ...[10, 15, 20, 30],
  ...[1, 2, 5, 10, 15, 20].map((minutes) => minutes * MINUTE),
  ...[0.5, 1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];

/** Seconds to at least a minute; one unit for the whole axis, the largest that its steps are round in. */
export function timeAxis(highest: number): Axis {
  const wanted = Math.max(MINUTE, highest);
  const step =
    TIME_STEPS.find((size) => wanted / size <= MOST_TICKS) ?? roundAxis(wanted / HOUR, 1).step * HOUR;
  const top = Math.ceil(wanted / step) * step;
  const tick = (value: number): string => {
    if (step < MINUTE) return `${value} s`;
    return step < HOUR / 2 ? `${value / MINUTE} min` : `${value / HOUR} h`;
  };
  return { top, step, tick };
}

/** @param least the least step; 0 for any */
function roundAxis(highest: number, least: number): Pick<Axis, "top" | "step"> {
  const unit = 10 ** Math.floor(Math.log10(highest));
  const steps = [0.1, 0.2, 0.5, 1, 2].map((factor) => factor * unit);
  const step = Math.max(least, steps.find((size) => highest / size <= MOST_TICKS) ?? 2 * unit);
  // Without the rounding 0.30000000000000004 would be above 0.3.
  const count = Math.ceil(Number((highest / step).toFixed(6)));
  return { top: Number((count * step).toPrecision(12)), step };
}
