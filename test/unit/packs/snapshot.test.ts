import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../../src/core/model/problem.js";
import { parseEnvironment } from "../../../src/core/problem/environment-file.js";
import { fnmatch } from "../../../src/core/problem/fnmatch.js";
import { readPack } from "../../../src/core/problem/pack.js";
import { snapshotFilter } from "../../../src/core/problem/snapshot-filter.js";
import { snapshotHash } from "../../../src/core/problem/snapshot-hash.js";
import { renderSpec, renderSpecText } from "../../../src/core/problem/spec.js";
import { layFiles, ledgerPack, temporaryFolder } from "./support.js";

const LOCAL = parseEnvironment(
  "type: local\nname: x\ncommands: { entry_file: '{entry_file}.py' }\n",
  "env.yaml",
);

async function ledger(): Promise<Problem> {
  const { problem } = await readPack(await ledgerPack());
  if (problem === undefined) throw new Error("the pack of the tests is not sound");
  return problem;
}

describe("fnmatch", () => {
  const patterns = [
    "*.pyc",
    "venv/*",
    "a?c",
    "[ab]*",
    "[!a]x",
    "[]x]",
    "[a-c-]",
    "[z-a]",
    "a[b",
    "*",
    "",
    "a.b",
    "[\\d]",
    "[^a]",
    "**/x",
    "a-b",
    "*-lock.é",
    "a b/#&~",
  ];
  const names = [
    "x.pyc",
    "d/x.pyc",
    "venv",
    "venv/",
    "venv/a/b",
    "abc",
    "a/c",
    "b/1",
    "bx",
    "ax",
    "]",
    "x",
    "-",
    "a[b",
    "",
    "axb",
    "a.b",
    "d",
    "\\",
    "^",
    "é",
    "a\nb",
    "1/x",
    "a-b",
    "x-lock.é",
    "a b/#&~",
  ];

  it("agrees with Python's own on every pair", () => {
    const script =
      "import fnmatch, json, sys; p, n = json.load(sys.stdin); print(json.dumps([[fnmatch.fnmatchcase(x, y) for x in n] for y in p]))";
    const answer = execFileSync("python3", ["-c", script], { input: JSON.stringify([patterns, names]) });
    const ours = patterns.map((pattern) => names.map((name) => fnmatch(pattern).test(name)));
    expect(ours).toEqual(JSON.parse(answer.toString()));
  });
});

describe("snapshotFilter", () => {
  it("leaves out caches, tests and assets at the places where SCB does", async () => {
    const keep = snapshotFilter(LOCAL, await ledger());
    const left = [
      "venv/bin/python",
      "venv",
      "a.pyc",
      "d/e/f.pyc",
      "__pycache__",
      "d/__pycache__/x.cpython-312.bin",
    ];
    const more = [
      ".evaluation_tests/conftest.py",
      "tests/assets/x",
      "given/rates.csv",
      ".venv/",
      "node_modules/a/b",
    ];
    expect([...left, ...more].filter(keep)).toEqual([]);
    const kept = [
      "ledger.py",
      "requirements.txt",
      "given/other.csv",
      "lib/venv/x",
      "tests/test_a.py",
      ".git/config",
    ];
    expect(kept.filter(keep)).toEqual(kept);
  });

  it("keeps only what keep_globs name, and folders on the way", async () => {
    const environment = { ...LOCAL, snapshot: { keepGlobs: ["*.py"], ignoreGlobs: ["old/*"] } };
    const keep = snapshotFilter(environment, await ledger());
    expect(["a.py", "d/b.py", "d/", "d/c.txt", "old/x.py", "old/"].filter(keep)).toEqual([
      "a.py",
      "d/b.py",
      "d/",
    ]);
  });
});

describe("snapshotHash", () => {
  async function tree(): Promise<string> {
    const folder = await temporaryFolder();
    await layFiles(folder, { "b.py": "x = 1\n", "d/a.py": "", "run.sh": "#!/bin/sh\n" });
    await symlink("b.py", path.join(folder, "link"));
    await mkdir(path.join(folder, "empty"));
    return folder;
  }

  it("is the same for the same tree, whatever umask and order", async () => {
    const [one, other] = [await tree(), await tree()];
    await chmod(path.join(other, "b.py"), 0o600);
    await rm(path.join(other, "d"), { recursive: true });
    await layFiles(other, { "d/a.py": "" });
    expect(await snapshotHash(other)).toBe(await snapshotHash(one));
    expect(await snapshotHash(one)).toMatch(/^[0-9a-f]{64}$/u);
  });

  const changes: readonly [string, (folder: string) => Promise<void>][] = [
    ["content", (folder) => writeFile(path.join(folder, "b.py"), "x = 2\n")],
    ["a name", (folder) => rename(path.join(folder, "b.py"), path.join(folder, "c.py"))],
    ["the execute bit", (folder) => chmod(path.join(folder, "b.py"), 0o755)],
    [
      "a link's target",
      async (folder) => {
        await rm(path.join(folder, "link"));
        await symlink("run.sh", path.join(folder, "link"));
      },
    ],
    ["an empty folder", (folder) => rm(path.join(folder, "empty"), { recursive: true })],
    [
      "where content begins",
      async (folder) => {
        await writeFile(path.join(folder, "b.py"), "");
        await writeFile(path.join(folder, "d/a.py"), "x = 1\n");
      },
    ],
  ];

  it.each(changes)("changes with %s", async (_what, change) => {
    const folder = await tree();
    const before = await snapshotHash(folder);
    await change(folder);
    expect(await snapshotHash(folder)).not.toBe(before);
  });

  it("reads names that are not UTF-8", async () => {
    const folder = await temporaryFolder();
    const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
    await writeFile(name, "x");
    const first = await snapshotHash(folder);
    await writeFile(name, "y");
    expect(await snapshotHash(folder)).not.toBe(first);
  });
});

describe("renderSpec", () => {
  it("strips the canary only, and fills placeholders", async () => {
    const problem = await ledger();
    const [first, second] = problem.checkpoints;
    if (first === undefined || second === undefined)
      throw new Error("the pack of the tests has two checkpoints");
    expect(await renderSpec(problem, first, LOCAL)).toBe(
      "# Ledger\n\nRun `python ledger.py add`.\n<!-- kept -->\nend\n",
    );
    expect(await renderSpec(problem, second, LOCAL)).toBe("# More\n\nThe file is `ledger.py`.\n");
  });

  it("leaves a comment that does not stand at the head, and dollar signs", () => {
    const text = "a <!-- b -->\r\n%%%ENTRYPOINT:entry_file%%%";
    expect(renderSpecText(text, { entryFile: "$&" }, LOCAL)).toBe("a <!-- b -->\n$&.py");
  });

  it("rejects a spec that has gone", async () => {
    const problem = await ledger();
    const [first] = problem.checkpoints;
    if (first === undefined) throw new Error("the pack of the tests has two checkpoints");
    await rm(first.specPath);
    await expect(renderSpec(problem, first, LOCAL)).rejects.toMatchObject({ code: "pack-invalid" });
  });
});
