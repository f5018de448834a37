/** Marks while a person types: they move with the text, none goes out in between, and new ones come. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchMarks } from "./support/decorations.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

/** Two loops of one shape, two rules that match, and a function of complexity 12. */
const BUSY = `def first(items, wanted):
    found = []
    for item in items:
        if item == wanted:
            print(item)
    return found


def second(rows, sought):
    for row in rows:
        if row == sought:
            print(row)
    return None if sought else rows


def empty(value):
    if len(value) == 0:
        return None
    return value


def choose(n):
${Array.from({ length: 11 }, (_, index) => `    if n == ${index}:\n        return ${index * 7}\n`).join("")}    return n
`;

/** The only rule here, so that rules of the product may come and go. */
const RULE = `id: len-is-zero
language: python
severity: warning
message: Test the value itself.
rule:
  pattern: len($VALUE) == 0
`;

let session: EditorSession | undefined;
let source: string;

beforeAll(async () => {
  source = await mkdtemp(path.join(tmpdir(), "sl-typing-"));
  await mkdir(path.join(source, "own-rules"));
  await writeFile(path.join(source, "own-rules/one.yaml"), RULE);
  await writeFile(path.join(source, "busy.py"), BUSY);
  session = await EditorSession.start({
    name: "typing",
    workspace: source,
    settings: {
      "slopLens.rules.folders": [path.join(source, "own-rules")],
      "slopLens.rules.shipped": false,
      "workbench.colorTheme": "Default Dark Modern",
      "editor.autoIndent": "none",
      "editor.autoClosingBrackets": "never",
      "editor.autoClosingQuotes": "never",
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      "editor.suggestOnTriggerCharacters": false,
      "editor.fontSize": 10,
      "editor.minimap.enabled": false,
    },
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

/** The line with the complexity, its text, and the lines beside and under which something is drawn. */
async function shown(): Promise<{ complex: string[]; clones: number[]; verbose: number[] }> {
  const marks = (await person().marks("busy.py")) ?? [];
  return {
    complex: marks.flatMap(({ number, after }) =>
      after === undefined ? [] : [`${number}: ${after.slice(0, 5)}`],
    ),
    clones: marks.filter(({ gutter }) => gutter).map(({ number }) => number),
    verbose: marks.filter(({ underlined }) => underlined.length > 0).map(({ number }) => number),
  };
}

async function shows(wanted: Awaited<ReturnType<typeof shown>>, what: string): Promise<void> {
  try {
    await until(async () => JSON.stringify(await shown()) === JSON.stringify(wanted), what, 10_000);
  } catch (error) {
    expect(await shown(), what).toEqual(wanted);
    throw error;
  }
}

async function goTo(line: number): Promise<void> {
  const { page } = person();
  await page.locator(".editor-group-container.active .view-line").first().click();
  await page.keyboard.press("Control+Home");
  for (let at = 1; at < line; at++) await page.keyboard.press("ArrowDown");
}

test("marks stand", async () => {
  await person().openFile("busy.py");
  await shows(
    { complex: ["22: CC 12"], clones: [3, 4, 5, 10, 11, 12], verbose: [17] },
    "the marks of the file",
  );
});

test("no mark goes out while a line is typed above them, and all move with it", async () => {
  const { page } = person();
  await goTo(2);
  const counts = await watchMarks(page, "busy.py");
  await page.keyboard.type("    total = compute(items, [1, 2], 'some text') or 7\n", { delay: 40 });
  await shows(
    { complex: ["23: CC 12"], clones: [4, 5, 6, 11, 12, 13], verbose: [18] },
    "the marks one line further down",
  );
  for (const count of await counts()) expect(count).toEqual({ afters: 1, icons: 6, underlines: 1 });
});

test("a new decision is counted, and a rule matches, as soon as they are written", async () => {
  const { page } = person();
  await goTo(23);
  await page.keyboard.press("End");
  const counts = await watchMarks(page, "busy.py");
  await page.keyboard.type("\n    if len(n) == 0:\n        return 1", { delay: 40 });
  await shows(
    { complex: ["23: CC 13"], clones: [4, 5, 6, 11, 12, 13], verbose: [18, 24] },
    "the new complexity and the new match",
  );
  for (const { afters, icons, underlines } of await counts()) {
    expect([afters, icons]).toEqual([1, 6]);
    expect(underlines).toBeGreaterThanOrEqual(1);
  }
});

test("what is undone is unmarked", async () => {
  const { page } = person();
  await goTo(24);
  for (let line = 0; line < 2; line++) await page.keyboard.press("Control+Shift+K");
  await shows(
    { complex: ["23: CC 12"], clones: [4, 5, 6, 11, 12, 13], verbose: [18] },
    "the marks of before",
  );
});

test("marks stay over a syntax error that comes to stay", async () => {
  const { page } = person();
  await goTo(12);
  await page.keyboard.press("End");
  await page.keyboard.type(" or (");
  const status = person().statusItem("slop-lens.slop-lens.slopLens.marks");
  await until(async () => (await status.innerText()).includes("syntax error"), "word of the syntax error");
  await shows(
    { complex: ["23: CC 12"], clones: [4, 5, 6, 11, 12, 13], verbose: [18] },
    "the marks that stay over a syntax error",
  );
});
