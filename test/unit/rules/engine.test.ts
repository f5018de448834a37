import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { loadRules, type RuleEngine } from "../../../src/core/analysis/rules/engine.js";
import { LANGUAGE_IDS, type LanguageId, type RuleMatch } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "slop-lens-rules-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
const load = (): Promise<RuleEngine> => loadRules({ ...SHIPPED_RULES, folders: [folder] }, productFiles);
const matchesOf = (engine: RuleEngine, file: string, text: string): readonly RuleMatch[] =>
  engine.scan(file, "python", text).matches;
const found = (engine: RuleEngine, text: string): string[] =>
  matchesOf(engine, "a.py", text).map((m) => `${m.rule} ${m.start}:${m.startColumn}-${m.end}:${m.endColumn}`);

const PRINT =
  "id: no-print\nlanguage: python\nmessage: Do not print $WHAT.\nrule:\n  pattern: print($WHAT)\n";
const ANY_CALL = "id: any-call\nlanguage: Python\nrule:\n  pattern: $WHAT($ARGUMENT)\n";

describe("matching", () => {
  it("gives 1-based UTF-16 columns with an exclusive end, also behind characters of other planes", async () => {
    await write("a.yml", PRINT);
    expect(found(await load(), 'é = 1; print(é)\nz = "😀"; print(z)\n')).toEqual([
      "no-print 1:8-1:16",
      "no-print 2:11-2:19",
    ]);
  });

  it("reports every rule that matches a node, and nested matches, in source order", async () => {
    await write("a.yml", `${PRINT}---\n${ANY_CALL}`);
    expect(found(await load(), "print(str(x))\n")).toEqual([
      "any-call 1:1-1:14",
      "no-print 1:1-1:14",
      "any-call 1:7-1:13",
    ]);
  });

  it("does not let metavariables or utilities of one rule constrain another", async () => {
    const same = "rule:\n  matches: it\nutils:\n  it:\n    pattern: f($A, $A)\n";
    const different = "rule:\n  matches: it\nutils:\n  it:\n    pattern: f($A, $B)\n";
    await write("a.yml", `id: same\nlanguage: python\n${same}---\nid: both\nlanguage: python\n${different}`);
    const engine = await load();
    expect(engine.faults).toEqual([]);
    expect(found(engine, "f(1, 1)\n")).toEqual(["both 1:1-1:8", "same 1:1-1:8"]);
    expect(found(engine, "f(1, 2)\n")).toEqual(["both 1:1-1:8"]);
  });

  it("keeps constraints to the rule that has them", async () => {
    const constrained = `id: number\nlanguage: python\nrule:\n  pattern: print($WHAT)\nconstraints:\n  WHAT:\n    kind: integer\n`;
    await write("a.yml", `${constrained}---\n${PRINT}`);
    const engine = await load();
    expect(found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9", "number 1:1-1:9"]);
    expect(found(engine, "print(x)\n")).toEqual(["no-print 1:1-1:9"]);
  });

  it("runs a rule alone when its text cannot be told from metavariables", async () => {
    await write("a.yml", `id: price\nlanguage: python\nrule:\n  pattern: price("$USD")\n---\n${PRINT}`);
    expect(found(await load(), 'price("1"); print(1)\n')).toEqual(["price 1:1-1:11", "no-print 1:13-1:21"]);
  });

  it("matches anonymous nodes as well", async () => {
    await write("a.yml", "id: or\nlanguage: python\nrule:\n  regex: ^or$\n");
    expect(found(await load(), "x = a or b\n")).toEqual(["or 1:7-1:9"]);
  });

  it("fills metavariables into the message and passes the note", async () => {
    await write("a.yml", `${PRINT}note: Log it.\n`);
    const [match] = matchesOf(await load(), "a.py", "print(total)\n");
    expect(match).toMatchObject({ path: "a.py", message: "Do not print total.", note: "Log it." });
  });

  it("keeps a rule to the files it names", async () => {
    await write("a.yml", `${PRINT}files: ["src/**"]\nignores: ["src/cli/**"]\n`);
    const engine = await load();
    const hits = (file: string): number => matchesOf(engine, file, "print(1)\n").length;
    expect([hits("src/a.py"), hits("src/cli/a.py"), hits("test/a.py")]).toEqual([1, 0, 0]);
  });

  it("applies the rules of added folders too, and none that is switched off", async () => {
    await write("a.yml", PRINT);
    await mkdir(path.join(folder, "more"));
    await write("more/b.yml", ANY_CALL);
    const choose = async (off: readonly string[]) =>
      loadRules(
        { folders: [path.join(folder, "a.yml")], added: [path.join(folder, "more")], off },
        productFiles,
      );
    const [all, some] = [await choose([]), await choose(["no-print"])];
    expect(found(all, "print(1)\n")).toEqual(["any-call 1:1-1:9", "no-print 1:1-1:9"]);
    expect(found(some, "print(1)\n")).toEqual(["any-call 1:1-1:9"]);
    expect(some.info.hash).not.toBe(all.info.hash);
  });

  it("lets rules of different languages share an id, and switches all of them off by it", async () => {
    const goPrint = "id: no-print\nlanguage: go\nrule:\n  pattern: print($WHAT)\n";
    const tsPrint = `id: no-print\nlanguage: typescript\nrule:\n  pattern: print($WHAT)\nmetadata:\n  languages: [go]\n`;
    await write("a.yml", `${PRINT}---\n${goPrint}---\n${tsPrint}`);
    const engine = await load();
    expect(engine.info.count).toBe(2);
    expect(engine.faults.map(({ line, message }) => `${line ?? 0} ${message}`)).toEqual([
      "12 rule no-print: the id is used before, in a.yml line 7",
    ]);
    expect(found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    expect(engine.scan("a.go", "go", "package a\nfunc f() { print(1) }\n").matches).toHaveLength(1);
    const off = await loadRules({ folders: [folder], added: [], off: ["no-print"] }, productFiles);
    expect(off.info.count).toBe(0);
  });

  it("leaves out rules that are off, and applies each rule to its own languages only", async () => {
    const call = "rule:\n  pattern: print($A)\n";
    await write(
      "a.yml",
      `${PRINT}severity: off\n---\nid: ts\nlanguage: TypeScript\n${call}metadata:\n  languages: [js, tsx]\n`,
    );
    const engine = await load();
    expect(engine.info.count).toBe(1);
    expect(engine.faults).toEqual([]);
    const hits = (language: LanguageId) => engine.scan("a", language, "print(1)").matches.map((m) => m.rule);
    expect(LANGUAGE_IDS.filter((language) => hits(language).length > 0)).toEqual([
      "javascript",
      "typescript",
      "tsx",
    ]);
  });

  it.each([
    ["Python", "python"],
    ["js", "javascript"],
    ["JSX", "javascript"],
    ["ts", "typescript"],
    ["tsx", "tsx"],
    ["golang", "go"],
    ["rs", "rust"],
    ["Java", "java"],
  ] as const)("knows %s as ast-grep does", async (name, language) => {
    const statement = {
      go: "func f() { g(1) }",
      rust: "fn f() { g(1); }",
      java: "class A { void f() { g(1); } }",
    };
    const text = language in statement ? statement[language as keyof typeof statement] : "g(1)";
    await write("a.yml", `id: call\nlanguage: ${name}\nrule:\n  pattern: g($A)\n`);
    expect((await load()).scan("a", language, text).matches).toHaveLength(1);
  });
});

describe("suppression", () => {
  beforeEach(() => write("a.yml", `${PRINT}---\n${ANY_CALL}`));

  it.each([
    ["print(1)  # ast-grep-ignore\nprint(2)\n", ["any-call 2", "no-print 2"]],
    ["# ast-grep-ignore\nprint(1)\nprint(2)\n", ["any-call 3", "no-print 3"]],
    ["# ast-grep-ignore: no-print, other\nprint(1)\n", ["any-call 2"]],
    ["x = 1\n# ast-grep-ignore: other\nprint(1)\n", ["any-call 3", "no-print 3"]],
    ["# ast-grep-ignore: no-print\n\nprint(1)\nprint(2)\n", ["any-call 3", "any-call 4"]],
    ["x = 1\n# ast-grep-ignore\n\nprint(1)\n", ["any-call 4", "no-print 4"]],
    ["x = 1\nprint(\n  1\n)  # ast-grep-ignore\nprint(2)\n", ["any-call 5", "no-print 5"]],
    ["print(1)  # ast-grep-ignore\n\nprint(2)\n", ["any-call 3", "no-print 3"]],
    ["print(1)  # slop-lens-ignore[no-print] it is a tool\n", ["any-call 1"]],
    ["# slop-lens-ignore[no-print, any-call]\n\n# why\nprint(1)\nprint(2)\n", ["any-call 5", "no-print 5"]],
    ['x = "# slop-lens-ignore[no-print]"; print(1)\n', ["any-call 1", "no-print 1"]],
  ])("%j", async (text, expected) => {
    const { matches, suppressed } = (await load()).scan("a.py", "python", text);
    expect(matches.map((match) => `${match.rule} ${match.start}`)).toEqual(expected);
    const calls = text.match(/print\(/g)?.length ?? 0;
    expect(matches.length + suppressed.length).toBe(2 * calls);
  });
});

describe("faults", () => {
  it("names file, rule and line, and lets the other rules work", async () => {
    const badKind = "id: bad-kind\nlanguage: python\nrule:\n  kind: nonsense\n";
    const noRule = "id: no-rule\nlanguage: python\n";
    const badYaml = "id: [\n";
    await write("a.yml", [PRINT, badKind, noRule, badYaml, PRINT].join("---\n"));
    const engine = await load();
    expect(found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    const file = path.join(folder, "a.yml");
    expect(engine.faults.every((fault) => fault.file === file && fault.severity === "error")).toBe(true);
    const told = engine.faults.map((fault) => `${fault.line ?? 0} ${fault.message}`);
    expect(told).toHaveLength(4);
    expect(told).toContainEqual(expect.stringMatching(/^7 rule bad-kind: .*Kind `nonsense` is invalid\.$/));
    expect(told).toContainEqual(expect.stringMatching(/^12 rule no-rule: rule: /));
    expect(told).toContainEqual(expect.stringMatching(/^1[56] Flow sequence/));
    expect(told).toContainEqual(
      expect.stringMatching(/rule no-print: the id is used before, in a\.yml line 1$/),
    );
  });

  it.each([
    ["id: [broken\n", /a\.yml:\d+:\d+: /u],
    ["just words\n", /a\.yml/u],
    [
      "id: x\nlanguage: python\nrule:\n  kind: nonsense\n",
      /a\.yml:1:1: rule x: .*Kind `nonsense` is invalid/u,
    ],
    ["id: x\nlanguage: python\n---\nid: y\nlanguage: python\n", /\(and 1 more\)$/u],
  ])("refuses a folder that has no rule but broken ones: %j", async (text, message) => {
    await write("a.yml", text);
    await expect(load()).rejects.toMatchObject({
      code: "rules-invalid",
      message: expect.stringMatching(message) as string,
    });
  });

  it("goes without rules, with one notice, where ast-grep has no build for the platform", async () => {
    const engine = await loadRules(SHIPPED_RULES, { ...productFiles, dist: folder });
    expect(engine.info).toMatchObject({ name: "slop-lens", count: 0 });
    expect(matchesOf(engine, "a.py", "x = 1 == True\n")).toEqual([]);
    expect(engine.faults).toHaveLength(1);
    expect(engine.faults[0]).toMatchObject({
      severity: "warning",
      message: expect.stringMatching(/^Rules are off: /) as string,
    });
  });

  it("refuses a folder that is missing or empty", async () => {
    await expect(load()).rejects.toMatchObject({ code: "rules-invalid" });
    await expect(
      loadRules({ ...SHIPPED_RULES, folders: [path.join(folder, "none")] }, productFiles),
    ).rejects.toMatchObject({
      code: "rules-invalid",
      message: expect.stringContaining("does not exist") as string,
    });
  });
});

describe("the rule set's description", () => {
  it("has a hash that follows the text and not the place", async () => {
    await write("a.yml", PRINT);
    const first = (await load()).info;
    expect(first).toMatchObject({ name: folder, count: 1 });
    await rm(path.join(folder, "a.yml"));
    await write("b.yaml", PRINT);
    expect((await load()).info.hash).toBe(first.hash);
    await write("b.yaml", PRINT.replace("Do not", "Never"));
    expect((await load()).info.hash).not.toBe(first.hash);
  });
});
