/** What becomes of runs that somebody takes away: a window that closes, a folder that is deleted or copied, a root that is renamed. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IMAGE } from "../support/image.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

/** Solves the first checkpoint and works at the second one until it is ended. */
const AGENT = 'if ls | grep -q shelf.py; then sleep 600; else printf "print(1)" > shelf.py; fi';

let session: EditorSession;

beforeAll(async () => {
  session = await EditorSession.start({
    name: "lost-run",
    workspace: "examples",
    without: ["shelf-runs"],
    settings: { "slopLens.agent.command": AGENT, "workbench.colorTheme": "Default Dark Modern" },
  });
  await mkdir(path.join(session.workspace, ".vscode"), { recursive: true });
  const settings = JSON.stringify({ "slopLens.docker.image": IMAGE, "slopLens.runsFolder": "runs" });
  await writeFile(path.join(session.workspace, ".vscode/settings.json"), settings);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

const runsFolder = (): string => path.join(session.workspace, "runs");
const runs = () => session.workbench.treeRows("Runs");
const toasts = () => session.workbench.page.locator(".notification-toast").allInnerTexts();

/** Folders of runs; what a run leaves beside them is hidden. */
const folders = async (): Promise<string[]> => {
  const names = await readdir(runsFolder()).catch(() => []);
  return names.filter((name) => !name.startsWith("."));
};

/** Containers of runs of this workspace. */
async function containers(): Promise<number> {
  const all = await new Docker().listContainers({ all: true });
  return all.filter(({ Labels }) => JSON.stringify(Labels).includes(session.workspace)).length;
}

async function startRun(): Promise<void> {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("shelf").waitFor();
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("shelf");
  await workbench.pick("Command from setting");
  await workbench.pick("every checkpoint is taken");
}

async function atSecondCheckpoint(): Promise<void> {
  await until(
    async () =>
      (await runs()).some(
        ({ label, description }) => label === "Checkpoint 2" && description.includes("agent"),
      ),
    "the agent at the second checkpoint",
    120_000,
  );
}

test("a run that the window's end cut short is interrupted, and offered once with its plan", async () => {
  const { workbench } = session;
  await startRun();
  await atSecondCheckpoint();
  expect(await containers()).toBe(1);
  await workbench.runCommand("Developer: Reload Window");
  const told = workbench.notification("The run of shelf did not finish: 1 of 6 checkpoints done.");
  await told.waitFor({ timeout: 90_000 });
  await until(
    async () => (await runs()).some(({ description }) => description.includes("interrupted")),
    "the row",
  );
  expect(await containers()).toBe(0);
  const [name = ""] = await folders();
  const record = JSON.parse(
    await readFile(path.join(runsFolder(), name, "slop-lens.json"), "utf8"),
  ) as object;
  expect(record).toMatchObject({ state: "interrupted" });
  await session.inAllThemes("run-interrupted");
  await workbench.pressNotification("The run of shelf did not finish", "Show Plan…");
  const plan = workbench.dialog("Resume");
  await plan.waitFor();
  expect(await plan.innerText()).toMatch(/Checkpoint 1: .*\nCheckpoint 2: /);
  await workbench.screenshot("run-interrupted-plan");
  await plan.getByText("Cancel", { exact: true }).click();
  await workbench.runCommand("Developer: Reload Window");
  await workbench.openViewContainer("Slop Lens");
  await until(
    async () => (await runs()).some(({ description }) => description.includes("interrupted")),
    "the row",
    60_000,
  );
  expect(await toasts()).toEqual([]);
});

test("a run whose folder is deleted ends, is told once, and leaves neither row nor container", async () => {
  const { workbench } = session;
  const [before = ""] = await folders();
  await startRun();
  await atSecondCheckpoint();
  const name = (await folders()).find((one) => one !== before) ?? "";
  await rm(path.join(runsFolder(), name), { recursive: true });
  await workbench.notification("was deleted while it was in progress").waitFor({ timeout: 30_000 });
  await until(async () => (await containers()) === 0, "its container to go");
  await until(
    async () => (await runs()).every(({ description }) => !description.includes("of 6")),
    "its row to go",
  );
  expect(await folders()).toEqual([before]);
  const shown = (await toasts()).filter((text) => text.includes("deleted"));
  expect(shown).toHaveLength(1);
  expect(shown.join("")).not.toMatch(/ENOENT/);
  await session.inAllThemes("run-deleted");
});

test("a run that another hand deletes leaves the tree", async () => {
  const [name = ""] = await folders();
  await rm(path.join(runsFolder(), name), { recursive: true });
  await until(async () => (await runs()).every(({ level }) => level < 2), "the row to go");
});

test("a run that another hand copies in comes into the tree", async () => {
  await cp("examples/shelf-runs/rotting", path.join(session.workspace, "copied/rotting"), {
    recursive: true,
  });
  await until(async () => (await runs()).some(({ label }) => label === "replay: rotting"), "the copied run");
});

test("a root that is renamed is told with a way on, in the editor's words", async () => {
  const { workbench } = session;
  await rename(session.workspace, `${session.workspace}-moved`);
  await workbench.runCommand("Slop Lens: Refresh");
  const told = workbench.notification("was moved, renamed or deleted");
  await told.waitFor();
  expect(await told.innerText()).not.toContain("Name a pack");
  await told.locator(".monaco-button").getByText("Open Folder…", { exact: true }).waitFor();
  await session.inAllThemes("root-renamed");
  await rename(`${session.workspace}-moved`, session.workspace);
  await workbench.runCommand("Slop Lens: Refresh");
  await workbench.treeRow("shelf").waitFor();
});
