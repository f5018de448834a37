/** Reading and clicking the erosion plot as a person sees it: by the colours on its canvas. */
import type { Frame, Page } from "playwright-core";
import { webviewFrame } from "./webviews.js";

export interface PlotPlace {
  readonly x: number;
  readonly y: number;
}

/** The frame of the erosion plot, once its first panel is there. */
export function plotFrame(page: Page): Promise<Frame> {
  return webviewFrame(page, "#panel-erosion");
}

/**
 * Where a canvas shows the first run's colour in the middle of a column, in CSS pixels of the canvas; the mean height
 * when several pixels do.
 * @param column 0-based of `columns`
 */
export function pointInColumn(
  frame: Frame,
  canvas: string,
  column: number,
  columns: number,
): Promise<PlotPlace | undefined> {
  return frame.$eval(
    canvas,
    (element, [at, count]) => {
      const left = 44;
      const right = 138;
      const shown = element as HTMLCanvasElement;
      const scale = shown.width / shown.clientWidth;
      const x = left + ((shown.clientWidth - left - right) * (at + 0.5)) / count;
      const probe = document.createElement("canvas").getContext("2d");
      const context = shown.getContext("2d");
      if (!probe || !context) return undefined;
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--vscode-slopLens-run1");
      probe.fillRect(0, 0, 1, 1);
      const wanted = [...probe.getImageData(0, 0, 1, 1).data].join();
      const pixels = context.getImageData(Math.round(x * scale), 0, 1, shown.height).data;
      const rows = Array.from({ length: shown.height }, (_, row) => row).filter(
        (row) => [...pixels.slice(row * 4, row * 4 + 4)].join() === wanted,
      );
      if (rows.length === 0) return undefined;
      return { x, y: rows.reduce((sum, row) => sum + row, 0) / rows.length / scale };
    },
    [column, columns] as const,
  );
}
