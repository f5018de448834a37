/** What an extension has drawn onto the lines of an editor, read off the screen. */
import type { Page } from "playwright-core";

/** One line with at least one mark. Only lines that are scrolled into view exist on the screen. */
export interface MarkedLine {
  readonly number: number;
  readonly text: string;
  /** Colour of a whole-line or range background. */
  readonly background: string | undefined;
  /** Text after the end of the line. */
  readonly after: string | undefined;
  /** Whether the glyph margin shows an icon. */
  readonly gutter: boolean;
  /** Parts of the line that are underlined; `…` for one that is drawn as a border behind the text. */
  readonly underlined: readonly string[];
}

/** Something drawn at a height of the editor. VS Code draws in layers: what has the same `top` is on the same line. */
interface Drawn<T> {
  readonly top: number;
  readonly value: T;
}

interface Layers {
  readonly numbers: readonly Drawn<number>[];
  readonly texts: readonly Drawn<string>[];
  readonly backgrounds: readonly Drawn<string>[];
  readonly afters: readonly Drawn<string>[];
  readonly underlines: readonly Drawn<string>[];
  readonly icons: readonly Drawn<string>[];
}

/**
 * The marked lines of the visible editor that shows `fileName`, top to bottom.
 * @returns undefined when no visible editor shows the file
 */
export async function markedLines(page: Page, fileName: string): Promise<MarkedLine[] | undefined> {
  const layers = await page.evaluate(readLayers, fileName);
  if (layers === null) return undefined;
  const lines = layers.texts.map(({ top, value }) => ({
    number: at(layers.numbers, top)[0] ?? 0,
    text: value,
    background: at(layers.backgrounds, top)[0],
    after: at(layers.afters, top)[0],
    gutter: at(layers.icons, top).length > 0,
    underlined: at(layers.underlines, top),
  }));
  return lines.filter(isMarked).sort((a, b) => a.number - b.number);
}

function at<T>(drawn: readonly Drawn<T>[], top: number): T[] {
  return drawn.filter((one) => one.top === top).map((one) => one.value);
}

function isMarked({ background, after, gutter, underlined }: MarkedLine): boolean {
  return background !== undefined || after !== undefined || gutter || underlined.length > 0;
}

/**
 * Runs inside the page, so it must be whole in itself. VS Code gives each decoration type of an extension CSS classes
 * named `ced-…-TextEditorDecorationType…`.
 */
function readLayers(fileName: string): Layers | null {
  const mark = '[class*="TextEditorDecorationType"]';
  const groups = [...document.querySelectorAll(".editor-group-container")];
  const group = groups.find((one) => one.querySelector(`.tab.active[data-resource-name="${fileName}"]`));
  const editor = group?.querySelector(".editor-instance");
  if (!editor) return null;

  const textOf = (element: Element): string => element.textContent.replaceAll("\u00a0", " ");
  const topOf = (element: HTMLElement): number => {
    const rows = ".view-overlays > div, .margin-view-overlays > div, .view-line";
    return Math.round(parseFloat((element.closest<HTMLElement>(rows) ?? element).style.top));
  };
  /** What `read` finds at the elements for `selector`; nothing where it gives an empty text. */
  const collect = <T>(selector: string, read: (element: HTMLElement) => T): Drawn<T>[] =>
    [...editor.querySelectorAll<HTMLElement>(selector)]
      .map((element) => ({ top: topOf(element), value: read(element) }))
      .filter(({ value }) => value !== "");

  return {
    numbers: collect(".margin-view-overlays .line-numbers", (element) => Number(element.textContent)),
    texts: collect(".view-lines .view-line", textOf),
    backgrounds: collect(`.view-overlays .cdr${mark}`, (element) => {
      const colour = getComputedStyle(element).backgroundColor;
      return colour === "rgba(0, 0, 0, 0)" ? "" : colour;
    }),
    afters: collect(`.view-lines ${mark}`, (element) => {
      const { content } = getComputedStyle(element, "::after");
      return content.startsWith('"') ? (JSON.parse(content) as string).trim() : "";
    }),
    underlines: [
      ...collect(`.view-lines ${mark}`, (element) =>
        getComputedStyle(element).textDecorationLine.includes("underline") ? textOf(element) : "",
      ),
      ...collect(`.view-overlays .cdr${mark}`, (element) =>
        getComputedStyle(element).borderBottomStyle === "dotted" ? "…" : "",
      ),
    ],
    icons: collect(`.cgmr${mark}`, (element) =>
      getComputedStyle(element).backgroundImage.replace("none", ""),
    ),
  };
}

/** How many marks of each kind an editor showed at one moment. */
export interface MarkCount {
  readonly afters: number;
  readonly icons: number;
  readonly underlines: number;
}

/**
 * Counts the marks of the visible editor that shows `fileName` as each frame is drawn, until the result is
 * called; that gives all counts that stood for two frames. What is looked at while VS Code has taken away what it draws
 * anew in the same frame is seen by nobody.
 */
export async function watchMarks(page: Page, fileName: string): Promise<() => Promise<MarkCount[]>> {
  await page.evaluate(countMarks, fileName);
  return () => page.evaluate(() => (window as unknown as { stopCounting: () => MarkCount[] }).stopCounting());
}

/** Runs inside the page, so it must be whole in itself. */
function countMarks(fileName: string): void {
  const mark = '[class*="TextEditorDecorationType"]';
  const counts: MarkCount[] = [];
  let last = "";
  let isRunning = true;
  const count = (): void => {
    const groups = [...document.querySelectorAll(".editor-group-container")];
    const group = groups.find((one) => one.querySelector(`.tab.active[data-resource-name="${fileName}"]`));
    const all = (selector: string): HTMLElement[] => [
      ...(group?.querySelectorAll<HTMLElement>(`.editor-instance ${selector}`) ?? []),
    ];
    const now = {
      afters: all(`.view-lines ${mark}`).filter((one) =>
        getComputedStyle(one, "::after").content.startsWith('"CC'),
      ).length,
      icons: all(`.cgmr${mark}`).length,
      underlines: all(`.view-overlays .cdr${mark}`).filter(
        (one) => getComputedStyle(one).borderBottomStyle === "dotted",
      ).length,
    };
    const seen = JSON.stringify(now);
    if (seen === last && seen !== JSON.stringify(counts.at(-1))) counts.push(now);
    last = seen;
    if (isRunning) requestAnimationFrame(afterFrame);
  };
  // VS Code draws in a frame's callbacks, some of them behind ours; a message comes when the frame stands.
  const frame = new MessageChannel();
  frame.port1.onmessage = count;
  const afterFrame = (): void => {
    frame.port2.postMessage(null);
  };
  count();
  Object.assign(window, {
    stopCounting: () => {
      isRunning = false;
      return counts;
    },
  });
}
