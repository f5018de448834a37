/** A person with an agent of their own: runs it, cancels, goes on, forks, tries several times, and reads why it failed. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRun } from "../../src/core/store/read-run.js";
import { IMAGE } from "../support/image.js";
import { lay, wordPack } from "../unit/cli/support.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

const KEY = "tiny-key-0123456789";

/** A shell script that writes the solution, says its key, and tells what it did as Claude Code does. */
function tinyAgent(atSecondCheckpoint: string): string {
  return `title: Tiny Hand
version: "1.0"
command: |
  word=1; case "$(cat)" in *word2*) word=2; ${atSecondCheckpoint};; esac
  printf 'print("word1 word%s")\\n' "$word" > words.py
  echo "$TINY_KEY" | tee key.txt >&2
  echo '{"type":"system","subtype":"init","session_id":"s","tools":["Write"],"model":"'{model}'"}'
  echo '{"type":"assistant","message":{"id":"a","role":"assistant","content":[{"type":"text","text":"Wrote word'$word' with '$TINY_KEY'."}]}}'
  echo '{"type":"result","is_error":false,"total_cost_usd":0.02,"usage":{"input_tokens":120,"output_tokens":8}}'
models: [tiny-1, tiny-2]
thinking: { low: { flags: --low }, high: { flags: --high } }
secrets: { required: [TINY_KEY] }
usage: claude-code
`;
}

const REFUSED = `title: Refused Hand
command: |
  echo '{"type":"result","is_error":true,"result":"API Error: 401 invalid x-api-key"}'; exit 1
usage: claude-code
`;

const MISSING = `title: Missing Hand
command: no-such-hand run
`;

let session: EditorSession;
let source: string;

beforeAll(async () => {
  source = await mkdtemp(path.join(tmpdir(), "sl-agents-"));
  await lay(source, {
    ...wordPack("words"),
    ".vscode/settings.json": JSON.stringify({ "slopLens.docker.image": IMAGE }),
    ".slop-lens/agents/tiny-hand.yaml": tinyAgent("sleep 600"),
    ".slop-lens/agents/refused-hand.yaml": REFUSED,
    ".slop-lens/agents/missing-hand.yaml": MISSING,
    ".slop-lens/agents/broken-hand.yaml": "title: Broken Hand\ncomand: true\n",
    ".slop-lens/policies/twice.yaml": "attempts: { independent: 2 }\n",
  });
  session = await EditorSession.start({
    name: "agents",
    workspace: source,
    settings: { "workbench.colorTheme": "Default Dark Modern" },
  });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await rm(source, { recursive: true, force: true });
});
pictureEveryTest(() => session);

async function runFolders(): Promise<string[]> {
  const folder = path.join(session.workspace, "runs");
  return (await readdir(folder)).sort().map((name) => path.join(folder, name));
}

async function verdicts(folder: string | undefined): Promise<(string | undefined)[]> {
  return (await readRun(folder ?? "")).problems.flatMap(({ turns }) => turns.map(({ verdict }) => verdict));
}

async function descriptionOf(label: string): Promise<string> {
  const rows = await session.workbench.treeRows("Runs");
  return rows.find((row) => row.label === label)?.description ?? "";
}

async function begin(agent: string): Promise<void> {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("words");
  await workbench.pick(agent);
}

async function giveKey(): Promise<void> {
  const { workbench } = session;
  await workbench.page.locator(".quick-input-title").getByText("TINY_KEY").waitFor();
  await workbench.screenshot("agents-key");
  await workbench.answer(KEY);
}

test("asks for an agent, its model, how much it thinks, its key and the policy, and cancels in the middle", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("words").waitFor();
  await begin("Claude Code");
  await workbench.pick("claude-opus");
  await workbench.pick("medium");
  await workbench.pick("ANTHROPIC_API_KEY");
  await workbench.page.keyboard.press("Escape");
  await begin("Tiny Hand");
  await workbench.notification('Unknown key "comand"').waitFor();
  await workbench.pick("tiny-2");
  await workbench.pick("low");
  await giveKey();
  await until(async () => (await workbench.choices()).includes("fail-stop"), "the policies");
  await workbench.screenshot("agents-policy");
  await workbench.page.keyboard.press("Enter");
  await workbench.notification("words, checkpoint 2 of 2: agent at work").waitFor({ timeout: 120_000 });
  await workbench.pressNotification("words, checkpoint 2 of 2", "Cancel");
  await workbench.notification("Cancelled after checkpoint 1.").waitFor();
});

