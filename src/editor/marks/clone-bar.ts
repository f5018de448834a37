/** The double bar beside clone lines, drawn as SVG because VS Code takes pictures only for the gutter. */

export type BarShape = "start" | "middle" | "end" | "single";
export const BAR_SHAPES: readonly BarShape[] = ["start", "middle", "end", "single"];

export type ThemeKind = "dark" | "light" | "highContrast" | "highContrastLight";

/** The defaults of `slopLens.cloneGutter`; a unit test holds them together with package.json. */
export const BAR_COLORS: Readonly<Record<ThemeKind, string>> = {
  dark: "#B180D7",
  light: "#7A3FA8",
  highContrast: "#D7A6FF",
  highContrastLight: "#5B2A86",
};

/** Two parallel lines down the height of a line of text, closed where the clone begins and ends. */
export function cloneBar(shape: BarShape, color: string): string {
  const top = shape === "start" || shape === "single";
  const bottom = shape === "end" || shape === "single";
  const from = top ? 1.75 : 0;
  const to = bottom ? 18.25 : 20;
  const lines = [`M8.75 ${from}V${to}`, `M12.25 ${from}V${to}`];
  if (top) lines.push(`M8 ${from}H13`);
  if (bottom) lines.push(`M8 ${to}H13`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20" preserveAspectRatio="none">` +
    `<path d="${lines.join("")}" fill="none" stroke="${color}" stroke-width="1.5"/></svg>`
  );
}

/** The bar as an address that needs no file. */
export function cloneBarUri(shape: BarShape, color: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(cloneBar(shape, color)).toString("base64")}`;
}

/** Which piece of the bar stands beside `line` of a clone. */
export function barShape(line: number, start: number, end: number): BarShape {
  if (start === end) return "single";
  if (line === start) return "start";
  return line === end ? "end" : "middle";
}
