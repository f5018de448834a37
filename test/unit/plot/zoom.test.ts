import { describe, expect, it } from "vitest";
import { drawnSeries, INITIAL_STATE, type PageState, type Zoom } from "../../../webview/plot/selection.js";
import { slotsOf } from "../../../webview/plot/slots.js";
import {
  edgesOf,
  isZoomed,
  placeAt,
  scaled,
  shownSlots,
  spokenZoom,
  stretched,
  withSelection,
  zoomAfter,
} from "../../../webview/plot/zoom.js";
import { data, point, series } from "./fixture.js";

const eight = series(
  "a",
  [1, 2, 3, 4, 5, 6, 7, 8].map((order) => point(order, order / 10)),
);
const drawn = drawnSeries(data([eight]), INITIAL_STATE);
const slots = slotsOf(drawn, "checkpoints");
const state = (zoom: Zoom | undefined, order = 8): PageState => ({
  ...INITIAL_STATE,
  ...{ zoom, selection: { series: "a", order } },
});
const labels = (zoom: Zoom | undefined): string =>
  shownSlots(drawn, state(zoom))
    .map(({ label }) => label)
    .join("");

describe("zoom", () => {
  it("shows a stretch of the axis, and all of it where an end of the stretch is gone", () => {
    expect(labels({ from: "3", to: "5" })).toBe("345");
    expect(labels(undefined)).toBe("12345678");
    expect(labels({ from: "3", to: "12" })).toBe("12345678");
    const phases = { axis: "phases", zoom: { from: "3", to: "5" } } as const;
    expect(isZoomed(drawn, phases)).toBe(false);
  });

  it("goes to a stretch that was dragged over, in either direction, also when zoomed already", () => {
    expect(stretched(slots, undefined, [1, 4])).toEqual({ from: "2", to: "5" });
    expect(stretched(slots, { from: "3", to: "6" }, [2, 0])).toEqual({ from: "3", to: "5" });
    expect(stretched(slots, { from: "3", to: "6" }, [1, 1])).toEqual({ from: "3", to: "6" });
    expect(stretched(slots, undefined, [0, 7])).toBeUndefined();
  });

  it("goes in and out around a place, and never beyond the axis or below two places", () => {
    expect(labels(scaled(slots, undefined, "in", 0))).toBe("123456");
    expect(labels(scaled(slots, undefined, "in", 7))).toBe("345678");
    expect(labels(scaled(slots, { from: "4", to: "5" }, "in", 1))).toBe("45");
    expect(labels(scaled(slots, { from: "1", to: "2" }, "out", 0))).toBe("123");
    expect(scaled(slots, { from: "2", to: "8" }, "out", 0)).toBeUndefined();
  });

  it("holds an axis of one checkpoint, or of none", () => {
    const one = drawnSeries(data([series("b", [point(1, 0)])]), INITIAL_STATE);
    expect(scaled(slotsOf(one, "checkpoints"), undefined, "in", 0)).toBeUndefined();
    expect(zoomAfter("+", [], INITIAL_STATE)).toEqual({ zoom: undefined });
    expect(withSelection([], INITIAL_STATE)).toBeUndefined();
  });

  it("keeps the selected checkpoint in sight, by the keys and wherever it goes", () => {
    const steps = ["+", "+", "="].reduce<Zoom | undefined>(
      (zoom, key) => zoomAfter(key, drawn, state(zoom, 5))?.zoom,
      undefined,
    );
    expect(labels(steps)).toBe("456");
    expect(labels(zoomAfter("-", drawn, state(steps, 5))?.zoom)).toBe("4567");
    expect(zoomAfter("0", drawn, state(steps, 5))).toEqual({ zoom: undefined });
    expect(zoomAfter("x", drawn, state(steps, 5))).toBeUndefined();
    expect(labels(withSelection(drawn, state(steps, 2)))).toBe("234");
    expect(labels(withSelection(drawn, state(steps, 8)))).toBe("678");
    expect(withSelection(drawn, state(steps, 6))).toBe(steps);
  });

  it("finds the places below the pointer as the panels lay them", () => {
    const width = 44 + 138 + 400;
    expect([0, 44, 143, 144, 443, 582].map((x) => placeAt(x, width, 4))).toEqual([0, 0, 0, 1, 3, 3]);
    expect(edgesOf([2, 1], width, 4)).toEqual({ left: 144, width: 200 });
  });

  it("is told in words while it lasts", () => {
    expect(spokenZoom(drawn, state({ from: "3", to: "5" }))).toBe("Zoomed to the checkpoints 3 to 5.");
    expect(spokenZoom(drawn, state(undefined))).toBe("");
  });
});
