/** A person's way: run a recorded solution in Docker, watch the outcomes come, open a file and read its marks. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import Docker from "dockerode";
import { parseDocument } from "yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plotFrame, pointInColumn } from "./support/plot.js";
import { until } from "./support/poll.js";
import { IMAGE } from "../support/image.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;

const EROSION = "#panel-erosion";

/**
 * `main` has 1 + 11 decisions, and its branches for `add` and `list` have the same shape. Rules name the wrapper in
 * line 5, the length that is compared in line 11, and the loops that could be comprehensions in lines 15 and 21.
 */
const ROTTEN = `"""A small keeper that does everything in one place."""
import sys


def load():
    return []


def main(argv):
    items = load()
    if len(argv) == 0:
        return 2
    if argv[0] == "add":
        found = []
        for item in items:
            if item == argv[1] and item != "":
                found.append(item)
        print(found)
    elif argv[0] == "list":
        found = []
        for item in items:
            if item == argv[1] and item != "":
                found.append(item)
        print(found)
    elif argv[0] == "drop":
        return 0
    elif argv[0] == "move":
        return 0
    return 1


sys.exit(main(sys.argv[1:]))
`;

/** Holds the shape of the loops of `ROTTEN` a third time. */
const COPY = `def find(rows, wanted, seen):
    for row in rows:
        if row == wanted[1] and row != "":
            seen.append(row)
    return len(seen)
`;

