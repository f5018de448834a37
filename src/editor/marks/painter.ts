import * as vscode from "vscode";
import { COLORS } from "../ids.js";
import { BAR_COLORS, BAR_SHAPES, barShape, cloneBarUri, type BarShape, type ThemeKind } from "./clone-bar.js";
import type { Marks } from "./marks.js";

type TypeName = "complexity" | "verbosity" | BarShape;
type Types = Readonly<Record<TypeName, vscode.TextEditorDecorationType>>;
type Painted = Map<TypeName, string>;

/** Paints marks into editors: one call a decoration type and editor, and none when nothing differs. */
export class Painter implements vscode.Disposable {
  private types = createTypes();
  private painted = new WeakMap<vscode.TextEditor, Painted>();
  private readonly theme = vscode.window.onDidChangeActiveColorTheme(() => {
    this.drop();
    this.types = createTypes();
    this.onThemeChanged();
  });

  /** @param onThemeChanged called when all editors have to be painted again */
  constructor(private readonly onThemeChanged: () => void) {}

  /** @param moved lines of the document moved since it was painted, so that equal marks may stand wrong */
  paint(editor: vscode.TextEditor, marks: Marks, moved: boolean): void {
    const painted = this.painted.get(editor) ?? new Map<TypeName, string>();
    this.painted.set(editor, painted);
    const wanted = decorations(editor.document, marks);
    for (const [name, options] of wanted) {
      const signature = JSON.stringify(options);
      const before = painted.get(name) ?? "[]";
      if (before === signature && (!moved || signature === "[]")) continue;
      editor.setDecorations(this.types[name], options);
      painted.set(name, signature);
    }
  }

  dispose(): void {
    this.theme.dispose();
    this.drop();
  }

  private drop(): void {
    for (const type of Object.values(this.types)) type.dispose();
    this.painted = new WeakMap();
  }
}

function decorations(
  document: vscode.TextDocument,
  marks: Marks,
): readonly (readonly [TypeName, vscode.DecorationOptions[]])[] {
  const last = document.lineCount;
  const complexity = marks.functions
    .filter(({ line }) => line <= last)
    .map(({ line, text }) => ({
      range: document.lineAt(line - 1).range,
      renderOptions: { after: { contentText: text } },
    }));
  const verbosity = marks.verbosity.map(({ line, startColumn, endColumn }) => ({
    range: document.validateRange(new vscode.Range(line - 1, startColumn - 1, line - 1, endColumn - 1)),
  }));
  const bars = barLines(marks, last);
  return [
    ["complexity", complexity],
    ["verbosity", verbosity],
    ...BAR_SHAPES.map((shape) => [shape, bars[shape]] as const),
  ];
}

function barLines(marks: Marks, last: number): Record<BarShape, vscode.DecorationOptions[]> {
  const bars: Record<BarShape, vscode.DecorationOptions[]> = { start: [], middle: [], end: [], single: [] };
  const taken = new Set<number>();
  for (const { start, end } of marks.clones) {
    for (let line = start; line <= Math.min(end, last); line++) {
      if (taken.has(line)) continue;
      taken.add(line);
      bars[barShape(line, start, end)].push({ range: new vscode.Range(line - 1, 0, line - 1, 0) });
    }
  }
  return bars;
}

function createTypes(): Types {
  const color = (id: string): vscode.ThemeColor => new vscode.ThemeColor(id);
  const bar = (shape: BarShape): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({
      gutterIconPath: vscode.Uri.parse(cloneBarUri(shape, BAR_COLORS[themeKind()])),
      gutterIconSize: "100% 100%",
      overviewRulerColor: color(COLORS.cloneRuler),
      overviewRulerLane: vscode.OverviewRulerLane.Center,
    });
  return {
    complexity: vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: color(COLORS.highComplexityBackground),
      borderColor: color(COLORS.highComplexityBorder),
      borderStyle: "solid",
      borderWidth: "1px 0",
      overviewRulerColor: color(COLORS.highComplexityRuler),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      after: { color: color(COLORS.highComplexityForeground), margin: "0 0 0 2em" },
    }),
    verbosity: vscode.window.createTextEditorDecorationType({
      borderColor: color(COLORS.verbosityUnderline),
      borderStyle: "none none dotted none",
      borderWidth: "0 0 2px 0",
      overviewRulerColor: color(COLORS.verbosityRuler),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    }),
    start: bar("start"),
    middle: bar("middle"),
    end: bar("end"),
    single: bar("single"),
  };
}

function themeKind(): ThemeKind {
  switch (vscode.window.activeColorTheme.kind) {
    case vscode.ColorThemeKind.Light:
      return "light";
    case vscode.ColorThemeKind.HighContrast:
      return "highContrast";
    case vscode.ColorThemeKind.HighContrastLight:
      return "highContrastLight";
    case vscode.ColorThemeKind.Dark:
      return "dark";
  }
}
