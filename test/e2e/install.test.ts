/** The packaged extension installs into a fresh VS Code and shows itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { EditorSession, pictureEveryTest } from "./support/session.js";

let session: EditorSession;

beforeAll(async () => {
  session = await EditorSession.start({ name: "install", workspace: "examples" });
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
});
pictureEveryTest(() => session);

test("shows its container in the activity bar", async () => {
  await session.workbench.openViewContainer("Slop Lens");
  const title = session.workbench.page.locator(".part.sidebar .composite.title");
  await title.getByText("Slop Lens", { exact: false }).first().waitFor();
  expect(await session.workbench.viewContainer("Slop Lens").isVisible()).toBe(true);
});