beforeAll(async () => {
  session = await EditorSession.start({
    name: "trajectory",
    workspace: "examples",
    without: ["shelf-runs"],
    settings: {
      "workbench.colorTheme": "Default Dark Modern",
      "files.defaultLanguage": "python",
      "editor.autoIndent": "none",
    },
  });
  // The image belongs to the machine of the extension host; here the workspace names it.
  await mkdir(path.join(session.workspace, ".vscode"), { recursive: true });
  const settings = JSON.stringify({ "slopLens.docker.image": IMAGE });
  await writeFile(path.join(session.workspace, ".vscode/settings.json"), settings);
  await keepCheckpoints(2);
  const notes = path.join(session.workspace, "notes/checkpoint_1");
  await mkdir(notes, { recursive: true });
  await writeFile(path.join(notes, "rotten.py"), ROTTEN);
  await writeFile(path.join(notes, "copy.py"), COPY);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

/** Shortens the sample, so that a run takes seconds. */
async function keepCheckpoints(count: number): Promise<void> {
  const file = path.join(session.workspace, "shelf/config.yaml");
  const config = parseDocument(await readFile(file, "utf8"));
  for (let order = count + 1; config.deleteIn(["checkpoints", `checkpoint_${order}`]); order += 1);
  await writeFile(file, config.toString());
}

const rows = () => session.workbench.treeRows("Problems");
const descriptionOf = async (label: string): Promise<string> =>
  (await rows()).find((row) => row.label === label)?.description ?? "";

test("lists the problem with its checkpoints, and opens a spec as a preview", async () => {
  await session.workbench.openViewContainer("Slop Lens");
  await session.workbench.expand("shelf");
  await session.workbench.expand("Checkpoint 1");
  await session.workbench.treeRow("Spec").click();
  const tab = session.workbench.page.locator('.tabs-container .tab.active[aria-label*="checkpoint_1.md"]');
  await tab.waitFor();
  expect(await tab.getAttribute("aria-label")).toContain("Preview");
  const preview = await session.workbench.webview("h1");
  expect(await preview.locator("h1").innerText()).toContain("Shelf, checkpoint 1");
});

test("runs a trajectory from the palette and fills the tree with its outcomes", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("shelf");
  const agents = ["Replay reference solution", "Replay a recording or run…", "Command from setting"];
  await until(
    async () => {
      const found = (await workbench.choices()).map((choice) => choice.trim());
      return found[0] === agents[0] && agents.every((agent) => found.includes(agent));
    },
    `the choices ${agents.join(", ")}`,
  );
  await workbench.pick("Replay a recording or run…");
  await workbench.pick("rotting");
  await workbench.pick("every checkpoint is taken");
  await workbench.notification("shelf, checkpoint 1 of").waitFor();
  await until(
    async () => (await workbench.viewContainer("Slop Lens").locator(".badge-content").innerText()) === "1",
    "the run to be counted",
  );
  await workbench.screenshot("trajectory-live");
  await until(
    async () => /^\d+ (passed|failed)\s+0\.\d\d ▲ 0\.\d\d$/.test(await descriptionOf("Checkpoint 2")),
    "the erosion and the outcomes of checkpoint 2",
    150_000,
  );
});

test("shows the tests of a checkpoint by group, each with its time", async () => {
  const { workbench } = session;
  await workbench.expand("Checkpoint 1");
  await workbench.expand("Core");
  expect(await descriptionOf("shelf")).toMatch(/^2 checkpoints.* · replay: rotting$/);
  expect((await rows()).filter(({ label }) => label === "Core" || label === "Functionality")).toHaveLength(2);
  const core = (await rows()).find(({ label }) => label === "Core");
  expect(core?.description).toMatch(/^(\d+) of \1$/);
});

test("leaves a run folder that the Runs view lists, and no run in progress", async () => {
  const { workbench } = session;
  const runs = await readdir(path.join(session.workspace, "runs"));
  expect(runs).toHaveLength(1);
  const folder = path.join(session.workspace, "runs", runs[0] ?? "", "shelf/checkpoint_1");
  expect(JSON.parse(await readFile(path.join(folder, "evaluation.json"), "utf8"))).toBeTypeOf("object");
  const labels = (await workbench.treeRows("Runs")).map(({ label }) => label);
  expect(labels).toContain("shelf");
  await workbench.viewContainer("Slop Lens").locator(".badge-content").waitFor({ state: "hidden" });
});

test("marks the complex function, its clones and its verbose lines, and nothing else", async () => {
  const { workbench } = session;
  await workbench.openFile("rotten.py");
  const marks = await until(async () => {
    const found = await workbench.marks("rotten.py");
    return found?.some(({ after }) => after !== undefined) === true ? found : undefined;
  }, "marks in rotten.py");
  const complex = marks.filter(({ after }) => after !== undefined);
  expect(complex.map(({ number, after }) => [number, after])).toEqual([
    [9, expect.stringMatching(/^CC 12 · mass \d+ · \d+\s% of the file's mass$/)],
  ]);
  expect(marks.filter(({ gutter }) => gutter).map(({ number }) => number)).toEqual([15, 16, 17, 21, 22, 23]);
  const verbose = marks.filter(({ underlined }) => underlined.length > 0);
  expect(verbose.map(({ number }) => number)).toEqual([5, 11, 15, 21]);
  const status = workbench.statusItem("slop-lens.slop-lens.slopLens.marks");
  expect(await status.innerText()).toMatch(/1 complex · erosion 0\.\d\d · verbosity \d\.\d\d/);
});

test("takes the number apart in a hover", async () => {
  const text = await session.workbench.hover("main");
  expect(text).toContain("cyclomatic complexity 12");
  expect(text).toMatch(/\+\d+\s+if, elif|if/);
  await until(
    async () => (await session.workbench.hover("main")).includes("copy.py 2–4"),
    "the copy of the clone in another file",
  );
});

test("lets the marks follow editing, and keeps them over a syntax error", async () => {
  const { workbench } = session;
  const { keyboard } = workbench.page;
  const complexLine = async () =>
    (await workbench.marks("rotten.py"))?.find(({ after }) => after !== undefined)?.number;
  await keyboard.press("Escape");
  await workbench.page.locator(".editor-group-container.active .view-line").first().click();
  await keyboard.press("Control+Home");
  await keyboard.press("Enter");
  await until(async () => (await complexLine()) === 10, "the mark on line 10");
  await keyboard.type("def broken(");
  const status = workbench.statusItem("slop-lens.slop-lens.slopLens.marks");
  await until(async () => (await status.innerText()).includes("syntax error"), "word of the syntax error");
  expect(await complexLine()).toBe(10);
});

test("marks a file that was never saved", async () => {
  const { workbench } = session;
  await workbench.runCommand("File: New Untitled Text File");
  await workbench.activeTab("Untitled-1").waitFor();
  await workbench.page.keyboard.insertText(ROTTEN);
  await until(async () => {
    const found = await workbench.marks("Untitled-1");
    return found?.some(({ number, after }) => number === 9 && after?.startsWith("CC 12") === true);
  }, "marks in an untitled file");
});

test("draws the run in the plot, higher at the checkpoint that eroded, and opens it by a click", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Show Erosion Plot");
  const frame = await plotFrame(workbench.page);
  const points = await until(async () => {
    const found = [await pointInColumn(frame, EROSION, 0, 2), await pointInColumn(frame, EROSION, 1, 2)];
    return found.every((point) => point !== undefined) ? found : undefined;
  }, "a point at each checkpoint");
  expect(points[1]?.y).toBeLessThan((points[0]?.y ?? 0) - 40);
  expect(await frame.locator("aside").innerText()).toContain("Checkpoint 2");
  expect(await frame.locator(".legend").innerText()).toContain("replay: rotting");
  expect(await frame.locator(".strip .cell").allInnerTexts()).toEqual(["✓", "✓"]);
  await workbench.screenshot("trajectory-plot");
  await frame.locator(EROSION).click({ position: points[0] ?? { x: 0, y: 0 } });
  await workbench.activeTab("shelf.py").waitFor();
  const crumbs = workbench.page.locator(".breadcrumbs-control .monaco-breadcrumb-item");
  expect(await crumbs.allInnerTexts()).toContain("checkpoint_1");
});

test("cancels a run within seconds, and leaves a folder that says so", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: Run Trajectory…");
  await workbench.pick("shelf");
  await workbench.pick("Replay reference solution");
  await workbench.pick("every checkpoint is taken");
  await workbench.notification("running hidden tests").waitFor({ timeout: 60_000 });
  await until(async () => (await containersOfRuns()).length === 1, "the container of the tests");
  await workbench.pressNotification("running hidden tests", "Cancel");
  await workbench.notification("Cancelled before checkpoint 1 was done.").waitFor({ timeout: 10_000 });
  await until(async () => {
    const runs = await workbench.treeRows("Runs");
    return runs.some(
      ({ label, description }) => label === "replay: reference" && description.includes("cancelled"),
    );
  }, "the cancelled run in the Runs view");
  await until(
    async () => /^2 checkpoints.* · replay: rotting$/.test(await descriptionOf("shelf")),
    "the problem to show the run that has outcomes",
  );
  expect(await containersOfRuns()).toEqual([]);
});

/** Containers of the runs of this workspace, of all states. */
async function containersOfRuns(): Promise<string[]> {
  const folder = path.join(session.workspace, "runs");
  const found = await new Docker().listContainers({ all: true, filters: { label: ["slop-lens.run"] } });
  return found.flatMap(({ Id, Labels }) =>
    Labels["slop-lens.run"]?.startsWith(folder) === true ? [Id] : [],
  );
}
