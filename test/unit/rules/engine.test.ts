import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { loadRules, type RuleEngine } from "../../../src/core/analysis/rules/engine.js";
import { ruleLanguage } from "../../../src/core/analysis/rules/rule-language.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import type { RuleMatch, RuleSetInfo } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";
import { parse, scan } from "./support.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "slop-lens-rules-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
const load = (): Promise<RuleEngine> => loadRules({ ...SHIPPED_RULES, folders: [folder] }, productFiles);
const infoOf = (engine: RuleEngine): Promise<RuleSetInfo> => engine.describe(["python"]);
const matchesOf = async (engine: RuleEngine, file: string, text: string): Promise<readonly RuleMatch[]> =>
  (await scan(engine, file, "python", text)).matches;
const found = async (engine: RuleEngine, text: string): Promise<string[]> =>
  (await matchesOf(engine, "a.py", text)).map(
    (m) => `${m.rule} ${m.start}:${m.startColumn}-${m.end}:${m.endColumn}`,
  );

const PRINT =
  "id: no-print\nlanguage: python\nmessage: Do not print $WHAT.\nrule:\n  pattern: print($WHAT)\n";
const ANY_CALL = "id: any-call\nlanguage: Python\nrule:\n  pattern: $WHAT($ARGUMENT)\n";

