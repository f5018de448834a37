/** A person acts on marks: compares copies, takes a fix, suppresses a rule, and chooses where marks stand. */
import { mkdtemp, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

const LOOP = (name: string): string =>
  `    for ${name} in rows:\n        if ${name} == sought:\n            print(${name})\n`;

/** A function of complexity 12, a clone that stands in another file too, and two matches of one rule with a fix. */
const BUSY = `def first(rows, sought):
${LOOP("row")}    return list([rows])


def second(rows):
    print(rows)
    return list([rows])


def choose(n):
${Array.from({ length: 11 }, (_, index) => `    if n == ${index}:\n        return ${index * 7}\n`).join("")}    return n
`;
/** Two loops that are the same, and in no other file. */
const EACH = "    while rows:\n        rows.pop()\n        print(rows.copy())\n";
const TWICE = `def one(rows):\n${EACH}    return 1\n\n\ndef two(rows):\n    x = 2\n${EACH}    return x\n`;
const OTHER = `def other(rows, sought):\n    total = 0\n${LOOP("item")}    return total\n`;

const cell = (source: string): unknown => ({
  ...{ cell_type: "code", execution_count: null, metadata: {}, outputs: [] },
  source,
});
const NOTEBOOK = {
  cells: [cell(BUSY.slice(BUSY.indexOf("def choose")))],
  metadata: { language_info: { name: "python" } },
  ...{ nbformat: 4, nbformat_minor: 5 },
};

let session: EditorSession;

beforeAll(async () => {
  const source = await mkdtemp(path.join(tmpdir(), "sl-marks-"));
  await mkdir(path.join(source, ".vscode"));
  await writeFile(path.join(source, "busy.py"), BUSY);
  await writeFile(path.join(source, "other.py"), OTHER);
  await writeFile(path.join(source, "twice.py"), TWICE);
  await writeFile(path.join(source, "plain.py"), "def plain(x):\n    return x + 1\n");
  await writeFile(path.join(source, "notes.txt"), "nothing\n");
  await writeFile(path.join(source, "cells.ipynb"), JSON.stringify(NOTEBOOK));
  session = await EditorSession.start({
    name: "marks",
    workspace: source,
    settings: {
      "slopLens.rules.off": ["consecutive-if-same-variable"],
      "editor.minimap.enabled": false,
      "files.autoSave": "afterDelay",
      "files.autoSaveDelay": 200,
    },
  });
  await rm(source, { recursive: true, force: true });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

/** Settings of the workspace, which VS Code takes up from the disk. */
async function set(settings: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(path.join(session.workspace, ".vscode/settings.json"), JSON.stringify(settings));
}

async function marked(): Promise<Readonly<Record<"after" | "gutter" | "underlined", number[]>>> {
  const marks = (await session.workbench.marks("busy.py")) ?? [];
  const numbers = (isWanted: (mark: (typeof marks)[number]) => boolean): number[] =>
    marks.filter(isWanted).map(({ number }) => number);
  return {
    after: numbers(({ after }) => after !== undefined),
    gutter: numbers(({ gutter }) => gutter),
    underlined: numbers(({ underlined }) => underlined.length > 0),
  };
}

async function shows(what: string, wanted: Awaited<ReturnType<typeof marked>>): Promise<void> {
  await until(async () => JSON.stringify(await marked()) === JSON.stringify(wanted), what, 20_000);
}

async function goTo(line: number): Promise<void> {
  await session.workbench.page.keyboard.press("Control+g");
  await session.workbench.answer(`:${line}`);
}

test("a clone is compared with its copy in another file", async () => {
  const { workbench } = session;
  await workbench.openFile("busy.py");
  await shows("the marks", { after: [13], gutter: [2, 3, 4], underlined: [5, 10] });
  await workbench.runCommand("Slop Lens: Go to Next Clone");
  await workbench.runCommand("Slop Lens: Compare With Other Copy");
  await workbench.page.locator('.tab.active[aria-label*="busy.py 2–4 ↔ other.py 3–5"]').waitFor();
  const right = workbench.page.locator(
    ".editor-group-container.active .modified-in-monaco-diff-editor .view-line",
  );
  await until(
    async () =>
      (await right.allInnerTexts()).join("\n").replaceAll("\u00a0", " ").startsWith("for item in rows:"),
    "the copy, from the margin",
  );
  await workbench.runCommand("View: Close Editor");
});

test("beside a clone each of the file can be compared, and a file without marks says why it has none", async () => {
  const { workbench } = session;
  await workbench.openFile("busy.py");
  await shows("the marks", { after: [13], gutter: [2, 3, 4], underlined: [5, 10] });
  await goTo(13);
  await workbench.runCommand("Slop Lens: Compare With Other Copy");
  await until(
    async () => (await workbench.choices()).join().includes("other.py 3–5"),
    "the copies of the file",
  );
  await workbench.screenshot("marks-compare-beside");
  await workbench.page.keyboard.press("Escape");
  await workbench.openFile("plain.py");
  const status = workbench.statusItem("slop-lens.slop-lens.slopLens.marks");
  await until(async () => (await status.innerText()).includes("0 complex"), "the figures");
  for (const command of ["Go to Next Clone", "Compare With Other Copy"]) {
    await workbench.runCommand(`Slop Lens: ${command}`);
    await workbench.notification("no clone in this file").waitFor();
    await workbench.runCommand("Notifications: Clear All Notifications");
  }
  await workbench.runCommand("Slop Lens: Go to Next Complex Function");
  await workbench.notification("no complex function in this file").waitFor();
  await workbench.runCommand("Notifications: Clear All Notifications");
  await workbench.openFile("notes.txt");
  for (const command of ["Go to Next Clone", "Go to Previous Complex Function"]) {
    await status.click();
    await workbench.pick(command);
    await workbench.notification("not for this language").waitFor();
    await workbench.runCommand("Notifications: Clear All Notifications");
  }
  await workbench.runCommand("Slop Lens: Toggle Marks");
  await until(async () => (await status.innerText()).includes("marks off"), "marks to be off");
  await workbench.runCommand("Slop Lens: Toggle Marks");
  await workbench.notification("Marks are on now. Slop Lens: not for this language").waitFor();
  await workbench.screenshot("marks-toggled-on");
  await workbench.runCommand("Notifications: Clear All Notifications");
  await workbench.openFile("busy.py");
});

test("Go to Next Clone goes round: behind the last one comes the first", async () => {
  const { workbench } = session;
  await workbench.openFile("twice.py");
  await until(
    async () => (await workbench.marks("twice.py"))?.filter(({ gutter }) => gutter).length === 6,
    "the bars of two clones",
  );
  const place = workbench.statusItem("status.editor.selection");
  for (const line of [2, 10, 2, 10]) {
    await workbench.runCommand("Slop Lens: Go to Next Clone");
    await until(async () => (await place.innerText()).startsWith(`Ln ${line},`), `line ${line}`);
  }
  await workbench.runCommand("View: Close Editor");
});

/** Rests the pointer on a place in a line of the active editor and presses a link of the hover. */
async function pressInHover(line: number, text: string, link: string): Promise<void> {
  const { page } = session.workbench;
  await goTo(line);
  const shown = page.locator(".editor-group-container.active .view-line").filter({ hasText: text }).first();
  await until(async () => {
    await page.mouse.move(0, 0);
    await shown.locator("span", { hasText: text }).last().hover();
    const found = page.locator(".monaco-hover:visible a").getByText(link, { exact: true }).first();
    return found.click({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  }, `the link ${link}`);
}

test("the links of a verbosity hover open the fix and the ways to suppress", async () => {
  const { workbench } = session;
  const { page } = workbench;
  await workbench.activeTab("busy.py").waitFor();
  await pressInHover(5, "list([", "Quick Fix…");
  await page.locator(".action-widget .monaco-list-row").getByText("Replace by [rows]").waitFor();
  await workbench.screenshot("marks-quick-fix");
  await page.keyboard.press("Escape");
  await pressInHover(10, "list([", "Suppress…");
  await until(async () => (await workbench.choices()).includes("Here"), "the ways to suppress");
  await workbench.screenshot("marks-suppress");
  await page.keyboard.press("Escape");
});

/** In older releases that list takes no click until the pointer has moved over it. */
async function clickMoving(action: Locator): Promise<void> {
  await action.waitFor({ timeout: 4_000 });
  const box = await action.boundingBox();
  if (box !== null) await session.workbench.page.mouse.move(box.x + 5, box.y + 5, { steps: 2 });
  await action.click({ timeout: 4_000 });
}

/** Takes an action of the lightbulb's list, which VS Code closes by itself when the document's marks come meanwhile. */
async function takeAction(text: string): Promise<void> {
  const { page } = session.workbench;
  const action = page.locator(".action-widget .monaco-list-row").getByText(text);
  await until(async () => {
    await page.keyboard.press("Control+.");
    const taken = await clickMoving(action).then(
      () => true,
      () => false,
    );
    if (!taken) await page.keyboard.press("Escape");
    return taken;
  }, `the action ${text}`);
}

test("a fix is taken, and another match is suppressed by a comment that is told", async () => {
  const { workbench } = session;
  await workbench.activeTab("busy.py").waitFor();
  await goTo(5);
  await workbench.page.keyboard.press("End");
  await workbench.page.keyboard.press("ArrowLeft");
  await takeAction("Replace by [rows]");
  await shows("the mark to go", { after: [13], gutter: [2, 3, 4], underlined: [10] });
  await goTo(10);
  await workbench.page.keyboard.press("End");
  await workbench.page.keyboard.press("ArrowLeft");
  await takeAction("Suppress list-wrap-list…");
  await workbench.pick("Here");
  await shows("the mark to go", { after: [14], gutter: [2, 3, 4], underlined: [] });
  const file = path.join(session.workspace, "busy.py");
  await until(
    async () => (await readFile(file, "utf8")).includes("# ast-grep-ignore: list-wrap-list\n"),
    "the comment",
  );
  expect(await readFile(file, "utf8")).toContain("    return [rows]\n");
});

test("figures stand in lenses and problems where they are wanted, and nothing is left when marks are off", async () => {
  const { workbench } = session;
  const lens = workbench.page.locator(".codelens-decoration").filter({ hasText: "CC 12 · mass" });
  await set({ "slopLens.marks.show": { codeLens: true, problems: true } });
  await lens.first().waitFor({ timeout: 20_000 });
  const hover = workbench.page
    .locator(".monaco-hover:visible")
    .filter({ hasText: "cyclomatic complexity 12" });
  await session.inAllThemes("marks-lens-clicked", async () => {
    await lens.first().locator("a").click();
    await hover.first().waitFor();
  });
  await workbench.page.keyboard.press("Escape");
  await shows("no text at the end of the line", { after: [], gutter: [2, 3, 4], underlined: [] });
  await workbench.runCommand("Problems: Focus on Problems View");
  const rows = workbench.page.locator(".markers-panel .monaco-list-row");
  await rows.filter({ hasText: "choose has a cyclomatic complexity of 12" }).waitFor();
  await rows.filter({ hasText: "Lines 2 to 4 have one other copy" }).waitFor();
  await set({ "slopLens.marks.enabled": false, "slopLens.marks.show": { codeLens: true, problems: true } });
  await lens.first().waitFor({ state: "detached", timeout: 20_000 });
  await until(async () => (await rows.filter({ hasText: "copy" }).count()) === 0, "the problems to go");
  await workbench.runCommand("View: Toggle Panel Visibility");
  await set({});
});

test("marks go off and on again for one language, from the status item's list", async () => {
  const { workbench } = session;
  const status = workbench.statusItem("slop-lens.slop-lens.slopLens.marks");
  const told = async (words: string): Promise<void> => {
    await until(async () => (await status.innerText()).includes(words), words, 20_000);
  };
  await shows("the marks", { after: [14], gutter: [2, 3, 4], underlined: [] });
  await status.click();
  await workbench.pick("Turn Marks Off for python");
  await shows("no marks", { after: [], gutter: [], underlined: [] });
  await workbench.screenshot("marks-language-off");
  await status.click();
  await workbench.pick("Turn Marks On for python");
  await shows("the marks", { after: [14], gutter: [2, 3, 4], underlined: [] });
  await told("1 complex");
});

test("the cells of a notebook are marked", async () => {
  const { workbench } = session;
  await workbench.page.keyboard.press("Control+p");
  await workbench.page.locator(".quick-input-widget .quick-input-box input").fill("cells.ipynb");
  await workbench.pick("cells.ipynb");
  const after = workbench.page.locator('.notebookOverlay .view-lines [class*="TextEditorDecorationType"]');
  await until(
    async () =>
      (
        await after.evaluateAll((elements) =>
          elements.map((element) => getComputedStyle(element, "::after").content),
        )
      ).some((content) => content.includes("CC 12")),
    "the figures of the function in the cell",
    30_000,
  );
});
