/** A line of 16 pixels that shows how a value grew. */

/** Colours of the line in dark and light themes. */
export interface SparkColors {
  readonly dark: string;
  readonly light: string;
}

/** Of mass and complexity above the threshold, as `slopLens.massAccent` has them; pictures cannot take theme colours. */
export const HIGH_SPARK: SparkColors = { dark: "#D9923A", light: "#B35900" };
export const LOW_SPARK: SparkColors = { dark: "#8D8D8D", light: "#8A8A8A" };

const SIZE = 16;
const MARGIN = 2;

/**
 * The picture of a row of values, oldest first, as SVG data URIs.
 * @param values undefined interrupts the line; the height is shared by the largest value
 */
export function sparkIcon(values: readonly (number | undefined)[], colors: SparkColors): SparkColors {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = values.length > 1 ? (SIZE - 2 * MARGIN) / (values.length - 1) : 0;
  const points = values.map((value, index) =>
    value === undefined
      ? undefined
      : ([MARGIN + index * step, SIZE - MARGIN - (value / most) * (SIZE - 2 * MARGIN)] as const),
  );
  const draw = (color: string): string => dataUri(picture(points, color));
  return { dark: draw(colors.dark), light: draw(colors.light) };
}

type Point = readonly [x: number, y: number];

function picture(points: readonly (Point | undefined)[], color: string): string {
  const path = points
    .map((point, index) => {
      if (point === undefined) return "";
      return `${points[index - 1] === undefined ? "M" : "L"}${place(point)}`;
    })
    .join("");
  const last = points.findLast((point) => point !== undefined);
  const dot =
    last === undefined
      ? ""
      : `<circle cx="${round(last[0])}" cy="${round(last[1])}" r="1.6" fill="${color}"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">` +
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>` +
    `${dot}</svg>`
  );
}

function place([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function dataUri(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
