import { describe, expect, it } from "vitest";
import type { HeavyCallable, PlotPoint } from "../../../src/core/report/plot-protocol.js";
import { massPicture } from "../../../webview/plot/mass-blocks.js";
import { roundTicks } from "../../../webview/plot/mass-view.js";
import { point, series } from "./fixture.js";

function measured(order: number, total: number, masses: Readonly<Record<string, number>>): PlotPoint {
  const heaviest = Object.entries(masses)
    .map(([name, mass]): HeavyCallable => ({
      id: `a.py#${name}`,
      name,
      mass,
      cc: mass / 10,
      share: mass / total,
    }))
    .sort((a, b) => b.mass - a.mass);
  return { ...point(order, 0.5), totalMass: total, heaviest, callables: 12 };
}

const swelling = series("r", [
  measured(1, 100, { main: 20, load: 30 }),
  measured(2, 150, { main: 40, load: 30, save: 20 }),
  point(3, null),
  measured(4, 400, { main: 240, load: 30, save: 50 }),
]);

describe("the mass of a run", () => {
  it("names the callable that holds most at the end, and its largest step", () => {
    const { title, sentence, followed } = massPicture(swelling, undefined);
    expect(followed?.name).toBe("main");
    expect(title).toBe("main holds 60\u202f% of the mass");
    expect(sentence).toBe(
      "At checkpoint 4 the CC of main went from 4 to 24, and the whole program from 150 to 400 mass. 80\u202f% of that growth is main.",
    );
  });

  it("stacks the followed callable first and leaves the rest as one block", () => {
    const { bars } = massPicture(swelling, "a.py#load");
    expect(bars.map(({ order }) => order)).toEqual([1, 2, 4]);
    expect(bars.map(({ blocks }) => blocks.map(({ callable }) => callable.name))).toEqual([
      ["load", "main"],
      ["load", "main", "save"],
      ["load", "main", "save"],
    ]);
    expect(bars.map(({ restMass, restCount }) => [restMass, restCount])).toEqual([
      [50, 10],
      [60, 9],
      [80, 9],
    ]);
  });

  it("gives a callable the same place in every bar, also where the followed one does not exist", () => {
    const late = series("l", [measured(1, 50, { load: 30 }), measured(2, 90, { main: 40, load: 30 })]);
    const places = massPicture(late, undefined).bars.map(({ blocks }) =>
      blocks.map(({ callable, place }) => [callable.name, place]),
    );
    expect(places).toEqual([
      [["load", 1]],
      [
        ["main", 0],
        ["load", 1],
      ],
    ]);
  });

  it("follows whom it knows, else the largest", () => {
    expect(massPicture(swelling, "a.py#gone").followed?.name).toBe("main");
    const dropped = series("d", [measured(1, 10, { old: 9 }), measured(2, 10, { new: 9 })]);
    expect(massPicture(dropped, "a.py#old").title).toBe("old is not among the heaviest callables any more.");
  });

  it("makes no headline of a small share", () => {
    const flat = series("f", [measured(1, 100, { a: 12, b: 11 })]);
    expect(massPicture(flat, undefined).title).toBe("No callable holds more than 20 % of the mass.");
    expect(massPicture(series("e", [point(1, null)]), undefined)).toMatchObject({
      bars: [],
      title: "Nothing is measured yet.",
    });
  });
});

it("marks the axis at round figures", () => {
  expect(roundTicks(3145)).toEqual([0, 1000, 2000, 3000]);
  expect(roundTicks(150)).toEqual([0, 50, 100, 150]);
  expect(roundTicks(1)).toHaveLength(6);
});
