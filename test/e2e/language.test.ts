/**
 * VS Code in Simplified Chinese: it takes the texts of the manifest from package.nls.zh-cn.json, and those of the running
 * extension and of its pages from l10n/bundle.l10n.zh-cn.json.
 */
import { mkdtemp, rm, writeFile, cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plotFrame } from "./support/plot.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

/** Complexity 12, and so marked. */
const BRANCHY = `def choose(n):
${Array.from({ length: 11 }, (_, index) => `    if n == ${index}:\n        return ${index * 7}\n`).join("")}    return n
`;

let session: EditorSession;

beforeAll(async () => {
  const source = await mkdtemp(path.join(tmpdir(), "sl-language-"));
  await cp("examples", source, { recursive: true });
  await writeFile(path.join(source, "branchy.py"), BRANCHY);
  session = await EditorSession.start({ name: "language", workspace: source, language: "zh-cn" });
  await rm(source, { recursive: true, force: true });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

test("the manifest's names of views and commands", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  expect(await workbench.viewTitles()).toEqual(["题目", "运行", "热点"]);
  await workbench.runCommand("Slop Lens: 刷新");
});

test("rows of the trees", async () => {
  const { workbench } = session;
  await until(
    async () =>
      (await workbench.treeRows("题目")).some(
        ({ label, description }) => label === "shelf" && description.startsWith("6 个检查点"),
      ),
    "the problem's row in Chinese",
  );
  await until(
    async () => (await workbench.treeRows("运行")).some(({ label }) => label === "检查点 1"),
    "the runs' rows in Chinese",
  );
});

test("marks and their hover", async () => {
  const { workbench } = session;
  await workbench.openFile("branchy.py");
  await until(
    async () => (await workbench.marks("branchy.py"))?.some(({ after }) => after?.includes("体量") === true),
    "the mark in Chinese",
  );
  expect(await workbench.hover("choose")).toContain("1 + 11 个判定");
});

test("the page of the plot", async () => {
  const { workbench } = session;
  await workbench.runCommand("Slop Lens: 显示侵蚀度图");
  const plot = await plotFrame(workbench.page);
  await until(async () => (await plot.locator("body").innerText()).includes("侵蚀度"), "the plot in Chinese");
  await plot.locator("select.metric").selectOption("verdicts");
  await until(
    async () => (await plot.locator("body").innerText()).includes("Core 通过数"),
    "two runs head to head in Chinese",
  );
  expect(await plot.locator("body").innerText()).toMatch(/\d+月\d+日/);
  const said = await plot.locator("[aria-label]").evaluateAll((all) => all.map((one) => one.ariaLabel ?? ""));
  expect(said.filter((label) => /passed|failed|error/.test(label))).toEqual([]);
});
