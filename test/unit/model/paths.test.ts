import path from "node:path";
import { describe, expect, it } from "vitest";
import { pathBelow } from "../../../src/core/model/paths.js";

describe("the way down from a folder", () => {
  it.each([
    ["c:\\Runs\\one", "C:\\Runs\\one\\shelf\\a.py", "shelf/a.py"],
    ["C:\\runs\\one", "c:\\Runs\\ONE\\a.py", "a.py"],
    ["c:\\runs", "c:/runs/one/a.py", "one/a.py"],
    ["c:\\my runs 100%", "c:\\my runs 100%\\ünï #1\\a.py", "ünï #1/a.py"],
    ["\\\\wsl$\\Debian\\home\\me", "\\\\wsl$\\Debian\\home\\me\\shelf\\a.py", "shelf/a.py"],
    ["\\\\wsl.localhost\\Debian\\home", "\\\\WSL.localhost\\Debian\\home\\a.py", "a.py"],
    ["\\\\server\\share\\runs", "\\\\server\\share\\runs\\..one\\a.py", "..one/a.py"],
    ["c:\\runs", "c:\\runs", ""],
    ["c:\\runs", "c:\\runs2\\a.py", undefined],
    ["c:\\runs", "d:\\runs\\a.py", undefined],
    ["c:\\runs\\one", "c:\\runs", undefined],
    ["\\\\server\\share\\runs", "c:\\runs\\a.py", undefined],
    ["\\\\server\\share\\runs", "\\\\server\\other\\runs\\a.py", undefined],
  ])("on Windows from %s to %s", (folder, place, expected) => {
    expect(pathBelow(folder, place, path.win32)).toBe(expected);
  });

  it.each([
    ["/mnt/c/runs", "/mnt/c/runs/one/a.py", "one/a.py"],
    ["/mnt/c/runs", "/mnt/C/runs/one/a.py", undefined],
    ["/runs", "/runs/..data/a.py", "..data/a.py"],
    ["/runs", "/runs/...", "..."],
    ["/runs", "/runs/a\\b.py", "a\\b.py"],
    ["/runs/one", "/runs", undefined],
    ["/runs/one", "/runs/two/a.py", undefined],
  ])("elsewhere from %s to %s", (folder, place, expected) => {
    expect(pathBelow(folder, place, path.posix)).toBe(expected);
  });
});
