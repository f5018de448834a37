/** The workbench as a person uses it: by what is written on the screen. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { markedLines, type MarkedLine } from "./decorations.js";
import { resultsFolder } from "./places.js";
import { until } from "./poll.js";
import { canvasColours, webviewFrame } from "./webviews.js";

/** A visible row of a tree in the side bar. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 for a row at the top of its tree. */
  readonly level: number;
  readonly expanded: boolean;
}

/** One theme of each kind, by the class that VS Code then has. */
const THEMES = {
  "vs-dark": "Dark Modern",
  vs: "Light Modern",
  "hc-black": "Dark High Contrast",
  "hc-light": "Light High Contrast",
} as const;
export type ThemeKind = keyof typeof THEMES;
export const THEME_KINDS = Object.keys(THEMES) as ThemeKind[];

export class Workbench {
  constructor(readonly page: Page) {}

  /** Loads the workbench with a folder of this machine, or without any. */
  async open(serverUrl: string, folder: string | undefined, proposed = false): Promise<void> {
    const query = folder === undefined ? "ew=true" : `folder=${encodeURIComponent(folder)}`;
    const payload = proposed ? `&payload=${encodeURIComponent('[["enableProposedApi",""]]')}` : "";
    await this.page.goto(`${serverUrl}/?${query}${payload}`, { timeout: 90_000 });
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor({ timeout: 90_000 });
  }

  /** Runs a command by its title in the palette, for example `Slop Lens: Show Erosion Plot`. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickRows.filter({
      has: this.page.locator(".label-name").getByText(title, { exact: true }),
    });
    // A page that takes the focus while it loads closes the palette; then it is opened once more.
    await until(
      async () => {
        await this.openPalette();
        await this.quickInput.fill(`>${title}`, { timeout: 3_000 });
        await row.first().click({ timeout: 10_000 });
        return true;
      },
      `the palette to take ${title}`,
      60_000,
    );
    // The palette has closed, with the window where that is loaded anew, or the command's own question is in its place.
    await until(
      async () =>
        !(await this.quickInput.isVisible()) ||
        (await this.quickInput.inputValue({ timeout: 1_000 })) !== `>${title}`,
      `the palette to let go of ${title}`,
    );
  }

  /** A webview that has the focus keeps F1 for itself; a click beside it brings the key back. */
  private async openPalette(): Promise<void> {
    await until(async () => {
      await this.page.keyboard.press("F1");
      const opened = this.quickInput.waitFor({ timeout: 3_000 });
      if (await opened.then(() => true).catch(() => false)) return true;
      await this.page.locator(".part.statusbar").click({ position: { x: 600, y: 10 } });
      return false;
    }, "the command palette");
  }

  private get quickInput(): Locator {
    return this.page.locator(".quick-input-widget .quick-input-box input");
  }

  private get quickRows(): Locator {
    return this.page.locator(".quick-input-list .monaco-list-row");
  }

  /**
   * Chooses the first entry of the open quick pick whose text contains `text`. A click that falls while VS Code lays
   * the list anew is lost, so it is repeated as long as the same question stands there.
   */
  async pick(text: string): Promise<void> {
    const row = this.quickRows.filter({ hasText: text }).first();
    await row.waitFor();
    const question = await this.question();
    await until(async () => {
      await row.click({ timeout: 3_000 });
      return until(async () => (await this.question()) !== question, "the next question", 3_000);
    }, `the choice of ${text}`);
  }

  /** Ticks the entries of the open quick pick that contain these texts, and confirms them. */
  async pickSeveral(texts: readonly string[]): Promise<void> {
    const count = this.page.locator(".quick-input-widget .quick-input-count");
    for (const [index, text] of texts.entries()) {
      await this.quickRows.filter({ hasText: text }).first().click();
      await until(async () => (await count.innerText()).startsWith(`${index + 1} `), `${text} to be ticked`);
    }
    await this.page.keyboard.press("Enter");
  }

