import path from "node:path";
import { describe, expect, it } from "vitest";
import { programFolder } from "../../../src/editor/marks/clone-root.js";

describe("the program a file belongs to", () => {
  it.each([
    ["/runs/one/shelf/checkpoint_2/snapshot/shelf.py", "/runs/one/shelf/checkpoint_2/snapshot"],
    ["/runs/one/shelf/checkpoint_2/snapshot/lib/deep/a.py", "/runs/one/shelf/checkpoint_2/snapshot"],
    ["/packs/shelf/solutions/checkpoint_10/shelf.py", "/packs/shelf/solutions/checkpoint_10"],
    ["/src/checkpoint_store/a.py", undefined],
    ["/src/a.py", undefined],
  ])("%s", (file, expected) => {
    expect(programFolder(file)).toBe(expected);
  });

  it.each([
    ["c:\\runs\\one\\checkpoint_2\\snapshot\\lib\\a.py", "c:\\runs\\one\\checkpoint_2\\snapshot"],
    ["\\\\wsl$\\Debian\\home\\me\\snapshot\\a.py", "\\\\wsl$\\Debian\\home\\me\\snapshot"],
    ["\\\\server\\share\\a.py", undefined],
    ["d:\\a.py", undefined],
  ])("%s", (file, expected) => {
    expect(programFolder(file, path.win32)).toBe(expected);
  });
});
