/** Colours of the present theme, read from the variables that VS Code puts on the page. */

export interface Theme {
  readonly foreground: string;
  readonly dim: string;
  readonly grid: string;
  readonly background: string;
  readonly humanBand: string;
  readonly humanLine: string;
  readonly massAccent: string;
  readonly runs: readonly string[];
  readonly font: string;
}

function variable(style: CSSStyleDeclaration, name: string, fallback: string): string {
  const value = style.getPropertyValue(name).trim();
  return value === "" ? fallback : value;
}

/** Reads the theme from the document; call again when `onThemeChange` fires. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const foreground = variable(style, "--vscode-foreground", "#cccccc");
  const color = (id: string, fallback: string): string =>
    variable(style, `--vscode-slopLens-${id}`, fallback);
  return {
    foreground,
    dim: variable(style, "--vscode-descriptionForeground", foreground),
    // High contrast has a border colour that would be stronger than the lines of the runs.
    grid: `color-mix(in srgb, ${foreground} 14%, transparent)`,
    background: variable(style, "--vscode-editor-background", "#1e1e1e"),
    humanBand: color("humanBand", "#cccccc12"),
    humanLine: color("humanLine", "#8d8d8d"),
    massAccent: color("massAccent", "#d9923a"),
    runs: [
      color("run1", "#4fa6ff"),
      color("run2", "#e0b84c"),
      color("run3", "#c8c8c8"),
      color("run4", "#f27db2"),
    ],
    font: variable(style, "--vscode-font-family", "sans-serif"),
  };
}

/** Calls `listener` after every change of the colour theme. */
export function onThemeChange(listener: () => void): void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
}