  /** What the open quick input asks; empty when none is open. */
  private async question(): Promise<string> {
    if (!(await this.quickInput.isVisible())) return "";
    const title = await this.page.locator(".quick-input-widget .quick-input-title").first().innerText();
    return [title, await this.quickInput.getAttribute("placeholder")].join("\n");
  }

  /** The texts of the entries of the open quick pick. */
  async choices(): Promise<string[]> {
    await this.quickRows.first().waitFor();
    return this.quickRows.locator(".label-name").allInnerTexts();
  }

  /** Whether a quick input opens within five seconds. */
  async asks(): Promise<boolean> {
    return this.quickInput.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  }

  /** Types an answer into the open input box and confirms it. */
  async answer(text: string): Promise<void> {
    await this.quickInput.waitFor();
    await this.quickInput.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Opens a file of the workspace by its name and waits until its text is there. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+p");
    await this.quickInput.waitFor();
    await this.quickInput.fill(name);
    await this.pick(path.basename(name));
    await this.activeTab(path.basename(name)).waitFor();
    await this.page.locator(".editor-instance .view-line").first().waitFor();
  }

  /** The active editor tab with this name; await `waitFor()` to see it open. */
  activeTab(name: string): Locator {
    return this.page.locator(`.tabs-container .tab.active[data-resource-name="${name}"]`);
  }

  /** The text of the editor that is active, as far as it is scrolled into view. */
  async visibleText(): Promise<string> {
    const lines = await this.page
      .locator(".editor-group-container.active .view-line")
      .evaluateAll((elements) =>
        elements
          .map((element) => ({
            top: parseFloat((element as HTMLElement).style.top),
            text: element.textContent,
          }))
          .sort((a, b) => a.top - b.top)
          .map((line) => line.text.replaceAll("\u00a0", " ")),
      );
    return lines.join("\n");
  }

  /** The icon of a view container in the activity bar. */
  viewContainer(title: string): Locator {
    return this.page
      .locator(".part.activitybar .action-item")
      .filter({ has: this.page.locator(`a[aria-label^="${title}"]`) })
      .first();
  }

  /** Shows a view container; one that is shown already stays. */
  async openViewContainer(title: string): Promise<void> {
    const icon = this.viewContainer(title);
    await icon.waitFor({ timeout: 60_000 });
    const classes = (await icon.getAttribute("class")) ?? "";
    if (!classes.includes("checked")) await icon.click();
  }

  /** The titles of the views that the shown view container holds. */
  async viewTitles(): Promise<string[]> {
    const titles = this.page.locator(".part.sidebar .pane-header .title");
    await titles.first().waitFor();
    return titles.allTextContents();
  }

  /** The visible rows of the trees in the side bar; of one view when its title is given. */
  async treeRows(view?: string): Promise<TreeRow[]> {
    return this.rows(view).evaluateAll((rows) =>
      rows.map((row) => ({
        label: row.querySelector(".label-name")?.textContent ?? "",
        description: row.querySelector(".label-description")?.textContent ?? "",
        level: Number(row.getAttribute("aria-level")),
        expanded: row.getAttribute("aria-expanded") === "true",
      })),
    );
  }

  private rows(view?: string): Locator {
    const panes = this.page.locator(".part.sidebar .pane");
    const pane =
      view === undefined
        ? panes
        : panes.filter({ has: this.page.locator(`.pane-header .title`, { hasText: view }) });
    return pane.locator(".pane-body .monaco-list-row");
  }

  /** The first visible tree row with this label; click it, hover it, or look for its inline actions. */
  treeRow(label: string): Locator {
    return this.rows()
      .filter({ has: this.page.locator(".label-name").getByText(label, { exact: true }) })
      .first();
  }

  /** Unfolds a tree row; one that is unfolded already stays. */
  async expand(label: string): Promise<void> {
    const row = this.treeRow(label);
    await row.waitFor();
    if ((await row.getAttribute("aria-expanded")) !== "true") await row.locator(".monaco-tl-twistie").click();
    await until(async () => (await row.getAttribute("aria-expanded")) === "true", `${label} to unfold`);
  }

