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

const LOOK = [
  ...["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray"],
  ...["font-size", "font-weight", "text-anchor"],
];

/** A drawing of the page as an SVG document that keeps its look without the page's style sheet. */
export function standaloneSvg(svg: SVGSVGElement, theme: Theme): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of LOOK) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute("class");
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  // The page's policy refuses a style attribute, but not this.
  copy.style.background = theme.background;
  copy.setAttribute("font-family", theme.font);
  return new XMLSerializer().serializeToString(copy);
}

/** An SVG document in pixels, as the base64 body of a PNG on the theme's background. */
export async function pixelsOf(svg: string, theme: Theme): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = 2;
  const picture = document.createElement("canvas");
  picture.width = image.naturalWidth * scale;
  picture.height = image.naturalHeight * scale;
  const context = picture.getContext("2d");
  if (!context) return "";
  context.fillStyle = theme.background;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(image, 0, 0, picture.width, picture.height);
  return picture.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
