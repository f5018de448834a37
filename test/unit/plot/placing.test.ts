import { describe, expect, it } from "vitest";
import { chartMargins, toldSteps, xOf } from "../../../webview/play/chart.js";
import { shortened } from "../../../webview/plot/placing.js";

describe("a name", () => {
  it("is whole where there is room, and keeps its end otherwise", () => {
    expect(shortened("main", 4)).toBe("main");
    expect(shortened("ShelfCommand.export_items", 13)).toBe("…export_items");
    for (const most of [2, 5, 9]) expect(shortened("ShelfCommand.export_items", most)).toHaveLength(most);
  });
});

describe("the picture of Play", () => {
  it("has the present checkpoint's figures, and no two so near that they overprint", () => {
    for (const width of [260, 300, 420, 600, 1200]) {
      for (const count of [1, 2, 8, 24]) {
        for (let at = 0; at < count; at++) {
          const places = Array.from({ length: count }, (_, index) => xOf(index, count, width));
          const room = count < 2 ? width : (places[1] ?? 0) - (places[0] ?? 0);
          const told = [...toldSteps(count, at, room)];
          expect(told).toContain(at);
          const gaps = told
            .slice(1)
            .map((step, index) => (places[step] ?? 0) - (places[told[index] ?? 0] ?? 0));
          expect(Math.min(Infinity, ...gaps), `${count} in ${width}`).toBeGreaterThanOrEqual(44);
        }
      }
    }
    expect(toldSteps(6, 2, 100).size).toBe(6);
  });

  it("leaves most of a narrow view to the lines", () => {
    for (const width of [260, 300, 500]) {
      const { left, right } = chartMargins(width);
      expect((left + right) / width).toBeLessThan(0.25);
    }
  });
});
