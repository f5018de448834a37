import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../src/core/analysis/languages/languages.js";
import { MEASURED_ENDINGS, passedOver } from "../../../src/editor/marks/counted-files.js";

describe("the files that are counted before a workspace is read", () => {
  it("are those of every language that is measured", () => {
    const measured = LANGUAGES.flatMap(({ extensions }) => extensions);
    expect(MEASURED_ENDINGS.map((ending) => `.${ending}`).sort()).toEqual([...new Set(measured)].sort());
  });

  it("lie in no folder of others' code, and in no run, whatever its folder is called", () => {
    const glob = passedOver(["runs/one", "my [old] {runs}, 100%/a*b?"]);
    expect(glob).toMatch(/^\{\*\*\/\.git\/\*\*,.*\*\*\/node_modules\/\*\*,.*,runs\/one\/\*\*,/);
    expect(glob.endsWith(",my [[]old] [{]runs[}][,] 100%/a[*]b[?]/**}")).toBe(true);
  });
});
