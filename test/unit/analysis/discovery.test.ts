import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { discover } from "../../../src/core/analysis/discovery.js";
import { Measurer } from "../../../src/core/analysis/measurer.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Profile } from "../../../src/core/model/quality.js";
import { analyze, folderOf, noRules, options, productFiles } from "./support.js";

const signal = new AbortController().signal;

describe("discovery", () => {
  it("passes over tools, builds and foreign packages, and takes hidden and test files", async () => {
    const folder = await folderOf({
      "a.py": "",
      ".hidden/b.py": "",
      "tests/test_a.py": "",
      "venv/c.py": "",
      "pkg/site-packages/d.py": "",
      "pkg/__pycache__/e.py": "",
      "build/f.py": "",
      "a.PY": "",
      "b.pyi": "",
      ".py": "",
    });
    const { root, files, skipped } = await discover([folder], "scb-0.1.3", signal);
    expect(root).toBe(folder);
    expect(files.map(({ path }) => path).sort()).toEqual([".hidden/b.py", "a.py", "tests/test_a.py"]);
    expect(skipped).toEqual([]);
  });

  it("passes over folders that it is told", async () => {
    const folder = await folderOf({
      "a.py": "",
      "runs/one/a.py": "",
      "runs/two/a.py": "",
      "b/runs/c.py": "",
    });
    const without = [join(folder, "runs/one"), join(folder, "gone")];
    const { root, files } = await discover([folder], "scb-0.1.3", signal, { without });
    expect(root).toBe(folder);
    expect(files.map(({ path }) => path).sort()).toEqual(["a.py", "b/runs/c.py", "runs/two/a.py"]);
  });

  describe("leaves out what the user excludes", () => {
    const laid = {
      "src/a.py": "",
      "src/a_pb2.py": "",
      "src/.hidden/a_pb2.py": "",
      "src/gen/b.py": "",
      "src/gen/deep/c.go": "",
      "src/gen/node_modules/d.py": "",
      "src/gen/notes.md": "",
      "src/deep/gen/e.py": "",
      "src/tests": "",
      "tests/f.py": "",
    };

    it.each<[string[], string[], number, string[]]>([
      [
        ["*_pb2.py"],
        ["src/a.py", "src/deep/gen/e.py", "src/gen/b.py", "src/gen/deep/c.go", "tests/f.py"],
        2,
        [],
      ],
      [["gen"], ["src/.hidden/a_pb2.py", "src/a.py", "src/a_pb2.py", "tests/f.py"], 3, []],
      [
        ["src/gen"],
        ["src/.hidden/a_pb2.py", "src/a.py", "src/a_pb2.py", "src/deep/gen/e.py", "tests/f.py"],
        2,
        [],
      ],
      [["./src/gen/**", "**/*_pb2.py"], ["src/a.py", "src/deep/gen/e.py", "tests/f.py"], 4, []],
      [
        ["src/**/{b,c}.*", "gone"],
        ["src/.hidden/a_pb2.py", "src/a.py", "src/a_pb2.py", "src/deep/gen/e.py", "tests/f.py"],
        2,
        ["gone"],
      ],
      [["src/", "src"], ["tests/f.py"], 6, []],
      [
        ["a.py/", "f.py/"],
        [
          "src/.hidden/a_pb2.py",
          "src/a.py",
          "src/a_pb2.py",
          "src/deep/gen/e.py",
          "src/gen/b.py",
          "src/gen/deep/c.go",
          "tests/f.py",
        ],
        0,
        ["a.py/", "f.py/"],
      ],
      [
        ["node_modules", "*.md"],
        [
          "src/.hidden/a_pb2.py",
          "src/a.py",
          "src/a_pb2.py",
          "src/deep/gen/e.py",
          "src/gen/b.py",
          "src/gen/deep/c.go",
          "tests/f.py",
        ],
        0,
        ["node_modules"],
      ],
    ])("%j", async (globs, left, count, unused) => {
      const folder = await folderOf(laid);
      const exclude = { globs, base: folder };
      const { files, excluded } = await discover([folder], "scb-0.1.3", signal, { exclude });
      expect(files.map(({ path }) => path).sort()).toEqual(left);
      expect(excluded).toEqual({ files: count, unused });
    });

    it.each<[string[], string[], number]>([
      [["src"], ["gen/"], 3],
      [["src"], ["src/gen", "deep/gen"], 3],
      [["src/gen/b.py", "src/a.py"], ["gen"], 1],
      [["src/gen/b.py", "src/a.py", "src/a_pb2.py"], ["b.*", "src/*_pb2.py"], 2],
      [["src/gen", "src/deep", "tests"], ["src/gen"], 2],
    ])("of what is given itself: %j without %j", async (paths, globs, wanted) => {
      const folder = await folderOf(laid);
      const given = paths.map((path) => join(folder, path));
      const { files, excluded } = await discover(given, "scb-0.1.3", signal, {
        exclude: { globs, base: folder },
      });
      const all = await discover(given, "scb-0.1.3", signal);
      expect(excluded?.unused).toEqual([]);
      expect(files.length + (excluded?.files ?? 0)).toBe(all.files.length);
      expect(excluded?.files).toBe(wanted);
    });

    it("not the folder that the user stands in, however it is called", async () => {
      const folder = join(await folderOf(laid), "src/gen");
      const exclude = { globs: ["gen"], base: folder };
      const { files, excluded } = await discover([folder], "scb-0.1.3", signal, { exclude });
      expect(files.map(({ path }) => path).sort()).toEqual(["b.py", "deep/c.go"]);
      expect(excluded).toEqual({ files: 0, unused: ["gen"] });
    });

    it.each([
      [["*"], /^All 7 source files are excluded$/u],
      [["!gen"], /^!gen cannot be excluded/u],
      [[""], /excludes nothing/u],
      [["./"], /excludes nothing/u],
    ])("and says where that cannot be: %j", async (globs, words) => {
      const folder = await folderOf(laid);
      const exclude = { globs, base: folder };
      await expect(discover([folder], "scb-0.1.3", signal, { exclude })).rejects.toThrow(words);
    });
  });

  it("names a folder that cannot be read by its path when it was given itself", async () => {
    const folder = await folderOf({ "a.py": "x = 1\n" });
    await chmod(folder, 0);
    const isRoot = process.geteuid?.() === 0;
    // Root may read everything.
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { skipped } = await discover([folder], "scb-0.1.3", signal);
      expect(skipped).toEqual([{ path: folder, reason: "unreadable folder (EACCES)" }]);
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(folder, 0o700);
    }
  });

  it("follows no links, and says so", async () => {
    const folder = await folderOf({ "a/a.py": "x = 1\n" });
    await symlink("a.py", join(folder, "a/link.py"));
    await symlink(folder, join(folder, "a/loop"));
    const { files, skipped } = await discover([folder], "scb-0.1.3", signal);
    expect(files.map(({ path }) => path)).toEqual(["a/a.py"]);
    expect(skipped).toEqual([{ path: "a/link.py", reason: "symbolic link" }]);
  });

  it("names files relative to the common root, each once", async () => {
    const folder = await folderOf({ "one/a.py": "", "one/sub/b.py": "", "oneself/c.py": "" });
    const paths = ["one", "one/sub", "one/a.py", "oneself"].map((path) => join(folder, path));
    const { root, files } = await discover(paths, "scb-0.1.3", signal);
    expect(root).toBe(folder);
    expect(files.map(({ path }) => path).sort()).toEqual(["one/a.py", "one/sub/b.py", "oneself/c.py"]);
    const single = await discover([join(folder, "one/a.py")], "scb-0.1.3", signal);
    expect(single.files.map(({ path }) => path)).toEqual(["a.py"]);
  });

  it.each([
    ["a path that does not exist", "nowhere"],
    ["a file of another kind", "notes.txt"],
    ["a folder without code", "empty"],
  ])("refuses %s", async (_, path) => {
    const folder = await folderOf({ "notes.txt": "", "empty/notes.txt": "" });
    await expect(discover([join(folder, path)], "scb-0.1.3", signal)).rejects.toSatisfy((error) =>
      SlopLensError.is(error, "bad-input"),
    );
  });
});

