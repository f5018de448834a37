/** How the up to four drawn runs differ: never by hue alone. */

export interface RunStyle {
  readonly point: "circle" | "rectRot" | "triangle" | "rect";
  readonly dash: readonly number[];
}

export const RUN_STYLES: readonly RunStyle[] = [
  { point: "circle", dash: [] },
  { point: "rectRot", dash: [] },
  { point: "triangle", dash: [5, 4] },
  { point: "rect", dash: [] },
];

const SHAPES: Readonly<Record<RunStyle["point"], string>> = {
  circle: "M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7z",
  rectRot: "M8 3.5L12.5 8L8 12.5L3.5 8z",
  triangle: "M8 4L12 11.5H4z",
  rect: "M4.8 4.8h6.4v6.4H4.8z",
};

/** The style of a run by its place; places repeat after four. */
export function styleOf(place: number): RunStyle {
  return RUN_STYLES[place % RUN_STYLES.length] ?? { point: "circle", dash: [] };
}

/** Path data of a run's marker in a 16-pixel box. */
export function markerPath(place: number): string {
  return SHAPES[styleOf(place).point];
}
