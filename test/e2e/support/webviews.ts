/** Looking into webviews. VS Code nests them: page → frame of the webview service → frame with the content. */
import type { Frame, Page } from "playwright-core";
import { until } from "./poll.js";

const contentFrame = "/webview/browser/pre/fake.html";

/** The content frame of the visible webview that holds an element for `selector`; waits until there is one. */
export function webviewFrame(page: Page, selector: string): Promise<Frame> {
  return until(async () => {
    for (const frame of page.frames()) {
      if (!frame.url().includes(contentFrame)) continue;
      // A frame that is being replaced throws; another may still be the one.
      if (await frame.$(selector).catch(() => null)) return frame;
    }
    return undefined;
  }, `a webview with ${selector}`);
}

/** How many opaque pixels of each colour a canvas shows, by `r,g,b`. */
export function canvasColours(frame: Frame, selector: string): Promise<ReadonlyMap<string, number>> {
  return frame
    .$eval(selector, (element) => {
      const canvas = element as HTMLCanvasElement;
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const counts: Record<string, number> = {};
      for (let index = 0; index < data.length; index += 4) {
        if (data[index + 3] !== 255) continue;
        const colour = `${data[index]},${data[index + 1]},${data[index + 2]}`;
        counts[colour] = (counts[colour] ?? 0) + 1;
      }
      return counts;
    })
    .then((counts) => new Map(Object.entries(counts)));
}
