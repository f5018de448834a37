/** A presenter's way: the recorded run of the sample is played, without Docker, and everything follows. */
import { rm } from "node:fs/promises";
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
  await rm(path.join(session.workspace, "shelf-runs/reference"), { recursive: true, force: true });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

const tabs = (): Promise<string[]> =>
  session.workbench.page
    .locator(".tabs-container .tab")
    .evaluateAll((found) => found.map((tab) => tab.getAttribute("aria-label") ?? ""));
const place = (): Promise<string> => play.locator(".count").innerText();
const at = (count: number): Promise<unknown> =>
  until(async () => (await place()) === `Checkpoint ${count} of 6`, `checkpoint ${count}`);
const selected = async (): Promise<string> =>
  session.workbench.page.locator(".part.sidebar .monaco-list-row.selected .label-name").first().innerText();

test("plays the recorded run from the palette, the heaviest callable followed", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("Checkpoint 6").waitFor();
  await workbench.runCommand("Slop Lens: Play Trajectory");
  play = await workbench.webview(".play-bar");
  await at(1);
  await until(async () => (await play.locator("select.follow").inputValue()) === "shelf.py#main", "main");
  await until(async () => (await tabs()).some((tab) => tab.includes("shelf.py")), "the first snapshot");
});

test("steps by keys: diff with marks, tree and tab follow, and the focus stays", async () => {
  const { workbench } = session;
  for (const count of [2, 3, 4]) {
    await workbench.page.keyboard.press("ArrowRight");
    await at(count);
  }
  await until(async () => (await tabs()).join().includes("Checkpoint 3 → 4"), "the tab of checkpoint 4");
  expect(await tabs()).toHaveLength(1);
  const marks = await until(async () => {
    const after = workbench.page.locator(".diff-editor-modified, .editor.modified").first();
    const texts = await after
      .locator('.view-lines [class*="TextEditorDecorationType"]')
      .evaluateAll((spans) => spans.map((span) => getComputedStyle(span, "::after").content));
    return texts.find((text) => text.includes("CC "));
  }, "the mark of main in the diff");
  expect(marks).toMatch(/CC \d+ · mass/);
  await until(async () => (await selected()) === "Checkpoint 4", "the row of checkpoint 4");
  expect(await play.evaluate(() => document.hasFocus())).toBe(true);
});

test("plays to the end by itself and stops there", async () => {
  const { workbench } = session;
  await play.locator('.switch button:text("2×")').click();
  await play.locator("input[type=range]").focus();
  await workbench.page.keyboard.press(" ");
  await play.locator('button[aria-label^="Pause"]').waitFor();
  await at(6);
  await play.locator('button[aria-label^="Play"]').waitFor();
  expect(await tabs()).toHaveLength(1);
  await play.locator('.switch button:text("File")').click();
  await until(async () => !(await tabs()).join().includes("→"), "the whole file");
  expect(await tabs()).toHaveLength(1);
});
