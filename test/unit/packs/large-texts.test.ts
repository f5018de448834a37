import { truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseDefinition } from "../../../src/core/agent/program/definition-file.js";
import { readRuleFile } from "../../../src/core/analysis/rules/rule-file.js";
import { nearestWord } from "../../../src/core/problem/suggest.js";
import { MOST_FAULTS, YamlSource } from "../../../src/core/problem/yaml-source.js";
import { DocumentReader } from "../../../src/core/store/documents.js";
import { temporaryFolder } from "./support.js";

const many = (line: (index: number) => string): string =>
  Array.from({ length: 20_000 }, (_, index) => line(index)).join("");

/** What every reader of YAML refuses as a whole, each with a word of why. */
const REFUSED: readonly [string, string, RegExp][] = [
  ["too large", `a: "${"x".repeat(1024 * 1024)}"\n`, /too large/u],
  ["nested in brackets", `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`, /nested too deeply/u],
  ["nested by dashes", `${"- ".repeat(10_000)}a\n`, /nested too deeply/u],
  [
    "nested by indentation",
    Array.from({ length: 1200 }, (_, index) => `${" ".repeat(index)}a:\n`).join(""),
    /nested too deeply|^$/u,
  ],
];

describe("a text that is refused as a whole", () => {
  it.each(REFUSED)("%s: by every reader, in words", async (_what, text, why) => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "x.yaml");
    await writeFile(file, text);
    const reader = new DocumentReader();
    await reader.yaml(file);
    expect(reader.faults.map(({ message }) => message).join()).toMatch(why);
    expect(
      readRuleFile(file, text)
        .faults.map(({ message }) => message)
        .join(),
    ).toMatch(why.source.includes("^$") ? /./u : why);
    expect(
      parseDefinition(text, file)
        .faults.map(({ message }) => message)
        .join(),
    ).toMatch(why.source.includes("^$") ? /./u : why);
  });

  it("also a file of any kind that no memory holds", async () => {
    const file = path.join(await temporaryFolder(), "report.json");
    await writeFile(file, "");
    await truncate(file, 1024 ** 3);
    for (const kind of ["json", "record", "yaml", "jsonLines", "text"] as const) {
      const reader = new DocumentReader();
      await reader[kind](file);
      expect(reader.faults, kind).toMatchObject([{ message: /too large: 1024 MiB/u, severity: "error" }]);
    }
  });

  it("of a run folder tells the line where it is broken", async () => {
    const file = path.join(await temporaryFolder(), "x.yaml");
    await writeFile(file, "a: 1\nb: [1\n");
    const reader = new DocumentReader();
    await reader.yaml(file);
    expect(reader.faults).toMatchObject([{ file, severity: "error", line: expect.any(Number) as number }]);
  });
});

describe("a file with thousands of faults", () => {
  it.each([
    ["unknown keys", many((index) => `unknwon_${index}: 1\n`), 20_000],
    ["values of another kind", `env:\n${many((index) => `  k${index}: []\n`)}`, 20_000],
    ["items of another kind", `list:\n${many(() => "  - []\n")}`, 20_000],
    ["equal keys", many(() => "env: {}\n"), 19_999],
  ])("%s: tells the first, and the number of the others", (_what, text, count) => {
    const source = new YamlSource("x.yaml", text);
    const root = source.root();
    root?.textMap("env");
    root?.texts("list");
    root?.rejectUnknown(["env", "list", "known_key"]);
    expect(source.faults).toHaveLength(MOST_FAULTS + 1);
    expect(source.faults.at(-1)?.message).toBe(`and ${(count - MOST_FAULTS).toLocaleString("en-US")} more`);
  });

  it("is faulty when only one that is not told is an error", () => {
    const warnings = Array.from({ length: MOST_FAULTS + 2 }, () => "env: {}\n").join("");
    const source = new YamlSource("x.yaml", `${warnings}other: 1\n`);
    expect(source.hasErrors).toBe(false);
    source.root()?.rejectUnknown(["env"]);
    expect(source.hasErrors).toBe(true);
  });

  it("does not repeat a word of a mebibyte, nor look for what it may mean", () => {
    const word = "known_key".repeat(50_000);
    expect(nearestWord(word, ["known_key"])).toBeUndefined();
    const source = new YamlSource("x.yaml", `? ${word}\n: 1\n`);
    source.root()?.rejectUnknown(["known_key"]);
    expect(source.faults[0]?.message.length).toBeLessThan(1100);
  });
});
