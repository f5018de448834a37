import * as vscode from "vscode";
import { COLORS } from "../ids.js";
import { BAR_COLORS, cloneBarUri, type BarShape, type ThemeKind } from "./clone-bar.js";
import type { LineEdit } from "./line-edits.js";
import type { Marks } from "./marks.js";
import { areSame, DECORATION_NAMES, draw, movedAlong, type DecorationName, type Placed } from "./placed.js";

type Types = Readonly<Record<DecorationName, vscode.TextEditorDecorationType>>;

/** What VS Code is taken to show of one kind of decoration. */
interface Shown {
  /** Undefined when it cannot be told. */
  placed: readonly Placed[] | undefined;
  setAt: number;
  /** An edit came so soon after the decorations were set that they may have been placed in the text behind it. */
  isDoubtful: boolean;
}

/** VS Code places decorations in the text that it has when they arrive; an edit may have come between. */
const ON_THE_WAY_MS = 1000;
const NOTHING: readonly Placed[] = [];

/**
 * Paints marks into editors. VS Code moves decorations along with edits, so only what differs from what it then shows
 * is set again.
 */
export class Painter implements vscode.Disposable {
  private types = createTypes();
  private shown = new WeakMap<vscode.TextEditor, Map<DecorationName, Shown>>();
  private readonly theme = vscode.window.onDidChangeActiveColorTheme(() => {
    this.drop();
    this.types = createTypes();
    this.onThemeChanged();
  });

  /** @param onThemeChanged called when all editors have to be painted again */
  constructor(private readonly onThemeChanged: () => void) {}

  paint(editor: vscode.TextEditor, marks: Marks): void {
    const { document } = editor;
    const drawing = draw(marks, (line) => document.lineAt(line).text.length, document.lineCount);
    const shown = this.shown.get(editor) ?? new Map<DecorationName, Shown>();
    this.shown.set(editor, shown);
    for (const name of DECORATION_NAMES) {
      const before = shown.has(name) ? shown.get(name)?.placed : NOTHING;
      if (before === undefined || !areSame(before, drawing[name]))
        this.set(editor, shown, name, drawing[name]);
    }
  }

  /** The document of an editor was edited. */
  edited(editor: vscode.TextEditor, edits: readonly LineEdit[]): void {
    for (const shown of this.shown.get(editor)?.values() ?? []) {
      shown.placed = shown.placed === undefined ? undefined : movedAlong(shown.placed, edits);
      shown.isDoubtful ||= Date.now() - shown.setAt < ON_THE_WAY_MS;
    }
  }

  /** Sets again what may stand wrong. To be called when no edit has come for a moment. */
  settle(editor: vscode.TextEditor): void {
    const all = this.shown.get(editor) ?? new Map<DecorationName, Shown>();
    for (const [name, { placed, isDoubtful }] of all) {
      if (isDoubtful && placed !== undefined && placed.length > 0) this.set(editor, all, name, placed);
    }
  }

  dispose(): void {
    this.theme.dispose();
    this.drop();
  }

  private set(
    editor: vscode.TextEditor,
    shown: Map<DecorationName, Shown>,
    name: DecorationName,
    placed: readonly Placed[],
  ): void {
    editor.setDecorations(this.types[name], placed.map(toOptions));
    shown.set(name, { placed, setAt: Date.now(), isDoubtful: false });
  }

  private drop(): void {
    for (const type of Object.values(this.types)) type.dispose();
    this.shown = new WeakMap();
  }
}

function toOptions({ line, from, to, text }: Placed): vscode.DecorationOptions {
  const range = new vscode.Range(line, from, line, to);
  return text === undefined ? { range } : { range, renderOptions: { after: { contentText: text } } };
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
