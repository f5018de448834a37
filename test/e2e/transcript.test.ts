/** A person reads what the agents of a run did: four forms of transcript, one page. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;

const CLAUDE = [
  {
    type: "system",
    subtype: "init",
    session_id: "s1",
    tools: ["Write"],
    model: "small-model",
    claude_code_version: "2.0.51",
  },
  claude("a", { type: "thinking", thinking: "A desk needs a list of cups first." }),
  claude("a", { type: "text", text: "I write the desk." }),
  claude("a", {
    type: "tool_use",
    id: "t1",
    name: "Edit",
    input: { file_path: "/workspace/desk.py", old_string: "cups = []", new_string: "cups = []\nlamps = []" },
  }),
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "edited" }] } },
  claude("b", { type: "tool_use", id: "t2", name: "Bash", input: { command: "cat /tests/test_desk.py" } }),
  {
    type: "user",
    message: {
      content: [{ type: "tool_result", tool_use_id: "t2", content: "No such file", is_error: true }],
    },
  },
  ...Array.from({ length: 400 }, (_, index) =>
    claude(`m${index}`, { type: "text", text: `Thought number ${index}.` }),
  ),
  {
    type: "result",
    is_error: false,
    total_cost_usd: 0.25,
    usage: { input_tokens: 12345, output_tokens: 678, cache_read_input_tokens: 90 },
  },
];

const CODEX = [
  { type: "thread.started", thread_id: "t1" },
  { type: "turn.started" },
  { type: "item.completed", item: { id: "1", type: "reasoning", text: "Look." } },
  {
    type: "item.completed",
    item: {
      id: "2",
      type: "command_execution",
      command: "ls",
      aggregated_output: "desk.py",
      exit_code: 0,
      status: "completed",
    },
  },
  { type: "turn.failed", error: { message: "429 Too Many Requests" } },
];

function claude(id: string, block: unknown) {
  const usage = { input_tokens: 1000, output_tokens: 20 };
  return {
    type: "assistant",
    message: { id, role: "assistant", model: "small-model", content: [block], usage },
  };
}

async function leave(checkpoint: number, lines: readonly unknown[]): Promise<void> {
  const folder = path.join(session.workspace, `desk/checkpoint_${checkpoint}/agent`);
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, "stdout.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

/** The page of a checkpoint's transcript, once its head is there. */
function shown(checkpoint: string): Promise<Frame> {
  return session.workbench.webview(`.head h1:text-is("desk · ${checkpoint}")`);
}

async function openTranscript(checkpoint: string): Promise<Frame> {
  const { workbench } = session;
  await workbench.rowMenu(checkpoint, "Open Transcript");
  return shown(checkpoint);
}

beforeAll(async () => {
  const workspace = path.resolve(import.meta.dirname, "../fixtures/editor-runs/imported");
  session = await EditorSession.start({ name: "transcript", workspace });
  await leave(1, CODEX);
  await leave(2, CLAUDE);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

test("shows messages, thoughts, calls and what they took", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.expand("desk");
  await workbench.expand("small-model · just-solve");
  const frame = await openTranscript("Checkpoint 2");
  const head = await frame.locator(".head").innerText();
  expect(head).toContain("desk · Checkpoint 2");
  expect(head).toContain("claude_code · 2.0.51 · small-model · s1");
  expect(head).toMatch(/402 steps · 12\s345 tokens in · 90 cached · 678 out · \$0\.25/u);
  expect(head).toContain("seems to look at hidden tests: /tests/test_desk.py");
  await until(async () => (await frame.locator("li.message").count()) >= 402, "all messages");
  expect(await frame.locator(".message.agent .said").first().innerText()).toBe("I write the desk.");
});

test("unfolds a thought, an edit as a diff, and the call that a cue is about", async () => {
  const frame = await shown("Checkpoint 2");
  await frame.getByText("Thinking", { exact: true }).click();
  expect(await frame.locator("details.thinking p").innerText()).toBe("A desk needs a list of cups first.");
  await frame.locator("details.edit summary").click();
  expect((await frame.locator(".diff").innerText()).trim().split(/\n+/u)).toEqual([
    " cups = []".trim(),
    "+lamps = []",
  ]);
  await frame.getByRole("button", { name: "hidden tests" }).click();
  await frame.locator("details.call[open] pre").first().waitFor();
  expect(await frame.locator("details.call[open] pre").allInnerTexts()).toEqual([
    "command: cat /tests/test_desk.py",
    "No such file",
  ]);
});

test("goes from a call that wrote a file to the file in the snapshot", async () => {
  const { workbench } = session;
  const frame = await shown("Checkpoint 2");
  await frame.getByRole("button", { name: "Open in snapshot" }).click();
  await workbench.activeTab("desk.py").waitFor();
});

test("comes back after a reload as it was left", async () => {
  const { workbench } = session;
  const before = await shown("Checkpoint 2");
  await workbench.runCommand("Developer: Reload Window");
  await until(() => Promise.resolve(before.isDetached()), "the window to go");
  const frame = await shown("Checkpoint 2");
  await until(async () => (await frame.locator("li.message").count()) >= 402, "all messages");
  expect(await frame.locator("details.thinking p").innerText()).toBe("A desk needs a list of cups first.");
  expect(await frame.locator("details.call[open]").count()).toBe(1);
});

test("tells why an agent gave up, and writes the transcript as ATIF", async () => {
  const { workbench } = session;
  const frame = await openTranscript("Checkpoint 1");
  await until(
    async () =>
      (await frame.locator(".head").innerText()).includes("The agent gave up: 429 Too Many Requests"),
    "the reason",
  );
  // The page that has just loaded may take the focus, which closes a menu.
  await until(async () => {
    await workbench.rowMenu("Checkpoint 1", "Export Transcript as ATIF…");
    return workbench.asks();
  }, "the question for a file");
  const file = path.join(session.workspace, "desk-checkpoint_1.trajectory.json");
  await workbench.answer(file);
  await until(
    async () => (await readFile(file, "utf8").catch(() => "")).includes("ATIF-v1.7"),
    "the exported file",
  );
});
