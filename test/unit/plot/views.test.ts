import { describe, expect, it } from "vitest";
import type { PlotSeries } from "../../../src/core/report/plot-protocol.js";
import { axisOf, isEmpty, METRIC_VIEWS, metricView } from "../../../webview/plot/metrics.js";
import { drawnSeries, INITIAL_STATE } from "../../../webview/plot/selection.js";
import { slotsOf } from "../../../webview/plot/slots.js";
import { svgOf } from "../../../webview/plot/svg.js";
import { data, point, series } from "./fixture.js";

const theme = {
  ...{ foreground: "#fff", dim: "#999", grid: "#333", background: "#000", font: "Sans & Co" },
  ...{ humanBand: "#111", humanLine: "#222", massAccent: "#f80", runs: ["#00f", "#ff0", "#ccc", "#f0f"] },
};

function raise(): never {
  throw new Error("missing metric");
}

function drawn(...all: PlotSeries[]) {
  return drawnSeries(data(all), INITIAL_STATE);
}

describe("the horizontal axis", () => {
  const seven = series(
    "seven",
    [1, 2, 3, 4, 5, 6, 7].map((order) => point(order, order === 7 ? null : order / 10)),
  );
  const three = series("three", [point(1, 0.1), point(2, 0.2), point(3, 0.3)]);

  it("has a place for each checkpoint", () => {
    const slots = slotsOf(drawn(seven, three), "checkpoints");
    expect(slots.map(({ label }) => label)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(slots[3]?.pointOf(three)).toBeUndefined();
    expect(slots[2]?.pointOf(three)?.order).toBe(3);
  });

  it("brings problems of different length to the same five phases, the last measured checkpoint for each", () => {
    const slots = slotsOf(drawn(seven, three), "phases");
    expect(slots.map(({ label }) => label)).toEqual(["Start", "Early", "Mid", "Late", "Final"]);
    expect(slots.map((slot) => slot.pointOf(seven)?.order)).toEqual([1, 2, 4, 5, 6]);
    expect(slots.map((slot) => slot.pointOf(three)?.order)).toEqual([undefined, 1, undefined, 2, 3]);
    expect(slots.map((slot) => slot.holds(seven, 7))).toEqual([false, false, false, false, true]);
  });
});

describe("the metrics", () => {
  it("start with erosion and verbosity, also when an unknown one is asked for", () => {
    expect(metricView(undefined).metrics.map(({ id }) => id)).toEqual(["erosion", "verbosity"]);
    expect(metricView("gone").id).toBe("ratios");
    expect(new Set(METRIC_VIEWS.map(({ id }) => id)).size).toBe(METRIC_VIEWS.length);
  });

  it("end their axis at a round figure above the highest point", () => {
    const [sloc] = metricView("sloc").metrics;
    const [, verbosity] = metricView("ratios").metrics;
    if (sloc === undefined || verbosity === undefined) throw new Error("missing metric");
    expect(axisOf(sloc, []).top).toBe(100);
    expect(axisOf(sloc, [{ ...point(1, 0), sloc: 1234 }]).top).toBe(1500);
    expect(axisOf(sloc, [{ ...point(1, 0), sloc: 810 }]).top).toBe(1000);
    expect(axisOf(verbosity, [point(1, 0.2)]).top).toBe(0.6);
    expect(axisOf(verbosity, [point(1, 0.65)]).top).toBeCloseTo(0.8);
  });

  it("have few round ticks, all different and short enough to stand beside any axis", () => {
    const figures = [0, 0.003, 0.04, 0.31, 1, 2.5, 7, 12.6, 61, 99, 240, 1234, 4380, 6001, 86_400, 500_000];
    for (const metric of METRIC_VIEWS.flatMap(({ metrics }) => metrics)) {
      const isRatio = metric.published !== undefined;
      for (const highest of isRatio ? [0, 0.4, 1] : figures) {
        const { top, step, tick } = metric.axis(highest);
        const count = Math.round(top / step);
        const told = `${metric.id} ${highest}`;
        expect(top, told).toBeGreaterThanOrEqual(highest);
        expect(count, told).toBeLessThanOrEqual(5);
        expect(count * step, told).toBeCloseTo(top);
        const texts = Array.from({ length: count + 1 }, (_, index) => tick(index * step));
        expect(new Set(texts).size, `${told}: ${texts.join()}`).toBe(texts.length);
        expect(Math.max(...texts.map((text) => text.length)), texts.join()).toBeLessThanOrEqual(7);
      }
    }
  });

  it("say so where no run has a figure", () => {
    for (const { metrics } of METRIC_VIEWS) {
      for (const metric of metrics) {
        const nothing = { ...point(1, null), sloc: null, highCc: null, maxCc: null };
        expect(isEmpty(metric, [nothing])).toBe(true);
        const svg = svgOf({
          ...{ title: "", drawn: drawn(series("a", [nothing])), references: data([]).references, theme },
          ...{ metrics: [metric], state: INITIAL_STATE },
        });
        expect(svg).toContain(`>${metric.none}<`);
        expect(metric.none).not.toBe("");
      }
    }
    const costs = { ...point(1, null), costUsd: 0 };
    expect(isEmpty(metricView("cost").metrics[0] ?? raise(), [costs])).toBe(false);
  });
});

describe("the vector picture", () => {
  const gap = series("gap", [point(1, 0.2), point(2, null), point(3, 0.4)], 'my <fast> "agent"');

  it("draws each run's line, interrupted where nothing was measured, and names it safely", () => {
    const svg = svgOf({
      ...{ title: "Erosion & more", drawn: drawn(gap), references: data([]).references, theme },
      ...{ metrics: metricView("ratios").metrics, state: INITIAL_STATE },
    });
    const document = new RegExp(/^<svg [^]*<\/svg>\n$/);
    expect(svg).toMatch(document);
    expect(svg).toContain("Erosion &amp; more");
    expect(svg).toContain("my &lt;fast&gt; &quot;agent&quot;");
    const [path = ""] = /<path d="M[^"]*" fill="none"/.exec(svg) ?? [];
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path).not.toContain("L");
    expect(svg).toContain("Human panel: 0.34 ± 0.22");
  });
});
