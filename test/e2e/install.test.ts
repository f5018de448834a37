/** The packaged extension installs into a fresh VS Code and shows itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "./support/poll.js";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;

beforeAll(async () => {
  session = await EditorSession.start({ name: "install", workspace: "examples" });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

test("shows its container in the activity bar, with its views", async () => {
  const { workbench } = session;
  await workbench.openViewContainer("Slop Lens");
  expect(await workbench.viewTitles()).toEqual(["Problems", "Runs", "Hotspots"]);
  await until(async () => (await workbench.treeRows("Problems")).length > 0, "problems of the folder");
});
