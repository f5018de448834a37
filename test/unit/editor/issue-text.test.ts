import { expect, it } from "vitest";
import { issueText } from "../../../src/editor/features/issue-text.js";

it("tells versions and the names of changed settings, and leaves the rest to the user", () => {
  const text = issueText({
    extension: "0.1.0",
    editor: "Visual Studio Code 1.100.0",
    host: "desktop, ssh-remote, en",
    system: "linux x64, Node 20.19.0",
    changedSettings: ["slopLens.docker.host", "slopLens.profile"],
  });
  expect(text).toContain("- Slop Lens 0.1.0\n- Visual Studio Code 1.100.0 (desktop, ssh-remote, en)\n");
  expect(text).toContain("- linux x64, Node 20.19.0\n");
  expect(text).toContain("Changed settings: `slopLens.docker.host`, `slopLens.profile`\n");
  expect(text.match(/^## .*/gm)).toEqual(["## What happened", "## Versions", "## Log"]);
});
