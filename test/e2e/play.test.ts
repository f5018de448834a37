/** A presenter's way: the recorded runs of the sample are played and compared, without Docker. */
import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;
let play: Frame;

beforeAll(async () => {
  session = await EditorSession.start({
    name: "play",
    workspace: "examples",
    settings: { "workbench.colorTheme": "Default Dark Modern", "workbench.editor.enablePreview": false },
    env: { DOCKER_HOST: "unix:///nowhere/docker.sock" },
  });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

const tabs = (): Promise<string[]> =>
  session.workbench.page
    .locator(".tabs-container .tab")
    .evaluateAll((found) => found.map((tab) => tab.getAttribute("aria-label") ?? ""));
const at = (order: number): Promise<unknown> =>
  until(
    async () => (await play.locator(".count").innerText()) === `Checkpoint ${order} of 6`,
    `checkpoint ${order}`,
  );
const onlyTab = (text: string): Promise<unknown> =>
  until(async () => (await tabs()).length === 1 && (await tabs()).join().includes(text), `only ${text}`);
const selected = (): Promise<string> =>
  session.workbench.page.locator(".part.sidebar .monaco-list-row.selected .label-name").first().innerText();

test("plays a recorded run from the palette, and follows its heaviest callable", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("replay: rotting").waitFor();
  await workbench.runCommand("Slop Lens: Play Trajectory");
  await workbench.pick("replay: rotting");
  play = await workbench.webview(".play-bar");
  await at(1);
  await until(async () => (await play.locator("select.follow").inputValue()) === "shelf.py#main", "main");
  await onlyTab("shelf.py");
});

test("steps by keys: one tab shows the diff with its marks, the tree follows, the focus stays", async () => {
  const { workbench } = session;
  for (const order of [2, 3, 4]) {
    await workbench.page.keyboard.press("ArrowRight");
    await at(order);
  }
  await onlyTab("Checkpoint 3 → 4");
  const mark = await until(async () => {
    const spans = workbench.page.locator('.editor.modified .view-lines [class*="TextEditorDecorationType"]');
    const texts = await spans.evaluateAll((all) =>
      all.map((span) => getComputedStyle(span, "::after").content),
    );
    return texts.find((text) => text.includes("CC "));
  }, "the mark of main in the diff");
  expect(mark).toMatch(/CC 87 · mass/);
  await until(async () => (await selected()) === "Checkpoint 4", "the row of checkpoint 4");
  expect(await play.evaluate(() => document.hasFocus())).toBe(true);
});

test("goes on where it stood when the window was loaded anew, with the same callable", async () => {
  const { workbench } = session;
  await play.locator("select.follow").selectOption("shelf.py#print_all");
  await onlyTab("Checkpoint 3 → 4");
  await workbench.runCommand("Developer: Reload Window");
  await until(() => Promise.resolve(play.isDetached()), "the window to go");
  play = await workbench.webview(".play-bar");
  await at(4);
  expect(await play.locator("select.follow").inputValue()).toBe("shelf.py#print_all");
  expect(await play.locator("input[type=range]").inputValue()).toBe("3");
  await onlyTab("Checkpoint 3 → 4");
  const present = workbench.page.locator(".part.sidebar .monaco-list-row:has(.codicon-debug-stackframe)");
  await until(async () => (await present.count()) === 1, "the mark in the tree");
  expect(await present.locator(".label-name").innerText()).toBe("Checkpoint 4");
  await play.locator("select.follow").selectOption("shelf.py#main");
});

test("plays to the end by itself, stops there, and shows the whole file", async () => {
  const { workbench } = session;
  await play.locator(".switch button").getByText("2×").click();
  await play.locator("input[type=range]").focus();
  await workbench.page.keyboard.press(" ");
  await play.locator('button[aria-label^="Pause"]').waitFor();
  await at(6);
  await play.locator('button[aria-label^="Play"]').waitFor();
  await onlyTab("Checkpoint 5 → 6");
  await play.locator(".switch button").getByText("File").click();
  await until(async () => !(await tabs()).join().includes("→"), "the whole file");
  expect(await tabs()).toHaveLength(1);
});

test("follows a run that grows: the new checkpoint comes at the end, and what is shown stays", async () => {
  const run = path.join(session.workspace, "shelf-runs/rotting");
  const [rows, taken, aside] = ["checkpoint_results.jsonl", "shelf/checkpoint_6", "../checkpoint_6"].map(
    (name) => path.join(run, name),
  ) as [string, string, string];
  const all = await readFile(rows, "utf8");
  await rename(taken, aside);
  await writeFile(rows, all.trimEnd().replace(/\n[^\n]*$/u, "\n"));
  const count = async (): Promise<string> => play.locator(".count").innerText();
  await until(async () => (await count()) === "Checkpoint 5 of 5", "five checkpoints");
  await onlyTab("shelf.py");
  await rename(aside, taken);
  await writeFile(rows, all);
  await until(async () => (await count()) === "Checkpoint 5 of 6", "the sixth checkpoint");
  const slider = play.locator("input[type=range]");
  expect([await slider.inputValue(), await slider.getAttribute("max")]).toEqual(["4", "5"]);
  await session.inAllThemes("play-grown");
});

test("stops without a trace: no view, no tab, no mark in the tree", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Stop Playing");
  await workbench.page.locator(".part.panel").waitFor({ state: "hidden" });
  await until(async () => (await tabs()).length === 0, "the tab to close");
  const mark = workbench.page.locator(".part.sidebar .codicon-debug-stackframe");
  await until(async () => (await mark.count()) === 0, "the mark in the tree to go");
  await workbench.runCommand("View: Toggle Panel Visibility");
  await workbench.page.locator(".part.panel .action-label").first().waitFor();
  const labels = workbench.page.locator(".part.panel .action-label:visible");
  await until(
    async () => !(await labels.allInnerTexts()).includes("Slop Lens: Play"),
    "the label of the view to go",
  );
  await workbench.runCommand("View: Toggle Panel Visibility");
});

