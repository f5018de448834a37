import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { toRegExp } from "../../../src/core/analysis/rules/match/regex.js";
import { literalPattern } from "../../../src/core/model/literal-pattern.js";
import { importsOfSolution } from "../../../src/core/problem/imported-solution.js";
import { findPacks } from "../../../src/core/problem/pack.js";
import { YamlSource } from "../../../src/core/problem/yaml-source.js";
import { layFiles, LEDGER_CONFIG, ledgerPack, temporaryFolder } from "./support.js";

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

describe("a text inside a regular expression", () => {
  it.each([...ASCII, "ö", "日", "😀", "a-b c", "(x|y)*"])("%j matches itself alone", (text) => {
    const pattern = new RegExp(`^${literalPattern(text)}$`, "u");
    expect(pattern.test(text)).toBe(true);
    expect(pattern.test(`${text}${text}`)).toBe(false);
  });

  it("may hold a hyphen that a rule escapes, outside of a class and in one", () => {
    const { ascii, anyScript } = toRegExp("^a\\-b[\\-c]$");
    for (const pattern of [ascii, anyScript]) {
      expect(["a-b-", "a-bc", "axb-"].map((text) => pattern.test(text))).toEqual([true, true, false]);
    }
  });
});

describe("an entry file of any name", () => {
  it.each(ASCII.filter((character) => !/[\w/\0\n\r"'.]/u.test(character)))(
    "with %j in it is looked for in the tests",
    async (character) => {
      const tests = await temporaryFolder();
      const stem = `my${character}tool`;
      await layFiles(tests, {
        "test_a.py": `it = import_module("${stem}")\n`,
        "test_b.py": 'it = import_module("my_tool")\n',
      });
      const found = await importsOfSolution(tests, stem);
      expect(found.map(({ file }) => path.basename(file))).toEqual(["test_a.py"]);
    },
  );

  it.each([
    ["schön", "import schön\n", 1],
    ["schön", "import größe as g, schön\n", 1],
    ["schö", "import schö as s\n", 1],
    ["schö", "from schön import x\n", 0],
    ["sch", "import schön\n", 0],
  ])("%s in %j: %i", async (stem, text, count) => {
    const tests = await temporaryFolder();
    await layFiles(tests, { "test_a.py": text });
    expect(await importsOfSolution(tests, stem)).toHaveLength(count);
  });
});

/** Faults as `severity line:column message`. */
function faultsOf(text: string): string[] {
  const { faults } = new YamlSource("x.yaml", text);
  return faults.map(
    ({ severity, line, column, message }) => `${severity} ${line ?? "-"}:${column ?? "-"} ${message}`,
  );
}

describe("YAML that nobody writes by hand", () => {
  it("may have so many keys that comparing each with each would never end", () => {
    const keys = Array.from({ length: 70_000 }, (_, index) => `k${index}: 1\n`).join("");
    expect(faultsOf(`${keys}k7: 2\n`)).toEqual(["warning 70001:1 Map keys must be unique"]);
  });

  it.each([
    ["a: 1\nb: 2\na: 3\na: 4\n", ["3:1", "4:1"]],
    ["x: {a: 1, a: 2}\n", ["1:11"]],
    ["- a: {b: [{c: 1, c: 2}]}\n  a: 1\n", ["1:18", "2:3"]],
    ["? {k: 1, k: 2}\n: 1\n", ["1:10"]],
    ["1: a\n'1': b\n", []],
    ["a: &x {b: 1}\nc: {<<: *x, b: 2}\nd: {<<: *x, b: 2}\n", []],
  ])("warns of equal keys in %j at %j", (text, places) => {
    expect(faultsOf(text)).toEqual(places.map((place) => `warning ${place} Map keys must be unique`));
  });

  it("is refused beyond a size, and taken up to it", () => {
    const fill = (length: number): string => `# ${"x".repeat(length - 3)}\n`;
    expect(faultsOf(fill(1024 * 1024))).toEqual([]);
    expect(faultsOf(fill(2 * 1024 * 1024))).toEqual([
      "error 1:1 The file is too large to be read as YAML: 2.0 Mi characters, and at most 1 Mi are; move data to files of its own",
    ]);
  });

  it.each([
    ["brackets", "[".repeat(100_000)],
    ["closed brackets", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["braces", "{a: ".repeat(100_000)],
    ["dashes", "- ".repeat(100_000)],
    ["questions", "? ".repeat(100_000)],
  ])("is refused in words when %s are nested without end", (_, text) => {
    expect(faultsOf(`a: 1\nb:\n  ${text}`)).toEqual([
      "error 1:1 The file is nested too deeply to be read as YAML; flatten it",
    ]);
  });

  it("is refused in words when its lines are indented without end", () => {
    const lines = Array.from({ length: 1400 }, (_, depth) => `${" ".repeat(depth)}a:\n`);
    expect(faultsOf(lines.join(""))).toEqual([
      "error 1:1 The file is nested too deeply to be read as YAML; flatten it",
    ]);
  });

  it.each([
    ["a long list of lists", `x:\n${"  - [1, {a: 2}]\n  - - 1\n".repeat(300)}`],
    [
      "brackets in texts",
      `x: "${"[".repeat(300)}"\ny: 'a ${"{".repeat(300)}'\nz: |\n  ${"- ".repeat(300)}\n`,
    ],
    ["100 levels", `x: ${"[".repeat(100)}${"]".repeat(100)}\n`],
    ["dashes as texts", `x: [${'"-", '.repeat(300)}]\ny: -a\n# ${"- ".repeat(300)}\n`],
  ])("is not taken for deep because of %s", (_, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  const utf16 = Buffer.from(LEDGER_CONFIG, "utf16le");
  const mark = Buffer.from([0xff, 0xfe]);
  it.each([
    ["little end first", Buffer.concat([mark, utf16])],
    ["big end first", Buffer.concat([mark, utf16]).swap16()],
    ["unmarked", utf16],
    ["unmarked, big end first", Buffer.from(utf16).swap16()],
  ])("is told to be UTF-16, %s, in a pack that still is found", async (_, bytes) => {
    const folder = await ledgerPack({ "config.yaml": null });
    await writeFile(path.join(folder, "config.yaml"), bytes);
    const [found] = await findPacks(path.dirname(folder));
    expect(found?.faults.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      "error The file is not UTF-8 but seems to be UTF-16; save it as UTF-8",
    ]);
    expect(found?.problem).toBeUndefined();
  });
});