describe("files that cannot be measured", () => {
  it("are named with the reason, the others are measured", async () => {
    const report = await analyze({
      "good.py": "x = 1\n",
      "syntax.py": "def f(:\n",
      "binary.py": Uint8Array.from([120, 61, 49, 10, 0, 1, 2]),
      "large.py": "x = 1\n".repeat(900_000),
    });
    expect(report.totals.filesScanned).toBe(1);
    expect(report.skipped).toEqual([
      { path: "binary.py", reason: "binary" },
      { path: "large.py", reason: "larger than 5 MB" },
      { path: "syntax.py", reason: "syntax error" },
    ]);
  });

  it("are those that vanish or may not be read", async () => {
    const measurer = new Measurer(productFiles, noRules);
    const file = join(await folderOf({}), "gone.py");
    const job = { file, path: "gone.py", language: "python", bytes: 0 } as const;
    const rules = await measurer.chooseRules(options.rules);
    expect(await measurer.measureFile(job, rules)).toEqual({ skipped: "unreadable (ENOENT)" });
  });

  it("cost only themselves when their analysis fails", async () => {
    const report = await analyze({ "a.py": "x = 1\n", "b.py": "y = 1\n" }, () =>
      Promise.resolve({
        hash: "h",
        describe: () => Promise.resolve({ name: "one", count: 1, hash: "h" }),
        rulesFor: () =>
          Promise.resolve({
            isWhole: true,
            scan: (path: string) => {
              if (path === "a.py") throw new Error("the rule gave up");
              return { matches: [], suppressed: [] };
            },
          }),
      }),
    );
    expect(report.skipped).toEqual([{ path: "a.py", reason: "analysis failed: the rule gave up" }]);
    expect(report.totals.filesScanned).toBe(1);
  });
});

it("takes the endings of Python files that the profile counts", async () => {
  const folder = await folderOf({ "a.py": "", "b.pyw": "", "C.PY": "", "d.js": "" });
  const found = async (profile: Profile, path = folder) =>
    (await discover([path], profile, signal)).files
      .filter(({ language }) => language === "python")
      .map((file) => file.path)
      .sort();
  expect(await found("scb-0.1.3")).toEqual(["a.py"]);
  expect(await found("article")).toEqual(["a.py"]);
  expect(await found("scb-0.2.0")).toEqual(["C.PY", "a.py", "b.pyw"]);
  expect(await found("scb-0.2.0", join(folder, "b.pyw"))).toEqual(["b.pyw"]);
  await expect(found("scb-0.1.3", join(folder, "b.pyw"))).rejects.toThrow(
    /does not count in profile scb-0\.1\.3/u,
  );
});
