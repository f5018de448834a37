/** Two runs in a queue: one works while the other waits; paused, one cancelled, and the rest goes on to its end; then one that fails. */
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { IMAGE } from "../support/image.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-e2e-"));
  for (const name of ["shelf", "shop"]) await layProblem(name);
  await mkdir(path.join(folder, ".vscode"));
  const settings = JSON.stringify({ "slopLens.docker.image": IMAGE, "slopLens.agent.command": "sleep 600" });
  await writeFile(path.join(folder, ".vscode/settings.json"), settings);
  session = await EditorSession.start({
    name: "queue",
    workspace: folder,
    settings: { "workbench.colorTheme": "Default Dark Modern" },
  });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
pictureEveryTest(() => session);

/** The sample with two checkpoints, under another name. */
async function layProblem(name: string): Promise<void> {
  await cp("examples/shelf", path.join(folder, name), { recursive: true });
  const file = path.join(folder, name, "config.yaml");
  const config = parseDocument(await readFile(file, "utf8"));
  config.set("name", name);
  for (let order = 3; config.deleteIn(["checkpoints", `checkpoint_${order}`]); order += 1);
  await writeFile(file, config.toString());
}

const descriptionOf = async (label: string): Promise<string> => {
  const rows = await session.workbench.treeRows("Runs");
  return rows.find((row) => row.label === label)?.description ?? "";
};

test("queues two runs and shows which works and which waits", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("shop").waitFor();
  await workbench.runCommand("Slop Lens: Run Several…");
  await workbench.pickSeveral(["shelf", "shop"]);
  await workbench.pickSeveral(["Replay reference solution"]);
  await workbench.pick("one attempt, every checkpoint is taken");
  await workbench.pick("1 at once");
  await until(
    async () => (await descriptionOf("Queue")) === "1 running · 1 waiting · 0 of 2 done",
    "the queue",
  );
  expect(await descriptionOf("shop · reference")).toBe("waiting");
  await until(
    async () => /^Checkpoint 1: \d+ of \d+ tests/.test(await descriptionOf("shelf · reference")),
    "the tests of the run that works",
    90_000,
  );
  await workbench.notification("1 running · 1 waiting · 0 of 2 done").waitFor();
});

test("pauses after the turn in progress", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Pause Queue");
  await until(async () => (await descriptionOf("Queue")).startsWith("paused · 1 running"), "the pause");
  await until(
    async () => (await descriptionOf("shelf · reference")) === "paused after Checkpoint 1",
    "the end of the turn",
    90_000,
  );
});

test("offers to go on with the queue after a reload of the window, plan first, and once", async () => {
  const { workbench } = session;
  await workbench.runCommand("Developer: Reload Window");
  await until(
    async () => (await descriptionOf("Interrupted queue")) === "2 of 2 runs left",
    "the row",
    60_000,
  );
  await workbench.notification("A queue did not finish: 2 of 2 runs left.").waitFor();
  await workbench.screenshot("queue-interrupted");
  await workbench.pressNotification("A queue did not finish", "Show Plan…");
  const plan = workbench.dialog("Resume the queue? 2 of 2 runs left.");
  await plan.waitFor();
  expect(await plan.innerText()).toContain(
    "shelf · reference: goes on after checkpoint 1\nshop · reference: begins",
  );
  await workbench.screenshot("queue-plan");
  await plan.getByText("Resume", { exact: true }).click();
  await until(async () => (await descriptionOf("Queue")).startsWith("1 running · 1 waiting"), "the queue");
});

test("cancels the run that waits, and goes on with the other to its end", async () => {
  const { workbench } = session;
  await workbench.rowAction("shop · reference", "Cancel This Run");
  // What works may end at any moment; that the other was cancelled is told at the end.
  await workbench.notification("1 of 2 runs finished, 1 cancelled.").waitFor({ timeout: 120_000 });
  await until(async () => !(await workbench.treeRow("Queue").isVisible()), "the queue to leave the view");
  const runs = (await workbench.treeRows("Runs")).filter(({ label }) => label === "replay: reference");
  expect(runs).toHaveLength(1);
});

test("a run that cannot be taken says why below the one that works", async () => {
  const { workbench } = session;
  const tests = path.join(session.workspace, "shop/tests/test_checkpoint_1.py");
  await appendFile(tests, "\ndef test_half(:\n");
  await workbench.runCommand("Slop Lens: Run Several…");
  await workbench.pickSeveral(["shelf", "shop"]);
  await workbench.pickSeveral(["Command from setting"]);
  await workbench.pick("one attempt, every checkpoint is taken");
  await workbench.pick("2 at once");
  await until(
    async () => (await descriptionOf("shop · command")).startsWith("failed: "),
    "the failed row",
    120_000,
  );
  expect(await descriptionOf("shop · command")).toContain("test_checkpoint_1.py");
  await until(
    async () => (await descriptionOf("shelf · command")).includes("agent"),
    "the other's agent",
    120_000,
  );
  expect(await descriptionOf("Queue")).toBe("1 running · 1 of 2 done");
  const labels = (await workbench.treeRows("Runs")).map(({ label }) => label);
  const queued = labels.filter((label) => label.endsWith(" · command"));
  expect(queued).toEqual(["shelf · command", "shop · command"]);
  const told = await workbench.notification("1 running · 1 of 2 done").innerText();
  expect(told, "nothing was taken yet that could tell how long the rest takes").not.toContain("left");
  await session.inAllThemes("queue-with-failed");
  await workbench.rowAction("shelf · command", "Cancel This Run");
  await until(async () => !(await workbench.treeRow("Queue").isVisible()), "the queue to leave the view");
});
