import type { Theme } from "./theme.js";

export interface PlotImages {
  /** Below each other. */
  readonly metrics: readonly HTMLCanvasElement[];
  /** Side by side below the metrics. */
  readonly groups: readonly HTMLCanvasElement[];
}

/** The canvases on the theme's background, as the base64 body of a PNG. */
export function pictureOf({ metrics, groups }: PlotImages, title: string, theme: Theme): string {
  const scale = window.devicePixelRatio;
  const margin = 24 * scale;
  const wide = Math.max(...metrics.map((canvas) => canvas.width));
  const groupHeight = Math.max(...groups.map((canvas) => canvas.height));
  const height = metrics.reduce((sum, canvas) => sum + canvas.height + margin, groupHeight + 2 * margin);
  const picture = document.createElement("canvas");
  picture.width = wide + 2 * margin;
  picture.height = height + margin;
  const context = picture.getContext("2d");
  if (!context) return "";
  context.fillStyle = theme.background;
  context.fillRect(0, 0, picture.width, picture.height);
  context.fillStyle = theme.foreground;
  context.font = `600 ${13 * scale}px ${theme.font}`;
  context.fillText(title, margin, margin);
  let y = 1.5 * margin;
  for (const canvas of metrics) {
    context.drawImage(canvas, margin, y);
    y += canvas.height + margin;
  }
  let x = margin;
  for (const canvas of groups) {
    context.drawImage(canvas, x, y);
    x += canvas.width + margin / 2;
  }
  return picture.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
