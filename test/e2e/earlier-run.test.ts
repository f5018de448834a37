/** A person opens the folder of a run that another runner made: reads why a test failed, and sees the run measured. */
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plotFrame, pointInColumn } from "./support/plot.js";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;

beforeAll(async () => {
  const workspace = path.resolve(import.meta.dirname, "../fixtures/editor-runs/imported");
  session = await EditorSession.start({ name: "earlier-run", workspace });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

const descriptionOf = async (label: string): Promise<string> =>
  (await session.workbench.treeRows("Runs")).find((row) => row.label === label)?.description ?? "";

test("tells why a test failed, in its row and in a document of its own", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.expand("desk");
  await workbench.expand("small-model · just-solve");
  await workbench.expand("Checkpoint 2");
  await workbench.expand("Core");
  await until(
    async () => (await descriptionOf("lists after drop")) === "the dropped cup is still listed",
    "the message in the row",
  );
  await workbench.treeRow("lists after drop").click();
  await workbench.activeTab("test_lists_after_drop.txt").waitFor();
  await until(
    async () => (await workbench.visibleText()).includes("AssertionError: the dropped cup is still listed"),
    "the message in the document",
  );
});

test("measures the checkpoint that was unfolded, and all of them for the plot", async () => {
  const { workbench } = session;
  await until(async () => (await descriptionOf("Checkpoint 2")).includes("1.00"), "its erosion");
  expect(await descriptionOf("Snapshot")).toMatch(/^3 files, \d+ SLOC$/);
  expect(await descriptionOf("Checkpoint 1")).toBe("1 passed");
  await workbench.runCommand("Slop Lens: Show Erosion Plot");
  const frame = await plotFrame(workbench.page);
  await until(async () => (await descriptionOf("Checkpoint 1")).includes("0.00"), "all to be measured");
  await until(
    async () => (await pointInColumn(frame, "#panel-erosion", 0, 2)) !== undefined,
    "a point of the checkpoint that was not unfolded",
  );
  expect(await frame.locator("aside").innerText()).toContain("Profile scb-0.1.3");
});

test("compares what changed only, with the earlier checkpoint on the left", async () => {
  const { workbench } = session;
  await workbench.rowAction("Checkpoint 2", "Compare With Previous Checkpoint");
  const page = workbench.page;
  const entries = page.locator(".multiDiffEntry:visible");
  await until(async () => (await entries.count()) > 0, "the comparison");
  const shown = async (side: string): Promise<string> =>
    (await page.locator(`.multiDiffEntry:visible .${side} .view-line`).allInnerTexts())
      .join("\n")
      .replaceAll("\u00a0", " ");
  await until(async () => (await shown("modified")).includes("FRESH = 2"), "the added file");
  await until(async () => (await shown("original")).includes("OLD = 1"), "the deleted file");
  expect((await shown("original")).split("\n")).toEqual(expect.arrayContaining(["def main(argv):"]));
  expect(await shown("original")).not.toContain("dropped");
  expect(await shown("modified")).toContain("dropped");
  const titles = (await entries.allInnerTexts()).map((text) => text.split("\n").slice(0, 2));
  expect(titles).toEqual([
    ["desk.pydesk/checkpoint_2/snapshot", expect.any(String)],
    ["fresh.pydesk/checkpoint_2/snapshot", "A"],
    ["old.pydesk/checkpoint_1/snapshot", "D"],
  ]);
});
