/** A person without any agent's command: a model in VS Code takes the turns, here one of a provider that follows a script. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRun } from "../../src/core/store/read-run.js";
import { readTranscript } from "../../src/core/transcript/read-transcript.js";
import { IMAGE } from "../support/image.js";
import { lay, wordPack } from "../unit/cli/support.js";
import { codeMinor } from "./support/places.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

/** Providers of models came with VS Code 1.104. */
const modelTest = test.skipIf(codeMinor() < 104);

let session: EditorSession;
let source: string;

beforeAll(async () => {
  source = await mkdtemp(path.join(tmpdir(), "sl-model-"));
  await lay(source, wordPack("words"));
  await mkdir(path.join(source, ".vscode"));
  await writeFile(
    path.join(source, ".vscode/settings.json"),
    JSON.stringify({ "slopLens.docker.image": IMAGE }),
  );
  session = await EditorSession.start({
    name: "model",
    workspace: source,
    extensions: ["test/fixtures/extensions/scripted-models"],
    proposed: true,
    settings: { "chat.disableAIFeatures": false, "workbench.colorTheme": "Default Dark Modern" },
  });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await rm(source, { recursive: true, force: true });
});
pictureEveryTest(() => session);

async function run(model: string): Promise<void> {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("words");
  await workbench.pick("Model in VS Code…");
  await workbench.screenshot("model-choice");
  await workbench.pick(model);
  await workbench.pick("every checkpoint is taken");
}

async function runsOf(model: string): Promise<string[]> {
  const rows = await session.workbench.treeRows("Runs");
  return rows.filter(({ label }) => label.startsWith(model)).map(({ description }) => description);
}

async function runFolders(): Promise<string[]> {
  const runs = path.join(session.workspace, "runs");
  return (await readdir(runs)).sort().map((name) => path.join(runs, name));
}

modelTest(
  "offers the models that VS Code has, and lets one solve a problem with tools in a container",
  async () => {
    const { workbench } = session;
    await workbench.openViewContainer("Slop Lens");
    await workbench.treeRow("words").waitFor();
    await run("Scripted Solver");
    await until(
      async () => {
        const rows = await workbench.treeRows("Runs");
        return rows.filter(({ description }) => /^\d passed/u.test(description)).length === 2;
      },
      "both checkpoints to pass",
      120_000,
    );
    const [folder = ""] = await runFolders();
    const solved = path.join(folder, "words/checkpoint_2");
    expect(await readFile(path.join(solved, "snapshot/words.py"), "utf8")).toBe('print("word1 word2")\n');
    const transcript = await readTranscript(path.join(solved, "agent"), new AbortController().signal);
    expect(transcript).toMatchObject({
      agent: { type: "slop-lens", model: "scripted-solver" },
      usage: { steps: 3, outputTokens: 30 },
    });
    expect(transcript.messages.flatMap(({ calls }) => calls.map(({ output }) => output))).toEqual([
      expect.stringContaining("Wrote") as string,
      "word1 word2\n[exit code 0]",
    ]);
  },
);

modelTest("says why a model gives no answer, and takes that for the agent's failure", async () => {
  await run("Scripted Refuser");
  await session.workbench.notification("no quota left").waitFor({ timeout: 60_000 });
  const [, folder = ""] = await runFolders();
  const turns = (await readRun(folder)).problems[0]?.turns ?? [];
  expect(turns.map(({ verdict }) => verdict)).toEqual(["agent-error", "not-reached"]);
  expect(turns[0]?.reason).toContain("it is blocked, by its quota or a filter");
});

modelTest("lets go of a model that never answers", async () => {
  const { workbench } = session;
  await run("Scripted Sleeper");
  await until(async () => (await runFolders()).length === 3, "the run folder");
  await workbench.notification("words, checkpoint 1 of").waitFor({ timeout: 60_000 });
  await workbench.pressNotification("words, checkpoint 1 of", "Cancel");
  await workbench.notification("Cancelled before checkpoint 1 was done.").waitFor({ timeout: 10_000 });
  await until(
    async () => (await runsOf("scripted-sleeper")).some((text) => text.includes("cancelled")),
    "the cancelled run",
  );
});

modelTest("says what to do when the user does not let it use a model, and goes on when they do", async () => {
  const { workbench } = session;
  await workbench.runCommand("Notifications: Clear All Notifications");
  await run("Scripted Asker");
  const consent = workbench.dialog("wants to access the language models");
  await consent.waitFor({ timeout: 60_000 });
  await workbench.screenshot("model-consent");
  await consent.getByText("Cancel", { exact: true }).click();
  await workbench.notification("Scripted Asker gave no answer").waitFor({ timeout: 60_000 });
  await workbench.screenshot("model-refused");
  // Only a run that has come to its end can be gone on with.
  await until(
    async () => (await runsOf("scripted-asker")).some((text) => text.includes("agent error")),
    "the end of the run",
  );
  const refused = (await runFolders()).at(-1) ?? "";
  const verdicts = async (): Promise<unknown[]> =>
    (await readRun(refused)).problems.flatMap(({ turns }) => turns.map(({ verdict }) => verdict));
  expect(await verdicts()).toEqual(["agent-error", "not-reached"]);

  await workbench.rowMenu("scripted-asker · just-solve", "Resume Run…");
  await workbench.pick("Model in VS Code…");
  await workbench.pick("Scripted Asker");
  await workbench.dialog("Resume scripted-asker").getByText("Resume", { exact: true }).click();
  await consent.waitFor({ timeout: 60_000 });
  await consent.getByText("Allow", { exact: true }).click();
  await until(async () => (await verdicts()).join() === "passed,passed", "both checkpoints", 120_000);
});