test("compares two runs", async () => {
  const { workbench } = session;
  await workbench.rowMenu("replay: rotting", "Compare With…");
  await workbench.pick("replay: reference");
  const page = await workbench.webview(".heatmap svg");
  await until(async () => (await page.locator(".versus .bar").count()) === 1, "the comparison");
  expect(await page.locator(".heatmap h2").innerText()).toBe(
    "Checkpoints that pass whole: 8 of 12; core passes at the end in 1 of 2 runs",
  );
  const cells = await page.locator(".heatmap .pick text").allTextContents();
  expect(cells).toEqual(["✓", "✓", "✓", "✓", "✓", "✓", "✓", "✓", "◐ 5", "◐ 9", "◐ 17", "✕ 46"]);
  expect(await page.locator(".versus .keys").innerText()).toContain("46 only B");
  await page.locator(".plot").focus();
  await workbench.page.keyboard.press("ArrowDown");
  await workbench.page.keyboard.press("Enter");
  await until(
    async () => (await page.locator(".versus .keys").innerText()).includes("46 only A"),
    "the other way round",
  );
});

test("keeps the keyboard where it is while the page is drawn anew, and compares also from behind another tab", async () => {
  const { workbench } = session;
  const page = await workbench.webview(".heatmap svg");
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
  for (const name of ["Erosion", "Verbosity", "Failed tests"]) {
    await page.locator(".switch button").getByText(name, { exact: true }).focus();
    await workbench.page.keyboard.press("Enter");
    await page.locator('.switch button[aria-pressed="true"]').getByText(name, { exact: true }).waitFor();
    expect(await focused()).toBe(name);
  }
  await page.locator("select.metric").selectOption("cost");
  const none = page.locator("figure.cost .none");
  await until(async () => (await none.innerText()) === "No cost was recorded.", "the missing cost");
  // A page that is behind another tab is gone, and must be told again when it is back.
  await workbench.runCommand("File: New Untitled Text File");
  await until(() => Promise.resolve(page.isDetached()), "the page to be hidden");
  await workbench.rowMenu("replay: rotting", "Compare With…");
  await workbench.pick("replay: reference");
  const again = await workbench.webview(".versus .bar");
  expect(await again.locator(".versus .keys").innerText()).toContain("46 only B");
});

test("zooms the plot by a drag and by a key, over a reload, until it is reset; no page was refused anything", async () => {
  const { workbench } = session;
  const { mouse } = workbench.page;
  const shown = async (page: Frame, count: number, words: RegExp): Promise<void> => {
    await until(
      async () => (await page.locator(".strip .cell").count()) === 2 * count,
      `${count} checkpoints`,
    );
    expect(await page.locator(".plot").getAttribute("aria-label")).toMatch(words);
  };
  const page = await workbench.webview(".heatmap svg");
  await page.locator("select.metric").selectOption("ratios");
  await shown(page, 6, /failed\.$/);
  const box = await page.locator("#panel-erosion").boundingBox();
  const xOf = (order: number): number => (box?.x ?? 0) + 44 + (((box?.width ?? 0) - 182) * (order - 0.5)) / 6;
  const y = (box?.y ?? 0) + 60;
  await mouse.move(xOf(2), y);
  await mouse.down();
  await mouse.move(xOf(5), y, { steps: 4 });
  await mouse.up();
  await shown(page, 4, / Zoomed to the checkpoints 2 to 5\.$/);
  await page.locator(".plot").focus();
  await workbench.page.keyboard.press("+");
  await shown(page, 3, / Zoomed to the checkpoints \d to \d\.$/);
  const words = await page.locator(".plot").getAttribute("aria-label");
  await workbench.runCommand("Developer: Reload Window");
  await until(() => Promise.resolve(page.isDetached()), "the window to go");
  const again = await workbench.webview("#panel-erosion");
  await shown(again, 3, /Zoomed/);
  expect(await again.locator(".plot").getAttribute("aria-label")).toBe(words);
  await again.locator(".reset-zoom").click();
  await shown(again, 6, /failed\.$/);
  expect(await again.locator(".reset-zoom").count()).toBe(0);
  const said = await readFile(path.join(path.dirname(session.workspace), "browser-console.log"), "utf8");
  expect(said.split("\n").filter((line) => line.includes("Content Security Policy"))).toEqual([]);
});
