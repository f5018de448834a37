/** A person follows one function: from its hover to its row, through a rename, and into the plot. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

const branches = (count: number): string =>
  Array.from({ length: count }, (_, index) => `    if n == ${index}:\n        return ${index * 7}\n`).join(
    "",
  );

/** What the two checkpoints of the run hold: the same function, which grows and gets another name. */
const FIRST = `def choose(n):\n${branches(11)}    return n\n`;
const SECOND = `def decide(n):\n${branches(14)}    return n\n\n\ndef short():\n    return choose(1)\n`;

let session: EditorSession;

beforeAll(async () => {
  const source = await mkdtemp(path.join(tmpdir(), "sl-hotspots-"));
  const run = path.join(source, "my runs #1 100%/ünï");
  await cp("test/fixtures/editor-runs/imported", run, { recursive: true });
  for (const [index, text] of [FIRST, SECOND].entries()) {
    const snapshot = path.join(run, `desk/checkpoint_${index + 1}/snapshot`);
    await rm(snapshot, { recursive: true });
    await cp("test/fixtures/editor-runs/imported/desk/checkpoint_1/snapshot", snapshot, { recursive: true });
    await writeFile(path.join(snapshot, "desk.py"), text);
  }
  await writeFile(path.join(source, "plain.py"), "def plain(x):\n    return x + 1\n");
  session = await EditorSession.start({ name: "hotspots", workspace: source });
  await rm(source, { recursive: true, force: true });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

/** Rests the pointer on a text of the editor and presses a link of the hover. */
async function pressInHover(text: string, link: string): Promise<void> {
  const { workbench } = session;
  await workbench.hover(text);
  await workbench.page.locator(".monaco-hover:visible a").getByText(link, { exact: true }).first().click();
}

const hotspots = () => session.workbench.treeRows("Hotspots");

/** What the Hotspots view says in place of rows. */
const told = (text: string) => session.workbench.page.locator(".part.sidebar .pane-body").getByText(text);

test("Show in Hotspots selects the row of the function, which knows its earlier name", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.expand("Checkpoint 2");
  await workbench.expand("Snapshot");
  await workbench.treeRow("desk.py").click();
  await workbench.activeTab("desk.py").waitFor();
  await until(
    async () => (await workbench.marks("desk.py"))?.some(({ after }) => after?.startsWith("CC 15") === true),
    "the mark of the function",
  );
  await pressInHover("decide", "Show in Hotspots");
  const row = workbench.page.locator(".part.sidebar .monaco-list-row.selected").last();
  await until(async () => (await row.innerText()).includes("decide"), "the row to be selected");
  await until(
    async () => (await hotspots()).some(({ label }) => label === "decide (was choose)"),
    "the earlier name",
  );
  expect((await hotspots())[0]?.description).toMatch(/CC 15 ▲ 3$/u);
  await session.inAllThemes("hotspots-renamed");
});

test("Growth Since Checkpoint 1 and Follow in Plot show the function's mass over the checkpoints", async () => {
  const { workbench } = session;
  await workbench.activeTab("desk.py").click();
  await pressInHover("decide", "Growth Since Checkpoint 1");
  const plot = await workbench.webview(".mass, .blocks, svg");
  await until(() => followed(plot, "decide"), "the plot to follow the function");
  await workbench.runCommand("View: Close Editor");
  await workbench.treeRow("decide (was choose)").hover();
  await workbench
    .treeRow("decide (was choose)")
    .locator('.action-label[aria-label^="Follow in Plot"]')
    .click();
  const again = await workbench.webview(".mass, .blocks, svg");
  await until(() => followed(again, "decide"), "the plot to follow the function");
});

test("an empty view says why: nothing is chosen, marks are off, or nothing is above the threshold", async () => {
  const { workbench } = session;
  await workbench.runCommand("View: Close All Editors");
  await workbench.runCommand("Slop Lens: Show Hotspots of Open Files");
  await told("Nothing is chosen: open a source file, or select a run.").waitFor();
  await session.inAllThemes("hotspots-nothing-chosen");
  await workbench.runCommand("Slop Lens: Toggle Marks");
  await workbench.openFile("plain.py");
  await told("Marks are off, so the open files are not measured.").waitFor();
  await workbench.runCommand("Slop Lens: Toggle Marks");
  await told("No callable above CC 10; the highest has 1.").waitFor();
  await session.inAllThemes("hotspots-none-above");
});

test("Show Hotspots of the Workspace lists files that are not open, follows a save, and survives a reload", async () => {
  const { workbench, workspace } = session;
  await writeFile(path.join(workspace, "far.py"), SECOND.replaceAll("decide", "distant"));
  await workbench.runCommand("Slop Lens: Show Hotspots of the Workspace");
  await workbench.page.locator(".part.sidebar .pane-header").getByText("workspace · 2 files").waitFor();
  await until(async () => (await names()).join() === "distant,short,plain", "the callables of both files");
  await session.inAllThemes("hotspots-workspace");
  await workbench.treeRow("distant").click();
  await workbench.activeTab("far.py").waitFor();
  await workbench.openFile("plain.py");
  await workbench.page.keyboard.press("Control+End");
  await workbench.page.keyboard.insertText("\n\ndef added(): return 2\n");
  await workbench.runCommand("File: Save");
  await until(async () => (await names()).includes("added"), "the function that was saved");
  // What only the disk has is seen by the window that comes, not by the one that goes.
  await writeFile(path.join(workspace, "far.py"), SECOND.replaceAll("decide", "remote"));
  await workbench.runCommand("Developer: Reload Window");
  await until(async () => (await names()).includes("remote"), "the workspace after the reload");
  await workbench.runCommand("Slop Lens: Show Hotspots of Open Files");
  await until(async () => !(await names()).includes("remote"), "the open file alone");
});

const names = async (): Promise<string[]> => (await hotspots()).map(({ label }) => label);

async function followed(plot: Frame, name: string): Promise<boolean> {
  const metric = await plot.locator("select.metric").inputValue();
  return metric === "mass" && (await plot.locator("body").innerText()).includes(name);
}
