import { execFileSync } from "node:child_process";
import { rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findPacks, readPack } from "../../../src/core/problem/pack.js";
import { layFiles, LEDGER_CONFIG, LEDGER_FILES, ledgerPack, temporaryFolder } from "./support.js";

/** Faults as `severity line:column message`, with the file's name where it is not config.yaml. */
async function faultsOf(changes: Readonly<Record<string, string | null>>): Promise<string[]> {
  const { faults } = await readPack(await ledgerPack(changes));
  return faults.map(({ severity, file, line, column, message }) => {
    const name = path.basename(file);
    const place = `${line ?? "-"}:${column ?? "-"}`;
    return `${severity} ${name === "config.yaml" ? "" : `${name} `}${place} ${message}`;
  });
}

function edited(from: string, to: string): Readonly<Record<string, string>> {
  expect(LEDGER_CONFIG).toContain(from);
  return { "config.yaml": LEDGER_CONFIG.replace(from, to) };
}

describe("readPack", () => {
  it("reads a sound pack, with defaults inherited and checkpoints in order", async () => {
    const folder = await ledgerPack();
    const { problem, faults, name } = await readPack(folder);
    expect(faults).toEqual([]);
    expect(name).toBe("ledger");
    expect(problem).toMatchObject({
      folder,
      version: 2,
      tags: ["cli", "money"],
      category: "NOT_SET",
      difficulty: "Easy",
      author: undefined,
      entryFile: "ledger",
      staticAssets: [
        { name: "rates", source: path.join(folder, "data/rates.csv"), savePath: "given/rates.csv" },
      ],
      markers: [{ name: "slow", description: "Takes long.", group: "Functionality" }],
      testDependencies: ["pyyaml"],
    });
    expect(problem?.checkpoints).toEqual([
      {
        name: "checkpoint_1",
        version: 1,
        order: 1,
        state: "Verified",
        includePriorTests: true,
        timeoutSeconds: 12,
        env: { LOCALE: "C", MODE: "plain" },
        specPath: path.join(folder, "checkpoint_1.md"),
      },
      {
        name: "checkpoint_2",
        version: 1,
        order: 2,
        state: "Core Tests",
        includePriorTests: false,
        timeoutSeconds: 3.5,
        env: { LOCALE: "C" },
        specPath: path.join(folder, "checkpoint_2.md"),
      },
    ]);
  });

  it("gives no problem but the faults when a pack has errors", async () => {
    const { problem, faults } = await readPack(await ledgerPack({ "checkpoint_2.md": null }));
    expect(problem).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it.each([
    [
      "timeout: 3.5",
      "timout: 3.5",
      ['error 14:5 Unknown key "timout" in checkpoint "checkpoint_2"; did you mean "timeout"?'],
    ],
    [
      "group: Functionality",
      "group: Funtionality",
      [
        'error 25:37 "group" must be one of Core, Functionality, Error, Regression; did you mean "Functionality"?',
      ],
    ],
    [
      "description: Takes long.,",
      "description: x, colour: red,",
      ['error 25:27 Unknown key "colour" in marker "slow"; known are description, group'],
    ],
    [
      "state: Verified",
      "state: verified",
      ['error 19:5 "state" must be one of Draft, Core Tests, Full Tests, Verified; did you mean "Verified"?'],
    ],
    ["timeout: 12", "timeout: -1", ['error 6:1 "timeout" must be a number from 0.001 to 2000000']],
    [
      "state: Verified",
      "state: [Verified]",
      ['error 19:5 "state" must be one of Draft, Core Tests, Full Tests, Verified, not a list'],
    ],
    ["name: ledger", "name: [ledger]", ['error 1:1 "name" must be text, not a list']],
    [
      "timeout: 12",
      "timeout: 1e1",
      ['error 6:1 "timeout" must be a number from 0.001 to 2000000, in decimals'],
    ],
    ["version: 2", "version: two", ['error 2:1 "version" must be a whole number']],
    ["tags: [cli, money]", "tags: []", ['error 4:1 "tags" needs at least one tag']],
    [
      "tags: [cli, money]",
      "tags: [cli, 7]",
      ['error 4:13 Every item of "tags" must be text (put it in quotes)'],
    ],
    ["LOCALE: C", "LOCALE: 1", ['error 8:3 "LOCALE" must be text (put it in quotes)']],
    [
      "path: data/rates.csv,",
      "path: ../rates.csv,",
      ['error 23:12 "path" must be a relative path without ".."'],
    ],
    [
      "path: data/rates.csv,",
      "path: /data/rates.csv,",
      ['error 23:12 "path" must be a relative path without ".."'],
    ],
    [
      "test_dependencies:",
      "test_dependancies:",
      [
        'warning 26:1 "test_dependancies" is not a key of a problem and is ignored; did you mean "test_dependencies"?',
      ],
    ],
    [
      "description: Keeps accounts.",
      "notes: Keeps accounts.",
      ['error 1:1 "description" is missing in the file'],
    ],
    [
      "entry_file: ledger",
      "entry_file: ledger.py",
      ['warning 5:1 "entry_file" is a name without suffix; the environment makes "ledger.py.py" of it'],
    ],
    ["name: ledger", "name: book", ['warning 1:1 The pack is called "book" but its folder is not']],
  ])("says of %j → %j where and what is wrong", async (from, to, expected) => {
    expect(await faultsOf(edited(from, to))).toEqual(expected);
  });

  it.each([
    ["name: ledger", "name: ../../ledger"],
    ["name: ledger", "name: .."],
    ["name: ledger", "name: .ledger"],
    ["name: ledger", 'name: "led\\0ger"'],
    ["name: ledger", "name: /ledger"],
    ["name: ledger", 'name: "..\\\\ledger"'],
    ["checkpoint_2:", "../checkpoint_2:"],
    ["checkpoint_2:", "..:"],
  ])("refuses a name that leads out of a run folder: %j → %j", async (from, to) => {
    const { problem, faults } = await readPack(await ledgerPack(edited(from, to)));
    expect(problem).toBeUndefined();
    const fault = faults.find(({ message }) => message.includes("usable as the name of a folder"));
    expect(fault).toMatchObject({ severity: "error", line: expect.any(Number) as number });
  });

  it.skipIf(process.platform === "win32")("refuses assets that are not files of the pack", async () => {
    const folder = await ledgerPack();
    const asset = path.join(folder, "data/rates.csv");
    const faultsNow = async (): Promise<string[]> =>
      (await readPack(folder)).faults.map(({ line, message }) => `${line} ${message}`);
    await rename(asset, path.join(folder, "data/real.csv"));
    await symlink("real.csv", asset);
    expect(await faultsNow()).toEqual([]);
    await rm(asset);
    await symlink("/etc/passwd", asset);
    expect(await faultsNow()).toEqual([
      expect.stringContaining('"rates" is a link that leads out of the pack'),
    ]);
    await rm(asset);
    execFileSync("mkfifo", [asset]);
    expect(await faultsNow()).toEqual([expect.stringContaining('"rates" is neither file nor folder')]);
    await rm(asset);
    await symlink("nowhere", asset);
    expect(await faultsNow()).toEqual([expect.stringContaining('"rates" is missing')]);
  });

  it("ignores unknown keys at the top that are near to nothing", async () => {
    expect(await faultsOf({ "config.yaml": `${LEDGER_CONFIG}leaderboard_id: 7\n` })).toEqual([]);
  });

  it("names line and column of broken YAML, and keeps the pack's name", async () => {
    const folder = await ledgerPack(edited("tags: [cli, money]", "tags: [cli, money"));
    const { name, problem, faults } = await readPack(folder);
    expect(problem).toBeUndefined();
    expect(name).toBe("ledger");
    expect(faults[0]).toMatchObject({ severity: "error", line: 5 });
  });

  it("explains the list form of checkpoints", async () => {
    const config = LEDGER_CONFIG.replace(
      /checkpoints:[^]*?static_assets/u,
      "checkpoints: [checkpoint_1]\nstatic_assets",
    );
    const [fault] = await faultsOf({ "config.yaml": config });
    expect(fault).toMatch(/^error 9:1 "checkpoints" is a list of names.*mapping/u);
  });

  it("does not run a YAML tag", async () => {
    const [fault] = await faultsOf(
      edited("Keeps accounts.", "!!python/object/apply:os.system [touch /tmp/never]"),
    );
    expect(fault).toMatch(/^error 3:14 .*python/u);
  });

  it("takes the last of two equal keys and warns", async () => {
    const folder = await ledgerPack({ "config.yaml": `${LEDGER_CONFIG}author: A\nauthor: B\n` });
    const { problem, faults } = await readPack(folder);
    expect(problem?.author).toBe("B");
    expect(faults.map(({ severity, line }) => [severity, line])).toEqual([["warning", 28]]);
  });

  it("follows anchors and merge keys", async () => {
    const config = LEDGER_CONFIG.replace(
      "  checkpoint_1:\n    version: 1\n",
      "  checkpoint_1:\n    <<: *base\n",
    ).replace("  checkpoint_2:\n", "  checkpoint_2: &base\n");
    const { problem } = await readPack(await ledgerPack({ "config.yaml": config }));
    expect(problem?.checkpoints[0]).toMatchObject({
      order: 1,
      timeoutSeconds: 3.5,
      includePriorTests: false,
    });
  });

  it.each<[string, Readonly<Record<string, string | null>>, string[]]>([
    [
      "a spec is missing",
      { "checkpoint_1.md": null },
      ["error 16:3 The spec checkpoint_1.md of this checkpoint is missing"],
    ],
    [
      "a spec has an unknown placeholder",
      { "checkpoint_2.md": "a\n b %%%ENTRYPOINT:entry%%%" },
      ['warning checkpoint_2.md 2:4 "entry" is not a placeholder; known are entry_file and entry_command'],
    ],
    [
      "a test file is missing",
      { "tests/test_checkpoint_2.py": null },
      ["error 10:3 This checkpoint has no hidden tests: tests/test_checkpoint_2.py is missing"],
    ],
    [
      "a test file fits no checkpoint",
      { "tests/test_extra.py": "" },
      ["warning test_extra.py -:- No checkpoint has this name, so these tests never run"],
    ],
    [
      "the conftest is missing",
      { "tests/conftest.py": null },
      ["error -:- tests/conftest.py is missing; it has to add the options --entrypoint and --checkpoint"],
    ],
    [
      "the conftest lacks an option",
      { "tests/conftest.py": '"--entrypoint"' },
      [
        "error conftest.py -:- conftest.py does not add the option --checkpoint, without which pytest ends with a usage error",
      ],
    ],
    [
      "the conftest has an option in a comment only",
      { "tests/conftest.py": '# addoption("--checkpoint")\nparser.addoption("--entrypoint")\n' },
      [
        "error conftest.py -:- conftest.py does not add the option --checkpoint, without which pytest ends with a usage error",
      ],
    ],
    [
      "code that is not seen may add the options",
      { "tests/conftest.py": "for name in NAMES:\n    parser.addoption(name)\n" },
      ["--entrypoint", "--checkpoint"].map(
        (option) =>
          `warning conftest.py -:- conftest.py does not add the option ${option}, without which pytest ends with a usage error`,
      ),
    ],
    [
      "a helper adds the options",
      {
        "tests/conftest.py": "from options import pytest_addoption\n",
        "tests/options.py": "parser.addoption('--entrypoint')\nparser.addoption('--checkpoint')\n",
      },
      [],
    ],
    [
      "only some checkpoints have a solution",
      { "solutions/checkpoint_1/ledger.py": "", "solutions/checkpont_2/ledger.py": "" },
      [
        'warning 10:3 The reference solution of this checkpoint is missing: solutions/checkpoint_2; did you mean "checkpont_2"?',
      ],
    ],
    [
      "all that is wrong at once, in the configuration and in the files",
      {
        "config.yaml": LEDGER_CONFIG.replace("description: Keeps accounts.\n", "").replace(
          "slow: {",
          "eror: {",
        ),
        "checkpoint_1.md": null,
        "tests/test_checkpoint_2.py": null,
        "data/rates.csv": null,
      },
      [
        'error 1:1 "description" is missing in the file',
        'warning 24:3 "eror" becomes a marker of its own beside "error", which needs no entry; is it misspelt?',
        "error 15:3 The spec checkpoint_1.md of this checkpoint is missing",
        expect.stringMatching(/^error 22:3 Static asset "rates" is missing/u) as string,
        "error 9:3 This checkpoint has no hidden tests: tests/test_checkpoint_2.py is missing",
      ],
    ],
    [
      "there are no tests",
      { "tests/conftest.py": null, "tests/test_checkpoint_1.py": null, "tests/test_checkpoint_2.py": null },
      ["error -:- The pack has no hidden tests: the folder tests is missing"],
    ],
  ])("notices that %s", async (_what, changes, expected) => {
    expect(await faultsOf(changes)).toEqual(expected);
  });

  it.skipIf(process.platform === "win32").each([
    ["config.yaml", "error config.yaml The config.yaml of this pack is not a plain file"],
    ["checkpoint_1.md", "error config.yaml The spec checkpoint_1.md of this checkpoint is not a plain file"],
    ["tests/conftest.py", "error conftest.py tests/conftest.py is not a plain file"],
  ])("refuses a pipe in the place of %s instead of waiting for it", async (name, expected) => {
    const folder = await ledgerPack({ [name]: null });
    execFileSync("mkfifo", [path.join(folder, name)]);
    const [found] = await findPacks(path.dirname(folder));
    const told = found?.faults.map(({ severity, file, message }) => {
      return `${severity} ${path.basename(file)} ${message}`;
    });
    expect(told).toEqual([expect.stringContaining(expected)]);
  });

  it("only warns of missing tests while a checkpoint is a draft", async () => {
    const changes = { ...edited("state: Core Tests", "state: Draft"), "tests/test_checkpoint_2.py": null };
    expect(await faultsOf(changes)).toEqual([
      "warning 10:3 This checkpoint has no hidden tests: tests/test_checkpoint_2.py is missing",
    ]);
  });

  it("notices a missing static asset", async () => {
    const [fault] = await faultsOf({ "data/rates.csv": null });
    expect(fault).toMatch(/^error 23:3 Static asset "rates" is missing/u);
  });

  it("says of a folder without config.yaml that it is none", async () => {
    const { problem, faults } = await readPack(await temporaryFolder());
    expect(problem).toBeUndefined();
    expect(faults.map(({ message }) => message)).toEqual(["The config.yaml of this pack is missing"]);
  });
});

describe("tests that import the solution", () => {
  const WORDS =
    "These tests import the solution, which then can make up their results; start it as a program instead";
  const file = (text: string): Record<string, string> => ({ "tests/test_checkpoint_1.py": text });

  it.each([
    ["import os\nimport ledger\n", "2:1"],
    ["def test_it():\n    from ledger import add\n", "2:5"],
    ["import os, ledger as it\n", "1:1"],
    ["from ledger.book import add\n", "1:1"],
    ['import importlib\nit = importlib.import_module("ledger")\n', "2:16"],
  ])("are warned about: %j", async (text, place) => {
    expect(await faultsOf(file(text))).toEqual([`warning test_checkpoint_1.py ${place} ${WORDS}`]);
  });

  it.each(["import ledgers\n", "from .ledger import x\n", "# import ledger\n", 'run("import ledger")\n'])(
    "are something else than %j",
    async (text) => {
      expect(await faultsOf(file(text))).toEqual([]);
    },
  );

  it("may have a helper of the same name", async () => {
    expect(await faultsOf({ ...file("import ledger\n"), "tests/ledger.py": "" })).toEqual([]);
  });
});

describe("findPacks", () => {
  async function names(folder: string): Promise<string[]> {
    return (await findPacks(folder)).map((reading) => path.relative(folder, reading.folder));
  }

  it("takes the folder itself", async () => {
    expect(await names(await ledgerPack())).toEqual([""]);
  });

  it("takes children and problems/*, and passes over what is no pack", async () => {
    const folder = await temporaryFolder();
    const pack = (at: string): Record<string, string> =>
      Object.fromEntries(Object.entries(LEDGER_FILES).map(([name, text]) => [`${at}/${name}`, text]));
    await layFiles(folder, {
      ...pack("ledger"),
      ...pack("problems/ledger"),
      ...pack(".hidden"),
      "broken/config.yaml": "name: broken\nentry_file: [\n",
      "run/config.yaml": "agent: {type: replay}\nproblems: [ledger]\n",
      "other/readme.md": "entry_file: x\n",
    });
    expect(await names(folder)).toEqual(["broken", "ledger", "problems/ledger"]);
  });

  it("rejects a folder that cannot be read", async () => {
    const folder = path.join(await temporaryFolder(), "absent");
    await expect(findPacks(folder)).rejects.toMatchObject({ code: "bad-input" });
  });
});
