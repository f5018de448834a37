/** What a person sees when something is not as it should be: a folder that is not trusted, a broken pack, no Docker. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

const BROKEN = `name: broken
version: 1
description: A pack with a misspelt key.
tags: [cli]
entry_file: broken
checkpoints:
  checkpoint_1:
    version: 1
    timeoutt: 5
`;

const BRANCHY = `def choose(n):
${Array.from({ length: 11 }, (_, index) => `    if n == ${index}:\n        return ${index * 7}\n`).join("")}    return n
`;

let session: EditorSession | undefined;
let source: string;

beforeAll(async () => {
  source = await mkdtemp(path.join(tmpdir(), "sl-trouble-"));
  await cp("examples/shelf", path.join(source, "shelf"), { recursive: true });
  await mkdir(path.join(source, "broken"));
  await writeFile(path.join(source, "broken/config.yaml"), BROKEN);
  await writeFile(path.join(source, "branchy.py"), BRANCHY);
  session = await EditorSession.start({
    name: "trouble",
    workspace: source,
    restricted: true,
    env: { DOCKER_HOST: "unix:///nowhere/docker.sock" },
    settings: { "workbench.colorTheme": "Default Light Modern" },
  });
});
afterAll(async () => {
  await session?.[Symbol.asyncDispose]();
  await rm(source, { recursive: true, force: true });
});
pictureEveryTest(() => session);

function person(): EditorSession["workbench"] {
  if (session === undefined) throw new Error("VS Code did not start");
  return session.workbench;
}

test("an untrusted folder has its tree and its marks, and offers no run", async () => {
  const workbench = person();
  await workbench.openViewContainer("Slop Lens");
  await until(
    async () => (await workbench.treeRows("Problems")).some(({ label }) => label === "shelf"),
    "the problems of an untrusted folder",
  );
  await workbench.openFile("branchy.py");
  await until(
    async () =>
      (await workbench.marks("branchy.py"))?.some(({ after }) => after?.startsWith("CC 12") === true),
    "marks in an untrusted folder",
  );
  expect(await offered("Slop Lens: Run Trajectory")).toEqual([]);
  expect(await offered("Slop Lens: Toggle Marks")).toEqual(["Slop Lens: Toggle Marks"]);
});

test("a broken pack says where and what, and the others work", async () => {
  const workbench = person();
  const broken = (await workbench.treeRows("Problems")).find(({ label }) => label === "broken");
  expect(broken?.description).toContain("config.yaml, line 9");
  await workbench.expand("broken");
  await until(async () => {
    const labels = (await workbench.treeRows("Problems")).map(({ label }) => label);
    return labels.some((label) => /^Line 9, column 5: .*timeoutt.*"timeout"/.test(label));
  }, "the message with its place and a suggestion");
});

test("no Docker is told once, with a way on", async () => {
  const workbench = person();
  await workbench.trust();
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("shelf");
  await workbench.pick("Replay reference solution");
  await workbench.pick("every checkpoint is taken");
  const told = workbench.notification("Docker");
  await told.waitFor({ timeout: 60_000 });
  expect(await told.innerText()).toContain("/nowhere/docker.sock");
  await told.locator(".monaco-button").getByText("Run Without Docker", { exact: true }).waitFor();
  await until(
    async () => (await workbench.page.locator(".notification-toast").count()) === 1,
    "nothing but the error to be shown",
  );
});

test("settings of the wrong kind are named once, and their defaults hold", async () => {
  const workbench = person();
  await workbench.runCommand("Notifications: Clear All Notifications");
  const wrong = {
    runsFolder: 5,
    profile: "nope",
    "rules.off": "x",
    "rules.folders": { a: 1 },
    "marks.show": 17,
  };
  const settings = Object.fromEntries(
    Object.entries(wrong).map(([key, value]) => [`slopLens.${key}`, value]),
  );
  const folder = path.join(session?.workspace ?? "", ".vscode");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
  const told = workbench.notification("These settings cannot be used as they are");
  await told.waitFor({ timeout: 30_000 });
  const text = await told.innerText();
  for (const key of Object.keys(settings)) expect(text).toContain(key);
  await workbench.openFile("branchy.py");
  await until(
    async () =>
      (await workbench.marks("branchy.py"))?.some(({ after }) => after?.startsWith("CC 12") === true),
    "marks by the defaults",
  );
});

/** Commands that the palette offers for a text. */
async function offered(text: string): Promise<string[]> {
  const { page } = person();
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget .quick-input-box input").fill(`>${text}`);
  const rows = page.locator(".quick-input-list .monaco-list-row .label-name");
  const found = await until(async () => {
    const labels = await rows.allInnerTexts();
    return labels.length > 0 ? labels : undefined;
  }, "the palette's answer");
  await page.keyboard.press("Escape");
  return found.map((label) => label.trim()).filter((label) => label.startsWith(text));
}
