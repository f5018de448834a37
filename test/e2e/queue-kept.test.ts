/** What an earlier window left of a queue: what failed says why, and can be told to others. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

const REASON = "The image python:3.12-slim cannot be pulled (no route to host)";
const QUEUE = {
  schema: 1,
  plan: {
    problems: ["../shelf"],
    agents: [
      { name: "reference", kind: "reference" },
      { name: "rotting", kind: "replay", folder: "../shelf-recordings/rotting" },
      { name: "mine", kind: "command", command: "solve", passEnv: [] },
    ],
    jobs: 1,
  },
  items: [
    { id: "shelf/reference/1", state: "running", left: [] },
    { id: "shelf/rotting/1", state: "failed", left: [], reason: REASON },
    { id: "shelf/mine/1", state: "waiting", left: [] },
  ],
};

let session: EditorSession;

beforeAll(async () => {
  const source = await mkdtemp(path.join(tmpdir(), "sl-kept-"));
  for (const name of ["shelf", "shelf-recordings"]) {
    await cp(path.join("examples", name), path.join(source, name), { recursive: true });
  }
  await mkdir(path.join(source, "runs"));
  await writeFile(path.join(source, "runs/queue-20260101T000000.json"), JSON.stringify(QUEUE));
  session = await EditorSession.start({
    name: "queue-kept",
    workspace: source,
    settings: { "slopLens.runsFolder": "runs" },
    env: { DOCKER_HOST: "unix:///nowhere/docker.sock" },
  });
  await rm(source, { recursive: true, force: true });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

test("a failed run of the queue says why, and its menu has the reason and the log", async () => {
  const { workbench } = session;
  const { page } = workbench;
  await workbench.openViewContainer("Slop Lens");
  await workbench.expand("Interrupted queue");
  const row = workbench.treeRow("shelf · rotting");
  await row.waitFor();
  expect(await row.locator(".label-description").innerText()).toBe(`failed: ${REASON}`);
  await row.click({ button: "right" });
  const entries = page.locator(".monaco-menu .action-label");
  await entries.getByText("Copy Message", { exact: true }).waitFor();
  expect((await entries.allInnerTexts()).filter((text) => text !== "")).toEqual(["Show Log", "Copy Message"]);
  await page.keyboard.press("Escape");
  await session.inAllThemes("queue-failed-menu", async () => {
    await row.click({ button: "right" });
    await entries.getByText("Copy Message", { exact: true }).waitFor();
  });
  await page.keyboard.press("Escape");
  await workbench.rowMenu("shelf · rotting", "Copy Message");
  await until(
    async () => (await page.evaluate(() => navigator.clipboard.readText())) === REASON,
    "the reason on the clipboard",
  );
});
