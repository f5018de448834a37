import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openSandbox } from "../../../src/cli/sandboxes.js";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import { anEnvironment } from "../trajectory/samples.js";
import { cli, installation, jsonLines, lay, wordPack } from "./support.js";

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-cli-"));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

function oneLine(err: string): string {
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  return err.trimEnd();
}

describe("opening a local sandbox", () => {
  it("ends what a run that was killed left behind, and nothing else", async () => {
    await lay(cwd, {
      "slop-lens-session-dead/owner": `999999999/1@${os.hostname()}`,
      "slop-lens-session-living/owner": `${process.pid}/@${os.hostname()}`,
      "other/owner": `999999999/1@${os.hostname()}`,
    });
    vi.stubEnv("TMPDIR", cwd);
    try {
      await openSandbox(installation, anEnvironment(), new AbortController().signal);
    } finally {
      vi.unstubAllEnvs();
    }
    expect((await readdir(cwd)).sort()).toEqual(["other", "slop-lens-session-living"]);
  });
});

describe("bad input", () => {
  it.each([
    [["run"], "slop-lens: missing required argument 'problem'. slop-lens run --help tells more"],
    [
      ["run", "x", "--agent", "magic"],
      /There is no agent magic. Name one of reference, replay, command, model, claude-code, codex, gemini, opencode/u,
    ],
    [["run", "x", "--checkpoints", "3-1"], /A range goes upwards from 1/u],
    [["run", "x", "--agent", "command"], /--agent command needs --command/u],
    [["run", "x", "--command", "true"], /--command goes with --agent command/u],
    [["run", "x", "--agent", "command", "--command", "true", "--replay", "y"], /--replay goes with/u],
    [
      ["run", "nowhere"],
      /There is no problem pack nowhere\. A name is looked for in .+ and its folder problems\./u,
    ],
    [["analyze", "nowhere"], /nowhere does not exist/u],
    [["problems", "nowhere"], /nowhere does not exist/u],
    [["problems"], /There is no problem pack in/u],
    [
      ["eval", ".", "--problem", "x"],
      /is not a run folder\. .* For a folder with a solution, name the checkpoint with --checkpoint\.$/u,
    ],
    [["frobnicate"], "slop-lens: unknown command 'frobnicate'. slop-lens --help tells more"],
    [["eval", "."], /eval needs to know whose hidden tests are run\. Give --problem/u],
  ])("%j gets one line and exit code 2", async (args, expected) => {
    const { code, out, err } = await cli(cwd, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    if (typeof expected === "string") expect(oneLine(err)).toBe(expected);
    else expect(oneLine(err)).toMatch(expected);
  });

  it("names the place of a fault in a pack, and how many more there are", async () => {
    await lay(cwd, {
      "bad/config.yaml": "name: bad\nentry_file: x\ncheckpoints:\n  checkpoint_1: {versio: 1}\n",
    });
    const { code, err } = await cli(cwd, ["run", "bad"]);
    expect(code).toBe(2);
    expect(oneLine(err)).toMatch(
      /^slop-lens: bad\/config\.yaml:\d+:\d+: .* \(and \d+ more; the command problems lists/u,
    );
  });

  it("names what a replay lacks, and leaves no run folder", async () => {
    await lay(cwd, { ...wordPack("words"), "recorded/checkpoint_1/words.py": "" });
    const args = ["run", "words", "--replay", "recorded", "--environment", "local"];
    const { code, err } = await cli(cwd, args);
    expect(code).toBe(2);
    expect(err).toContain("Nothing to replay for checkpoint_2 in ");
    expect(await readdir(cwd)).toEqual(["recorded", "words"]);
  });

  it("refuses an image where there is no Docker, and an environment that is none", async () => {
    await lay(cwd, { ...wordPack("words"), "odd.yaml": "type: docker\nname: x\ncolour: red\n" });
    const local = await cli(cwd, ["run", "words", "--environment", "local", "--image", "x"]);
    expect(oneLine(local.err)).toMatch(/--image goes with a Docker environment/u);
    const odd = await cli(cwd, ["run", "words", "--environment", "odd.yaml"]);
    expect(oneLine(odd.err)).toMatch(/odd\.yaml:\d+:\d+: .*colour/u);
    expect([local.code, odd.code]).toEqual([2, 2]);
  });

  it("shows a stack only with --debug", async () => {
    const plain = await cli(cwd, ["analyze", "nowhere"]);
    const debugged = await cli(cwd, ["analyze", "nowhere", "--debug"]);
    expect(plain.err).not.toContain("    at ");
    expect(debugged.err).toContain("    at ");
  });
});

describe("help and version", () => {
  it("go to standard output with exit code 0", async () => {
    const { code, out, err } = await cli(cwd, ["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const command of ["run", "eval", "analyze", "problems"])
      expect(out).toContain(`${command} [options]`);
    expect(await cli(cwd, ["--version"])).toMatchObject({ code: 0, out: "0.1.0\n" });
    expect((await cli(cwd, ["run", "--help"])).out).toContain("--policy <policy>");
  });

  it("of run tells how a command agent works, after the options", async () => {
    const { out } = await cli(cwd, ["run", "--help"]);
    const after = out.slice(out.indexOf("A command agent"));
    expect(out.indexOf("--policy")).toBeLessThan(out.indexOf("A command agent"));
    for (const word of [
      "inside the image",
      "non-root",
      "network on",
      "only the workspace",
      "stdin",
      "--pass-env",
    ])
      expect(after.replaceAll(/\s+/gu, " ")).toContain(word);
  });
});

describe("problems", () => {
  it("lists packs with what is wrong in them", async () => {
    await lay(cwd, { ...wordPack("words"), "broken/config.yaml": "entry_file: x\ncheckpoints: [a\n" });
    const { code, out } = await cli(cwd, ["problems"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^words +2 +Easy/mu);
    expect(out).toMatch(/^error: broken\/config\.yaml:\d+:\d+: /mu);
    const told = await cli(cwd, ["problems", "--json"]);
    expect(told.code).toBe(1);
    const [broken, words] = jsonLines(told.out);
    expect(broken).toMatchObject({ name: "broken", valid: false, checkpoints: [] });
    expect(words).toMatchObject({
      name: "words",
      valid: true,
      checkpoints: ["checkpoint_1", "checkpoint_2"],
      faults: [],
    });
  });
});

describe("the exit code of problems", () => {
  it("is 0 where there are only warnings, and a pack can be named by its config.yaml", async () => {
    await lay(cwd, wordPack("other"));
    const { code, out } = await cli(cwd, ["problems", "other/config.yaml"]);
    expect(out).toMatch(/^warning: other\/config\.yaml:1:1: The pack is called "words"/mu);
    expect(code).toBe(0);
  });

  it("is told in the help", async () => {
    expect((await cli(cwd, ["problems", "--help"])).out).toMatch(/Exit code 1 when a pack has an\s+error/u);
    expect((await cli(cwd, ["--help"])).out).toContain("1 when problems finds an error in a pack");
  });
});

describe("analyze", () => {
  const swollen = `def pick(n):\n${Array.from({ length: 11 }, (_, i) => `    if n == ${i}:\n        return ${i * i}\n`).join("")}    return n\n`;

  it("prints scb-check's keys and every function with --json", async () => {
    await lay(cwd, { "src/pick.py": swollen });
    const { code, out } = await cli(cwd, ["analyze", "src", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      files_scanned: 1,
      total_functions: 1,
      high_cc_functions: 1,
      erosion: 1,
      total_loc: 24,
      profile: "scb-0.1.3",
      functions: [{ path: "pick.py", name: "pick", start: 1, end: 24, cc: 12, sloc: 24 }],
      skipped: [],
    });
  });

  it.each([[[]], [["--json"]]])("ends with 2 when no file can be measured (%j)", async (options) => {
    await lay(cwd, { "src/a.py": "def a(:\n", "src/b.py": "def b(:\n" });
    const { code, out, err } = await cli(cwd, ["analyze", "src", ...options]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(oneLine(err)).toBe(
      "slop-lens: No file could be measured: 2 were skipped, the first is a.py (syntax error)",
    );
  });

  it("measures the rest when a file is skipped, and counts trivial wrappers", async () => {
    const wrapper = "def outer(a, b):\n    return inner(a, b)\n";
    await lay(cwd, {
      "src/a.py": "def a(:\n",
      "src/wrap.py": `def inner(a, b):\n    return a * b + 1\n\n\n${wrapper}`,
    });
    const { code, out } = await cli(cwd, ["analyze", "src"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^wrappers +4 +lines in 2 trivial wrappers$/mu);
    expect(out).toContain("skipped a.py: syntax error");
  });

  it("says which rule of a folder cannot be used, and uses the others", async () => {
    const good = "id: none-check\nlanguage: python\nmessage: Use is.\nrule: { pattern: $A == None }\n";
    const bad = "id: nonsense\nlanguage: python\nmessage: Never.\nrule: { pattern: $A, kinnd: call }\n";
    await lay(cwd, { "src/a.py": "x = y == None\n", "rules/all.yaml": `${good}---\n${bad}` });
    const { code, out, err } = await cli(cwd, ["analyze", "src", "--rules", "rules", "--json"]);
    expect(code).toBe(0);
    expect(oneLine(err)).toMatch(/^slop-lens: rules.all\.yaml:\d+:\d+: .*nonsense/u);
    expect(JSON.parse(out)).toMatchObject({
      rules: { count: 1, faults: [{ message: expect.stringContaining("nonsense") as string }] },
      matches: [{ path: "a.py", start: 1, rule: "none-check" }],
    });
  });

  it("prints a table for people, heaviest first", async () => {
    await lay(cwd, { "src/pick.py": swollen });
    const { out } = await cli(cwd, ["analyze", "src"]);
    expect(out).toMatch(/^erosion +1\.00 +1 of 1 callables above CC 10$/mu);
    expect(out).toMatch(/^cognitive erosion +1\.00 +1 of 1 callables above cognitive 10$/mu);
    expect(out).toMatch(/^files +1 +measured by profile scb-0\.1\.3$/mu);
    expect(out).toMatch(/^pick +12 +11 +24 +59 +100.% +pick\.py:1$/mu);
  });

  it("follows the chosen profile, in its release's words", async () => {
    await lay(cwd, { "src/a.pyw": "def same(x):\n    return x\n" });
    const { out } = await cli(cwd, ["analyze", "src", "--profile", "scb-0.2.0", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      profile: "scb-0.2.0",
      structural_rule_loc: 2,
      syntax_by_language: { python: { tree_count: 1, node_count: 13 } },
    });
    const article = await cli(cwd, ["analyze", "src", "--profile", "article"]);
    expect(article.code).toBe(2);
    expect(article.err).toContain("No source files");
  });

  it("says where verbosity comes from: rules with their first place, clones with theirs", async () => {
    const copy = (name: string): string =>
      `def ${name}(rows):\n    for row in rows:\n        if len(row) == 0:\n            print(row)\n            return row\n    return None\n\n\n`;
    await lay(cwd, { "src/twice.py": copy("one") + copy("two") });
    const { out } = await cli(cwd, ["analyze", "src"]);
    expect(out).toMatch(/^rule +matches +first place +what it says/mu);
    expect(out).toMatch(/^[\w-]+ +2 +twice\.py:3 +\S/mu);
    expect(out).toMatch(/^ *\d+ +2 +twice\.py:\d+–\d+, twice\.py:\d+–\d+$/mu);
  });

  it("has a row for each of several languages, and says whose the profile's numbers are", async () => {
    await lay(cwd, {
      "src/pick.py": swollen,
      "src/main.go": "package main\n\nfunc main() {\n\tprintln(1)\n}\n",
    });
    const { out } = await cli(cwd, ["analyze", "src"]);
    expect(out).toMatch(/^files +1 +measured/mu);
    expect(out).toMatch(/^python +1 +24 +1\.00 +1\.00 /mu);
    expect(out).toMatch(/^go +1 +3 +0\.00 +0\.00 /mu);
    expect(out).toMatch(/^all +2 +27 /mu);
    expect(out).toMatch(/^python only, as profile scb-0\.1\.3 counts; /u);
  });
});

describe("explain", () => {
  const shelf =
    "class Shelf:\n    def add(self, a, b):\n        if a and b or a:\n            for x in b:\n" +
    "                break\n        else:\n            return [y for y in a]\n\n    def size(self):\n        return 1\n";

  it("adds up, line by line", async () => {
    await lay(cwd, { "shelf.py": shelf });
    const { code, out } = await cli(cwd, ["explain", "shelf.py", "Shelf.add"]);
    expect(code).toBe(0);
    expect(out.split("\n").map((line) => line.trim().replace(/ +/gu, " "))).toEqual([
      "shelf.py: python, profile scb-0.1.3",
      "erosion 0.00, cognitive erosion 0.00, mass 16.1 in 2 callables, 9 source lines",
      "",
      "Shelf.add, lines 2–7",
      "CC 6, cognitive 8, SLOC 6",
      "mass 6 · √6 = 14.7; 91.2 % of the file's mass, adds 0.000 to its erosion and 0.000 to its cognitive erosion",
      "line CC cognitive nesting what code",
      "2 +1 the callable itself",
      "3 +3 +3 if; and, or ×2 if a and b or a:",
      "4 +1 +2 1 for for x in b:",
      "5 +1 break break",
      "6 +2 1 else else:",
      "7 +1 comprehension return [y for y in a]",
      "= 6 = 8",
      "",
    ]);
  });

  it("prints every part with --json, and takes a line for a name", async () => {
    await lay(cwd, { "shelf.py": shelf });
    const { out } = await cli(cwd, ["explain", "shelf.py", "10", "--json", "--profile", "scb-0.2.0"]);
    expect(JSON.parse(out)).toMatchObject({
      profile: "scb-0.2.0",
      callables: [{ qualified_name: "Shelf.size", cc: 1, lines: [], counted: true }],
    });
  });

  it("says what there is when a callable is not", async () => {
    await lay(cwd, { "shelf.py": shelf });
    const { code, err } = await cli(cwd, ["explain", "shelf.py", "remove"]);
    expect(code).toBe(2);
    expect(oneLine(err)).toBe("slop-lens: shelf.py has no callable remove. It has Shelf.add, Shelf.size.");
  });
});

describe.skipIf(process.platform === "win32")("on this machine", () => {
  // The first use on a machine installs pytest into a virtual environment.
  beforeAll(async () => {
    const sandbox = await openSandbox(installation, anEnvironment(), new AbortController().signal);
    expect(sandbox).toBeInstanceOf(LocalSandbox);
    const request = { environment: anEnvironment(), testDependencies: [], requirementsFrom: undefined };
    await sandbox.prepare(request, () => undefined, new AbortController().signal);
  }, 300_000);

  it("runs a replay, says loudly that it is not isolated, and prints a table", async () => {
    await lay(cwd, wordPack("words"));
    const args = ["run", "words/config.yaml", "--environment", "local", "--runs", "out"];
    const { code, out, err } = await cli(cwd, args);
    expect(code).toBe(0);
    expect(err).toContain("NOT ISOLATED");
    expect(err).toMatch(/^checkpoint_1: passed, 1 of 1 tests, \d+ s$/mu);
    expect(err).toMatch(/^checkpoint_2: failed, 1 of 2 tests, \d+ s$/mu);
    expect(out).toMatch(/^words · replay: reference · local, not isolated · profile scb-0\.1\.3$/mu);
    expect(out).toMatch(/^checkpoint_1 +passed +1 of 1 +– +0\.00 +/mu);
    expect(out).toMatch(/^checkpoint_2 +failed +0 of 1 +1 of 1 +/mu);
    expect(out).toMatch(/^checkpoint_2, failed tests:\n {2}Core test_word_2: .*word2/mu);
    const [folder] = await readdir(path.join(cwd, "out"));
    expect(folder).toMatch(/^\d{8}T\d{6}_replay_words$/u);
    expect(out).toContain(`run folder: ${path.join(cwd, "out", folder ?? "")}`);
  });

  it("prints one JSON object a turn, also for those that were not reached", async () => {
    await lay(cwd, wordPack("words"));
    const args = ["run", "words", "--environment", "local", "--agent", "command", "--json"];
    const command = 'echo "print(\'word2\')" > words.py; echo "$KEY" > key.txt';
    const { code, out, err } = await cli(
      cwd,
      [...args, "--command", command, "--pass-env", "KEY", "--policy", "all-cases"],
      {
        env: { KEY: "k", OTHER: "o" },
      },
    );
    expect(code).toBe(0);
    expect(err).not.toMatch(/^checkpoint_/mu);
    const [first, second] = jsonLines(out);
    expect(first).toMatchObject({
      problem: "words",
      checkpoint: "checkpoint_1",
      verdict: "failed",
      counts: { Core: { passed: 0, failed: 1, skipped: 0, total: 1 } },
      failures: [{ id: "test_word_1", checkpoint: "checkpoint_1", group: "Core", status: "failed" }],
      erosion: 0,
      profile: "scb-0.1.3",
    });
    expect(second).toMatchObject({
      checkpoint: "checkpoint_2",
      verdict: "not-reached",
      reason: "checkpoint_1 does not meet the policy all-cases",
      erosion: null,
      failures: [],
    });
    const [failure] = first?.["failures"] as readonly Record<string, unknown>[];
    expect(failure?.["message"]).toMatch(/def test_word_1[^]*\nE /u);
    expect(await readFile(path.join(String(first?.["folder"]), "snapshot/key.txt"), "utf8")).toBe("k\n");
  });

  it("masks a key that a solution prints into a test's words", async () => {
    await lay(cwd, wordPack("words"));
    const args = ["run", "words", "--environment", "local", "--checkpoints", "1", "--agent", "command"];
    const command = "echo \"print('$KEY')\" > words.py";
    const asked = [...args, "--command", command, "--pass-env", "KEY"];
    for (const form of [[], ["--json"]]) {
      const { out } = await cli(cwd, [...asked, ...form], { env: { KEY: "sesame-opens" } });
      expect(out).toContain("***");
      expect(out).not.toContain("sesame-opens");
    }
  });

  it("evaluates a folder, and a run again without writing into it", async () => {
    await lay(cwd, { ...wordPack("words"), "mine/words.py": "print('word1 word2')\n" });
    const local = ["--environment", "local", "--problem", "words"];
    const mine = await cli(cwd, ["eval", "mine", ...local, "--checkpoint", "2"]);
    expect(mine).toMatchObject({ code: 0 });
    expect(mine.out).toMatch(
      /^checkpoint +verdict +Core +Regression\ncheckpoint_2 +passed +1 of 1 +1 of 1$/mu,
    );
    const other = await cli(cwd, ["eval", "words/solutions/checkpoint_1", ...local, "--checkpoint", "2"]);
    expect(other.out).toMatch(/^checkpoint_2, failed tests:\n {2}Core test_word_2: /mu);
    await cli(cwd, ["run", "words", "--environment", "local", "--runs", "out"]);
    const [name = ""] = await readdir(path.join(cwd, "out"));
    const before = await readdir(path.join(cwd, "out", name), { recursive: true });
    const again = await cli(cwd, ["eval", `out/${name}`, ...local]);
    expect(again.out).toContain("checkpoint_1: all 1 tests as stored");
    expect(again.out).toContain("checkpoint_2: all 2 tests as stored");
    expect(await readdir(path.join(cwd, "out", name), { recursive: true })).toEqual(before);
  });

  it("exits with 2 when the tests themselves are broken, with pytest's words", async () => {
    await lay(cwd, {
      ...wordPack("words"),
      "words/tests/test_checkpoint_1.py": "import nothing_of_that_name\n",
    });
    const { code, out } = await cli(cwd, ["run", "words", "--environment", "local", "--checkpoints", "1"]);
    expect(code).toBe(2);
    expect(out).toMatch(/^checkpoint_1 +infrastructure/mu);
    expect(out).toMatch(/^not asked for: checkpoint_2$/mu);
    expect(out).not.toMatch(/^checkpoint_2/mu);
    expect(out).toContain("No module named 'nothing_of_that_name'");
  });

  it("exits with 130 after an interrupt", async () => {
    await lay(cwd, wordPack("words"));
    const controller = new AbortController();
    const args = ["run", "words", "--environment", "local", "--agent", "command", "--verbose"];
    const { code, err } = await cli(cwd, [...args, "--command", "echo at work; sleep 60"], {
      signal: controller.signal,
      err: (text) => {
        if (text.includes("at work")) controller.abort();
      },
    });
    expect(code).toBe(130);
    expect(err).toBe("");
    const [name = ""] = await readdir(path.join(cwd, "runs"));
    expect(await readFile(path.join(cwd, "runs", name, "slop-lens.json"), "utf8")).toContain('"cancelled"');
  });
});