  /** Presses an action that a tree row shows when the pointer is on it, by its tooltip. */
  async rowAction(label: string, action: string): Promise<void> {
    const row = this.treeRow(label);
    await row.hover();
    await row.locator(`.action-label[aria-label^="${action}"]`).click();
  }

  /** Chooses an entry of the menu that a row shows on a right click. A menu lets go of clicks right after it opened. */
  async rowMenu(label: string, entry: string): Promise<void> {
    await this.treeRow(label).click({ button: "right" });
    const item = this.page.locator(".monaco-menu .action-label").getByText(entry, { exact: true });
    await item.waitFor();
    await until(async () => {
      if (await item.isVisible()) await item.click({ timeout: 1_000 });
      return until(async () => !(await item.isVisible()), "the menu to close", 1_000);
    }, `the choice of ${entry}`);
  }

  /** A notification that contains `text`. */
  notification(text: string): Locator {
    return this.page
      .locator(".notification-list-item, .notification-toast")
      .filter({ hasText: text })
      .first();
  }

  /** Presses a button of the notification that contains `text`. */
  async pressNotification(text: string, button: string): Promise<void> {
    await this.notification(text).locator(".monaco-button").getByText(button, { exact: true }).click();
  }

  /** A modal dialog that contains `text`. */
  dialog(text: string): Locator {
    return this.page.locator(".monaco-dialog-box").filter({ hasText: text });
  }

  /** A status bar item by its whole id, `<publisher>.<extension>.<item>`. */
  statusItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id="${id}"]`);
  }

  /** What the extension drew onto the lines of a visible editor; undefined when none shows the file. */
  marks(fileName: string): Promise<readonly MarkedLine[] | undefined> {
    return markedLines(this.page, fileName);
  }

  /** The colours in the overview ruler of the active editor, with how many pixels each has, by `r,g,b`. */
  rulerColours(): Promise<ReadonlyMap<string, number>> {
    const ruler = ".editor-group-container.active canvas.decorationsOverviewRuler";
    return canvasColours(this.page.mainFrame(), ruler);
  }

  /** Lets the pointer rest on a piece of the active editor's text and returns the text of the hover. */
  async hover(text: string): Promise<string> {
    await this.page.locator(".editor-group-container.active .view-line").getByText(text).first().hover();
    const hover = this.page.locator(".monaco-hover:visible").filter({ hasText: /\S/ }).first();
    await hover.waitFor();
    return hover.innerText();
  }

  /** The content of the webview that holds an element for `selector`. */
  webview(selector: string): Promise<Frame> {
    return webviewFrame(this.page, selector);
  }

  /** Trusts the workspace as a person does, from the status bar's Restricted Mode. */
  async trust(): Promise<void> {
    const restricted = this.statusItem("status.workspaceTrust");
    await restricted.click({ timeout: 60_000 });
    const editor = this.page.locator(".workspace-trust-editor");
    await editor.locator(".monaco-button").getByText("Trust", { exact: true }).first().click();
    await restricted.waitFor({ state: "detached" });
    await this.runCommand("View: Close Editor");
  }

  /** What kind of theme is shown now. */
  themeKind(): Promise<ThemeKind> {
    return until(async () => {
      const classes = (await this.page.locator(".monaco-workbench").first().getAttribute("class")) ?? "";
      return THEME_KINDS.find((kind) => classes.split(" ").includes(kind));
    }, "the theme");
  }

  /** Chooses a theme as a person does. */
  async useTheme(kind: ThemeKind): Promise<void> {
    if ((await this.themeKind()) === kind) return;
    await this.runCommand("Preferences: Color Theme");
    await this.quickInput.fill(THEMES[kind]);
    await this.pick(THEMES[kind]);
    await until(async () => (await this.themeKind()) === kind, `the theme ${kind}`);
  }

  /** Takes a picture into the folder of results. */
  async screenshot(name: string): Promise<void> {
    await mkdir(resultsFolder, { recursive: true });
    const file = `${name.replaceAll(/[^\w.-]+/g, "-")}.png`;
    await this.page.screenshot({ path: path.join(resultsFolder, file) });
  }
}
