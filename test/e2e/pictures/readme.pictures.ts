/** Makes the pictures of the README anew, from the sample in a real window: `npm run pictures`. */
import path from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { root } from "../support/places.js";
import { until } from "../support/poll.js";
import { EditorSession } from "../support/session.js";

let session: EditorSession;

beforeAll(async () => {
  session = await EditorSession.start({
    name: "pictures",
    workspace: "examples",
    settings: {
      "workbench.colorTheme": "Default Dark Modern",
      "workbench.tree.enableStickyScroll": false,
      "editor.stickyScroll.enabled": false,
    },
    env: { DOCKER_HOST: "unix:///nowhere/docker.sock" },
  });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});

async function keep(name: string): Promise<void> {
  const { page } = session.workbench;
  await page.mouse.move(700, 4);
  await page.screenshot({ path: path.join(root, "media", name), animations: "disabled" });
}

test("play.png: the third checkpoint of the recorded run against the second", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  await workbench.treeRow("replay: rotting").waitFor();
  await workbench.runCommand("Slop Lens: Play Trajectory");
  await workbench.pick("replay: rotting");
  const play = await workbench.webview(".play-bar");
  const at = (order: number): Promise<unknown> =>
    until(
      async () => (await play.locator(".count").innerText()) === `Checkpoint ${order} of 6`,
      `checkpoint ${order}`,
    );
  await at(1);
  await until(async () => (await play.locator("select.follow").inputValue()) === "shelf.py#main", "main");
  for (const order of [2, 3]) {
    await workbench.page.keyboard.press("ArrowRight");
    await at(order);
  }
  const marks = workbench.page.locator('.editor.modified .view-lines [class*="TextEditorDecorationType"]');
  await until(async () => {
    const texts = await marks.evaluateAll((all) =>
      all.map((mark) => getComputedStyle(mark, "::after").content),
    );
    return texts.some((text) => text.includes("CC 69"));
  }, "the mark of main in the diff");
  await until(
    async () =>
      (
        await workbench.page.locator(".part.sidebar .monaco-list-row.selected .label-name").allInnerTexts()
      ).includes("Checkpoint 3"),
    "the row of checkpoint 3",
  );
  await keep("play.png");
  await workbench.runCommand("Slop Lens: Stop Playing");
});

test("screenshot.png: one solution stays clean, the other lets main swallow the program", async () => {
  const { workbench } = session;
  await workbench.treeRow("replay: rotting").click();
  await workbench.expand("shelf");
  await until(
    async () =>
      (await workbench.treeRows("Problems")).some(({ description }) => description.includes("rotting")),
    "the outcomes of the rotting run",
  );
  await workbench.runCommand("Slop Lens: Show Erosion Plot");
  const plot = await workbench.webview("#panel-erosion");
  await until(async () => (await plot.locator(".strip .cell").count()) === 12, "both runs");
  await workbench.expand("Checkpoint 6");
  await workbench.expand("Functionality");
  await until(
    async () => (await workbench.treeRows("Problems")).some(({ label }) => label === "6 passed"),
    "the tests",
  );
  await plot.locator(".plot").focus();
  await until(async () => {
    const shown = (await plot.locator(".plot").getAttribute("aria-label")) ?? "";
    if (shown.includes("rotting, checkpoint 6")) return true;
    // From the other run, whichever stands above, to this one; then to its end.
    const keys = shown.includes("rotting, checkpoint") ? ["End"] : ["ArrowDown", "ArrowUp"];
    for (const key of keys) await workbench.page.keyboard.press(key);
    return false;
  }, "the end of the rotting run");
  await keep("screenshot.png");
});
