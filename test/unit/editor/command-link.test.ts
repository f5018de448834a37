import { describe, expect, it } from "vitest";
import { commandLink } from "../../../src/editor/marks/command-link.js";

/** What a command gets of a link: VS Code reads the link as a URI, which decodes its query, and decodes that again. */
function given(link: string): unknown {
  const query = /^\[text\]\(command:slopLens\.x\?([^()\s]*)\)$/.exec(link)?.[1] ?? "";
  return JSON.parse(decodeURIComponent(decodeURIComponent(query)));
}

describe("a link that calls a command", () => {
  it.each([
    "file:///work/a.py",
    "file:///c%3A/my%20runs/a.py",
    "file:///work/issue%20%231/100%25/a%3Fb.py",
    "file://wsl%24/Debian/home/me/%C3%BCn%C3%AF%20%28copy%29.py",
    "file://server/share/a%2520b.py",
    "vscode-notebook-cell:/work/a.ipynb#W0sZmlsZQ%3D%3D",
  ])("gives %s as it is", (uri) => {
    const values = [uri, 3, ["a (b)", "50 % of it"]];
    expect(given(commandLink("text", "slopLens.x", values))).toEqual(values);
  });
});