describe("matching", () => {
  it("gives 1-based UTF-16 columns with an exclusive end, also behind characters of other planes", async () => {
    await write("a.yml", PRINT);
    expect(await found(await load(), 'é = 1; print(é)\nz = "😀"; print(z)\n')).toEqual([
      "no-print 1:8-1:16",
      "no-print 2:11-2:19",
    ]);
  });

  it("reports every rule that matches a node, and nested matches, in source order", async () => {
    await write("a.yml", `${PRINT}---\n${ANY_CALL}`);
    expect(await found(await load(), "print(str(x))\n")).toEqual([
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
    expect((await infoOf(engine)).faults).toBeUndefined();
    expect(await found(engine, "f(1, 1)\n")).toEqual(["both 1:1-1:8", "same 1:1-1:8"]);
    expect(await found(engine, "f(1, 2)\n")).toEqual(["both 1:1-1:8"]);
  });

  it("keeps constraints to the rule that has them", async () => {
    const constrained = `id: number\nlanguage: python\nrule:\n  pattern: print($WHAT)\nconstraints:\n  WHAT:\n    kind: integer\n`;
    await write("a.yml", `${constrained}---\n${PRINT}`);
    const engine = await load();
    expect(await found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9", "number 1:1-1:9"]);
    expect(await found(engine, "print(x)\n")).toEqual(["no-print 1:1-1:9"]);
  });

  it("runs a rule alone when its text cannot be told from metavariables", async () => {
    await write("a.yml", `id: price\nlanguage: python\nrule:\n  pattern: price("$USD")\n---\n${PRINT}`);
    expect(await found(await load(), 'price("1"); print(1)\n')).toEqual([
      "price 1:1-1:11",
      "no-print 1:13-1:21",
    ]);
  });

  it("matches anonymous nodes as well", async () => {
    await write("a.yml", "id: or\nlanguage: python\nrule:\n  regex: ^or$\n");
    expect(await found(await load(), "x = a or b\n")).toEqual(["or 1:7-1:9"]);
  });

  it("fills metavariables into the message and passes the note", async () => {
    await write("a.yml", `${PRINT}note: Log it.\n`);
    const [match] = await matchesOf(await load(), "a.py", "print(total)\n");
    expect(match).toMatchObject({ path: "a.py", message: "Do not print total.", note: "Log it." });
  });

  it("keeps a rule to the files it names", async () => {
    await write("a.yml", `${PRINT}files: ["src/**"]\nignores: ["src/cli/**"]\n`);
    const engine = await load();
    const hits = async (file: string): Promise<number> =>
      (await matchesOf(engine, file, "print(1)\n")).length;
    expect([await hits("src/a.py"), await hits("src/cli/a.py"), await hits("test/a.py")]).toEqual([1, 0, 0]);
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
    expect(await found(all, "print(1)\n")).toEqual(["any-call 1:1-1:9", "no-print 1:1-1:9"]);
    expect(await found(some, "print(1)\n")).toEqual(["any-call 1:1-1:9"]);
    expect((await infoOf(some)).hash).not.toBe((await infoOf(all)).hash);
  });

  it("lets rules of different languages share an id, and switches all of them off by it", async () => {
    const goPrint = "id: no-print\nlanguage: go\nrule:\n  pattern: print($WHAT)\n";
    const tsPrint = `id: no-print\nlanguage: typescript\nrule:\n  pattern: print($WHAT)\nmetadata:\n  languages: [go]\n`;
    await write("a.yml", `${PRINT}---\n${goPrint}---\n${tsPrint}`);
    const { count, faults } = await (await load()).describe(["python", "typescript", "go"]);
    expect(count).toBe(3);
    expect(faults?.map(({ line, message }) => `${line ?? 0} ${message}`)).toEqual([
      "12 rule no-print: go: the id is used before, in a.yml line 7",
    ]);
    expect(await found(await load(), "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    const off = await loadRules({ folders: [folder], added: [], off: ["no-print"] }, productFiles);
    expect((await off.describe([])).count).toBe(0);
  });

  it("leaves out rules that are off, and applies each rule to its own languages only", async () => {
    const call = "rule:\n  pattern: print($A)\n";
    const two = `id: two\nlanguage: TypeScript\n${call}metadata:\n  languages: [js, Python]\n`;
    await write("a.yml", `${PRINT}severity: off\n---\nid: ts\nlanguage: TypeScript\n${call}---\n${two}`);
    const engine = await load();
    expect(await infoOf(engine)).toMatchObject({ count: 1 });
    expect((await engine.describe(["typescript"])).count).toBe(2);
    expect((await engine.describe(["go"])).count).toBe(0);
    expect(await found(engine, "print(1)\n")).toEqual(["two 1:1-1:9"]);
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
    ["html", undefined],
  ] as const)("knows %s as ast-grep does", (name, language) => {
    expect(ruleLanguage(name)).toBe(language);
  });

  it("applies a rule that only ast-grep itself understands, also with its transformed variables", async () => {
    const template = "rule:\n  pattern:\n    context: print($WHAT)\n    strictness: template\n";
    const transform = `transform:\n  SHORT:\n    substring:\n      source: $WHAT\n      endChar: 2\n`;
    await write("a.yml", `id: t\nlanguage: python\nmessage: Print $SHORT.\n${template}${transform}`);
    const engine = await load();
    expect((await infoOf(engine)).faults).toBeUndefined();
    expect((await matchesOf(engine, "a.py", "print(total)\n")).map(({ message }) => message)).toEqual([
      "Print to.",
    ]);
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
    ["x = 1\nprint(\n  1\n)  # ast-grep-ignore\nprint(2)\n", ["any-call 2", "no-print 2"]],
    ["x = 1\n# ast-grep-ignore: no-print a reason\nprint(1)\n", ["any-call 3", "no-print 3"]],
    ["x = 1\n# ast-grep-ignore\nprint(1)  # ast-grep-ignore: any-call\n", ["no-print 3"]],
    ["print(1)  # ast-grep-ignore\n\nprint(2)\n", ["any-call 3", "no-print 3"]],
    ["print(1)  # slop-lens-ignore[no-print] it is a tool\n", ["any-call 1"]],
    ["# slop-lens-ignore[no-print, any-call]\n\n# why\nprint(1)\nprint(2)\n", ["any-call 5", "no-print 5"]],
    ['x = "# slop-lens-ignore[no-print]"; print(1)\n', ["any-call 1", "no-print 1"]],
  ])("%j", async (text, expected) => {
    const { matches, suppressed } = await scan(await load(), "a.py", "python", text);
    expect(matches.map((match) => `${match.rule} ${match.start}`)).toEqual(expected);
    const calls = text.match(/print\(/g)?.length ?? 0;
    expect(matches.length + suppressed.length).toBe(2 * calls);
  });
});

describe("suppression in other languages", () => {
  const call = (name: string) => `id: call\nlanguage: ${name}\nrule:\n  pattern: f($A)\n`;

  it.each([
    ["javascript", "f(1); // slop-lens-ignore[call]\nf(2)\n"],
    ["typescript", "/* slop-lens-ignore[call] */ f(1);\nf(2)\n"],
    ["typescript", "f(2)\n/**\n * slop-lens-ignore[call]\n */\n\n// why\nf(1)\n"],
    ["javascript", "f(2)\n// ast-grep-ignore: call\nf(1)\n"],
    ["javascript", "f(2)\n/* ast-grep-ignore: call */\nf(1)\n"],
    ["tsx", "const a = <p>\n  {/* slop-lens-ignore[call] */}\n  {f(1)}\n  {f(2)}\n</p>\n"],
    ["go", "package a\nfunc g() {\n\t// slop-lens-ignore[call]\n\tf(1)\n\tf(2)\n}\n"],
    ["rust", "fn g() {\n    f(2); // a word\n    f(1); // slop-lens-ignore[call]\n}\n"],
    [
      "java",
      "class A {\n  void g() {\n    // slop-lens-ignore[other, call] why\n    f(1);\n    f(2);\n  }\n}\n",
    ],
  ] as const)("%s: %j", async (language, text) => {
    await write("a.yml", call(language));
    const { matches, suppressed } = await scan(await load(), "a", language, text);
    const calls = (found: readonly RuleMatch[]) =>
      found.map(({ start, startColumn, endColumn }) =>
        text.split("\n")[start - 1]?.slice(startColumn - 1, endColumn - 1),
      );
    expect([calls(suppressed), calls(matches)]).toEqual([["f(1)"], ["f(2)"]]);
  });
});

describe("a fix", () => {
  const fixed = async (fix: string, rule: string, text: string): Promise<string | undefined> => {
    await write("a.yml", `id: x\nlanguage: python\nrule:\n${rule}${fix}`);
    const tree = await parse("python", text);
    const rules = await (await load()).rulesFor("python");
    const [match] = rules?.scan("a.py", tree).matches ?? [];
    const found = match && rules?.fixOf(match, tree);
    return found && text.slice(0, found.start) + found.text + text.slice(found.end);
  };
  const print = "  pattern: print($$$ARGUMENTS)\n";

  it("fills in variables, also lists of nodes", async () => {
    expect(await fixed("fix: log($$$ARGUMENTS)\n", print, "x = [print(1, b=2)]\n")).toBe(
      "x = [log(1, b=2)]\n",
    );
    expect(await fixed("fix: log($$$ARGUMENTS)\n", print, "print()\n")).toBe("log()\n");
  });

  it("moves lines of what it takes over to where they go", async () => {
    const rule = "  pattern: |\n    if $A:\n        $BODY\n";
    const fix = "fix: |-\n  while $A:\n      with it:\n          $BODY\n";
    const text = "def f():\n    if a:\n        for b in a:\n            g(b)\n";
    expect(await fixed(fix, rule, text)).toBe(
      "def f():\n    while a:\n        with it:\n            for b in a:\n                g(b)\n",
    );
  });

  it("is missing where the rule has none, or one that is more than a template", async () => {
    expect(await fixed("", print, "print(1)\n")).toBeUndefined();
    expect(
      await fixed("fix:\n  template: ''\n  expandEnd: { regex: ',' }\n", print, "print(1)\n"),
    ).toBeUndefined();
    expect(await fixed("fix: log($OTHER)\n", print, "print(1)\n")).toBeUndefined();
  });
});

describe("faults", () => {
  it("names file, rule and line, and lets the other rules work", async () => {
    const badKind = "id: bad-kind\nlanguage: python\nrule:\n  kind: nonsense\n";
    const noRule = "id: no-rule\nlanguage: python\n";
    const badYaml = "id: [\n";
    await write("a.yml", [PRINT, badKind, noRule, badYaml, PRINT].join("---\n"));
    const engine = await load();
    expect(await found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    const file = path.join(folder, "a.yml");
    const { faults = [] } = await infoOf(engine);
    expect(faults.every((fault) => fault.file === file && fault.severity === "error")).toBe(true);
    const told = faults.map((fault) => `${fault.line ?? 0} ${fault.message}`);
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
    ["", /a\.yml: the file holds no rule$/u],
    ["# no rule yet\n", /a\.yml: the file holds no rule$/u],
    ["id: x\nlanguage: python\n---\nid: y\nlanguage: python\n", /\(and 1 more\)$/u],
  ])("refuses a folder that has no rule but broken ones: %j", async (text, message) => {
    await write("a.yml", text);
    await expect(load().then(infoOf)).rejects.toMatchObject({
      code: "rules-invalid",
      message: expect.stringMatching(message) as string,
    });
  });

  it("tells a folder that was added and cannot be used, and an id that no rule has", async () => {
    await write("a.yml", PRINT);
    const missing = path.join(folder, "missing");
    const choice = { folders: [folder], added: [missing], off: ["no-prin", "any-thing-else"] };
    const engine = await loadRules(choice, productFiles);
    expect(await found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    const { name, faults } = await infoOf(engine);
    expect(name).toBe(`${folder}, ${missing}`);
    expect(faults?.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      expect.stringMatching(/^error .*missing does not exist$/u) as string,
      'warning no rule has the id no-prin, which is to be switched off; did you mean "no-print"?',
      "warning no rule has the id any-thing-else, which is to be switched off",
    ]);
  });

  it("tells an added folder of empty files, and applies the other rules", async () => {
    await write("a.yml", PRINT);
    await mkdir(path.join(folder, "more"));
    await write("more/b.yml", "\n");
    const choice = { folders: [path.join(folder, "a.yml")], added: [path.join(folder, "more")], off: [] };
    const { count, faults } = await infoOf(await loadRules(choice, productFiles));
    expect(count).toBe(1);
    expect(faults).toMatchObject([
      { file: path.join(folder, "more/b.yml"), message: "the file holds no rule" },
    ]);
  });

  it("does without ast-grep's library, but for rules that only it understands", async () => {
    await write(
      "a.yml",
      `${PRINT}---\nid: t\nlanguage: python\nrule:\n  pattern:\n    context: f($A)\n    strictness: template\n`,
    );
    const nowhere = { ...productFiles, dist: path.join(folder, "dist") };
    const engine = await loadRules(
      { ...SHIPPED_RULES, folders: [folder] },
      nowhere,
      new Parsers(productFiles.dist),
    );
    expect(await found(engine, "print(1)\n")).toEqual(["no-print 1:1-1:9"]);
    const { faults } = await infoOf(engine);
    expect(faults?.map(({ line, message }) => `${line ?? 0} ${message}`)).toEqual([
      expect.stringMatching(
        /^7 rule t: pattern: .* \(this build does not have ast-grep's own library for /,
      ) as string,
    ]);
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
    const first = await infoOf(await load());
    expect(first).toMatchObject({ name: folder, count: 1 });
    await rm(path.join(folder, "a.yml"));
    await write("b.yaml", PRINT);
    expect((await infoOf(await load())).hash).toBe(first.hash);
    await write("b.yaml", PRINT.replace("Do not", "Never"));
    expect((await infoOf(await load())).hash).not.toBe(first.hash);
  });
});
