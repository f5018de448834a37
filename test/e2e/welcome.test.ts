/** The first minute: what the views say by cause, and the walkthrough that ticks off what was done. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, type SessionOptions } from "./support/session.js";

const NO_ENGINE = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

/** A session in a folder that holds one text file, or in no folder. */
async function start(
  name: string,
  options: Omit<SessionOptions, "name" | "workspace"> & { readonly isEmpty?: boolean },
): Promise<EditorSession> {
  const source = await mkdtemp(path.join(tmpdir(), "sl-welcome-"));
  await mkdir(path.join(source, "notes"));
  await writeFile(path.join(source, "notes/read me.txt"), "nothing to see\n");
  const { isEmpty = false, ...rest } = options;
  const session = await EditorSession.start({
    name: `welcome-${name}`,
    workspace: isEmpty ? undefined : source,
    env: NO_ENGINE,
    ...rest,
  });
  await rm(source, { recursive: true, force: true });
  return session;
}

const welcome = ({ workbench }: EditorSession, text: string): Locator =>
  workbench.page.locator(".part.sidebar .welcome-view-content").filter({ hasText: text });

const buttons = (view: Locator): Promise<string[]> => view.locator(".monaco-button").allInnerTexts();

test("without a folder: what to open, and a walkthrough whose steps are ticked by what was done", async () => {
  await using session = await start("no-folder", { isEmpty: true });
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  const view = welcome(session, "Open a folder that holds problem packs or run folders.");
  await view.waitFor({ timeout: 60_000 });
  expect(await buttons(view)).toEqual(["Open Folder"]);
  await session.inAllThemes("welcome-no-folder");
  await workbench.runCommand("Slop Lens: Focus on Hotspots View");
  await welcome(session, "Nothing is chosen: open a source file, or select a run.").waitFor();
  await workbench.screenshot("welcome-hotspots-no-folder");
  await workbench.runCommand("Slop Lens: Show Marks in the Sample");
  await workbench.activeTab("shelf.py").waitFor();
  await until(
    async () => (await workbench.marks("shelf.py"))?.some(({ after }) => after?.startsWith("CC ") === true),
    "the marks of the sample",
  );
  await workbench.screenshot("welcome-show-marks");
  await workbench.runCommand("Welcome: Open Walkthrough...");
  await workbench.pick("Get started with Slop Lens");
  const steps = workbench.page.locator(".gettingStartedContainer .step-list-container .getting-started-step");
  await steps.first().waitFor();
  await workbench.screenshot("walkthrough");
  const ticked = () => steps.locator(".codicon-getting-started-step-checked").count();
  await until(async () => (await steps.count()) === 5, "five steps");
  await until(async () => (await ticked()) === 1, "the step of the marks to be ticked");
  for (const step of [
    "See a trajectory rot",
    "Read the marks in the editor",
    "Run a trajectory",
    "Compare with human code",
    "Bring your own agent",
  ]) {
    await steps.filter({ hasText: step }).first().click();
    await steps.filter({ hasText: step }).locator(".step-description-container").first().waitFor();
    await session.inAllThemes(`walkthrough-${step}`);
  }
});

test("in a folder without packs: what a pack is, and the sample; no run yet", async () => {
  await using session = await start("no-packs", {});
  await session.workbench.openViewContainer("Slop Lens");
  const view = welcome(session, "This folder holds no problem pack.");
  await view.waitFor({ timeout: 60_000 });
  expect(await buttons(view)).toEqual(["Open the Sample"]);
  await welcome(session, "No runs yet.").waitFor();
  await session.inAllThemes("welcome-no-packs");
});

test("in a folder that is not trusted: what works, and how to trust it", async () => {
  await using session = await start("untrusted", { restricted: true });
  await session.workbench.openViewContainer("Slop Lens");
  const view = welcome(session, "This folder is not trusted");
  await view.waitFor({ timeout: 60_000 });
  expect(await buttons(view)).toEqual(["Manage Workspace Trust"]);
  await session.inAllThemes("welcome-untrusted");
});

test("in a workspace that lies on no disk: what works there", async () => {
  await using session = await start("virtual", {
    extensions: ["test/fixtures/extensions/memory-files"],
  });
  const { workbench } = session;
  const { page } = workbench;
  await page.goto(`${new URL(page.url()).origin}/?folder=${encodeURIComponent("memory:/work")}`);
  await workbench.openViewContainer("Slop Lens");
  const view = welcome(session, "In this workspace only the marks in open files work.");
  await view.waitFor({ timeout: 60_000 });
  await session.inAllThemes("welcome-virtual");
  expect(await workbench.viewTitles()).not.toContain("Runs");
  await workbench.openViewContainer("Explorer");
  await workbench.treeRow("branchy.py").click();
  await workbench.activeTab("branchy.py").waitFor();
  await until(
    async () =>
      (await workbench.marks("branchy.py"))?.some(({ after }) => after?.startsWith("CC 12") === true),
    "the mark of the function",
    60_000,
  );
  expect(await workbench.hover("choose")).toContain("cyclomatic complexity 12");
  await workbench.screenshot("virtual-hover");
  await page.keyboard.press("Escape");
  await workbench.treeRow("again.py").click();
  await workbench.activeTab("again.py").waitFor();
  await until(
    async () => ((await workbench.marks("again.py")) ?? []).filter(({ gutter }) => gutter).length > 3,
    "the bars of two copies",
  );
  await workbench.hover("first");
  await workbench.screenshot("virtual-clone-hover");
  await page.locator(".monaco-hover:visible a").getByText("again.py 7", { exact: false }).first().click();
  await until(
    async () => (await workbench.statusItem("status.editor.selection").innerText()).startsWith("Ln 7"),
    "the line of the copy",
  );
});