test("goes on with the cancelled run: finds its agent, asks for a key that was removed, keeps what is done", async () => {
  const { workbench } = session;
  await until(
    async () => (await descriptionOf("tiny-2 · just-solve")).includes("cancelled"),
    "the cancelled run",
  );
  await workbench.runCommand("Slop Lens: Set Agent Key…");
  await workbench.pick("TINY_KEY");
  await workbench.pick("Remove it");
  await writeFile(path.join(session.workspace, ".slop-lens/agents/tiny-hand.yaml"), tinyAgent("true"));
  await workbench.rowMenu("tiny-2 · just-solve", "Resume Run…");
  await giveKey();
  const plan = workbench.dialog("Resume tiny-2 · just-solve on words?");
  await plan.waitFor();
  expect(await plan.innerText()).toContain(
    "Checkpoint 1: kept (taken by another agent, or its file or model changed)\nCheckpoint 2: to be taken (not reached)",
  );
  await workbench.screenshot("agents-plan");
  await plan.getByText("Resume", { exact: true }).click();
  await until(
    async () => (await descriptionOf("Checkpoint 2")).startsWith("2 passed"),
    "checkpoint 2",
    60_000,
  );
  const [folder = ""] = await runFolders();
  await until(async () => (await readRun(folder)).state === "finished", "the end of the run");
  expect(await verdicts(folder)).toEqual(["passed", "passed"]);
  const aside = await readdir(path.join(folder, ".slop-lens/aside"), { recursive: true });
  expect(aside.filter((name) => name.endsWith("words.checkpoint_2"))).toHaveLength(1);
});

test("plans to take a checkpoint anew, and forks from another", async () => {
  const { workbench } = session;
  await workbench.rowMenu("Checkpoint 1", "Run Checkpoint Again…");
  const plan = workbench.dialog("Run checkpoint 1 of tiny-2 · just-solve on words again?");
  await plan.waitFor();
  expect(await plan.innerText()).toContain(
    "Checkpoint 1: redone (asked for)\nCheckpoint 2: redone (depends on checkpoint 1, which is redone)",
  );
  await workbench.screenshot("agents-plan-again");
  await plan.getByText("Cancel", { exact: true }).click();
  await workbench.rowMenu("Checkpoint 1", "Fork From Here…");
  await workbench.pick("Tiny Hand");
  await workbench.pick("tiny-1");
  await workbench.pick("high");
  await workbench.screenshot("agents-fork");
  await workbench.pick("every checkpoint is taken");
  const fork = workbench.treeRow("tiny-1 · just-solve");
  await until(
    async () => (await descriptionOf("tiny-1 · just-solve")).includes("· from checkpoint 1 ·"),
    "the end of the fork",
    60_000,
  );
  const [parent = "", child] = await runFolders();
  expect(await verdicts(child)).toEqual(["skipped", "passed"]);
  await fork.hover();
  const line = `Forked from checkpoint 1 of ${path.basename(parent)}`;
  await workbench.page.locator(".monaco-hover:visible").getByText(line).waitFor();
});

test("shows what the agent said, and its key in no file of the runs", async () => {
  const { workbench } = session;
  await workbench.treeRow("words").hover();
  await workbench.rowMenu("Checkpoint 2", "Open Transcript");
  const page = await workbench.webview(`.head h1:text-is("words · Checkpoint 2")`);
  await page.getByText("Wrote word2 with ***.").waitFor();
  for (const folder of await runFolders()) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = path.join(entry.parentPath, entry.name);
      expect((await readFile(file, "latin1")).includes(KEY), file).toBe(false);
    }
  }
});

test("tells two attempts apart, and why their key was refused", async () => {
  const { workbench } = session;
  await begin("Refused Hand");
  await workbench.pick("twice");
  await workbench.notification("API Error: 401 invalid x-api-key").waitFor({ timeout: 60_000 });
  for (const number of [1, 2]) {
    const label = `refused_hand · just-solve #${number}`;
    await until(async () => (await descriptionOf(label)).includes(`attempt ${number} of 2`), label);
  }
  expect(await verdicts((await runFolders()).at(-1))).toEqual(["agent-error", "not-reached"]);
  await workbench.runCommand("Notifications: Clear All Notifications");
});

test("says once that an agent is not in the image, and keeps the reason in the tree", async () => {
  const { workbench } = session;
  await begin("Missing Hand");
  await workbench.pick("every checkpoint is taken");
  await workbench.notification("Checkpoint 1: Command not found in the image").waitFor({ timeout: 60_000 });
  await until(
    async () =>
      (await descriptionOf("missing_hand · just-solve")).startsWith("agent error at checkpoint 1 · "),
    "the run's description",
  );
  await workbench.expand("missing_hand · just-solve");
  await workbench.expand("Checkpoint 1");
  await until(
    async () =>
      (await workbench.treeRows("Runs")).some(({ label }) =>
        label.startsWith("Command not found in the image"),
      ),
    "the reason",
  );
  const said = workbench.page.locator(".notification-list-item").filter({ hasText: "Command not found" });
  expect(await said.count()).toBe(1);
});
