import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createAnalyzer } from "../../../src/core/analysis/analyzer.js";
import { testFaults } from "../../../src/core/evaluation/check-tests.js";
import { productFilesIn } from "../../../src/core/model/files.js";
import { readPack } from "../../../src/core/problem/pack.js";
import { ledgerPack, ROOT } from "../packs/support.js";

const analyzer = createAnalyzer(productFilesIn(ROOT), { mode: "inline" });

async function faultsIn(folder: string): Promise<string[]> {
  const faults = await testFaults([await readPack(folder)], analyzer, new AbortController().signal);
  return (faults.get(folder) ?? []).map(({ file, line, column, severity, message }) => {
    return `${severity} ${path.basename(file)}:${line ?? "-"}:${column ?? "-"} ${message}`;
  });
}

async function faultsOfText(text: string): Promise<string[]> {
  return faultsIn(await ledgerPack({ "tests/test_checkpoint_1.py": text }));
}

describe("testFaults", () => {
  it.each([
    ["def test_a():\n    assert f(1, 2\n\n\ndef test_b():\n    pass\n", `2:13 "(" is never closed`],
    ["x = (1, 2))\n", `1:11 ")" closes nothing`],
    ["x = [1)\n", `1:7 ")" stands where "]" is due`],
    ["def test_a()\n    pass\n", "1:1 invalid syntax"],
    ["if x = 1:\n    pass\n", "1:6 invalid syntax"],
    ["x = 'abc\n", "1:5 invalid syntax"],
    ["def f():\n    x = 1\n      y = 2\n", "3:7 unexpected indentation"],
    ["def f():\n        x = 1\n    y = 2\n", "3:5 unexpected indentation"],
    ["  x = 1\ny = 2\n", "2:1 unexpected indentation"],
    ["def f():\n\nx = 1\n", "1:9 an indented block is missing"],
    ["try:\n    x\ny = 1\n", `1:1 "except" or "finally" is missing`],
    ["print 'x'\n", "1:1 this is a statement of Python 2"],
  ])("tells what Python cannot read: %j", async (text, expected) => {
    const [place, ...words] = expected.split(" ");
    expect(await faultsOfText(text)).toEqual([
      `error test_checkpoint_1.py:${place ?? ""} Python cannot read this: ${words.join(" ")}`,
    ]);
  });

  it.each([
    "",
    "\uFEFFx = 1\r\nif x: a; b\r\n",
    "type X = list[int]\ndef f[T](a, /, *, b: T = 1) -> T: ...\n",
    "match x:\n    case {'a': [1, *rest]} if rest:\n        pass\n    case _:\n        pass\n",
    "try:\n    a\nexcept* (E, F) as e:\n    b\n",
    "x = f'{a!r:>{width}} {{b}} {d[\"k\"]}'\n",
    "class A:\n    # first\n    pass\n  # odd comment\n",
    "x = [\n1,\n      2]; y = 3\nz = 1 if (\n  y) else \\\n  2\n",
    "async def f():\n    async with a as b, c:\n        return [x async for x in y]\n",
    "print >> f\n",
  ])("finds nothing wrong in %j", async (text) => {
    expect((await faultsOfText(text)).filter((fault) => !fault.includes("no test"))).toEqual([]);
  });

  const EMPTY =
    "warning test_checkpoint_1.py:-:- This file holds no test, so nothing of its own is asked at its checkpoint";

  it.each(["", "def helper():\n    return 1\n", "from testlib import helper\nresult = helper()\n"])(
    "warns of a file without a test: %j",
    async (text) => {
      expect(await faultsOfText(text)).toEqual([EMPTY]);
    },
  );

  it.each([
    "async def test_a():\n    pass\n",
    "class TestA(Base):\n    pass\n",
    "from shared import *\n",
    "from shared import (\n    helper,\n    test_a,\n)\n",
    "test_a = make()\n",
    "if x:\n    @mark\n    def test_a(): pass\n",
  ])("sees that there may be tests in %j", async (text) => {
    expect(await faultsOfText(text)).toEqual([]);
  });

  it("tells misspelt markers of the runner, of pytest and of the pack, wherever they stand", async () => {
    const text = [
      "import pytest",
      "from pytest import mark",
      "pytestmark = [pytest.mark.fuctionality, pytest.mark.slow]",
      "@pytest.mark.eror",
      "@mark.regresion",
      "@pytest.mark.parametrise('a', [pytest.param(1, marks=pytest.mark.slwo)])",
      "@pytest.mark.core",
      "@pytest.mark.nightly",
      "def test_a(a):",
      '    """pytest.mark.erorr"""  # pytest.mark.erorr',
      "",
    ].join("\n");
    const told = await faultsOfText(text);
    expect(told.map((one) => one.replace("warning test_checkpoint_1.py:", "").replace(/\? .*/u, ""))).toEqual(
      [
        '3:15 There is no marker "fuctionality"; did you mean "functionality"',
        '4:2 There is no marker "eror"; did you mean "error"',
        '5:2 There is no marker "regresion"; did you mean "regression"',
        '6:2 There is no marker "parametrise"; did you mean "parametrize"',
        '6:54 There is no marker "slwo"; did you mean "slow"',
      ],
    );
  });

  it("looks at helpers and the conftest, not at data below", async () => {
    const folder = await ledgerPack({ "tests/helper.py": "def f(:\n", "tests/data/broken.py": "def f(:\n" });
    expect(await faultsIn(folder)).toEqual([expect.stringMatching(/^error helper\.py:1:6 /u)]);
  });

  it.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
    const folder = await ledgerPack({ "tests/test_checkpoint_1.py": null });
    execFileSync("mkfifo", [path.join(folder, "tests/test_checkpoint_1.py")]);
    expect(await faultsIn(folder)).toEqual([
      "error test_checkpoint_1.py:-:- This file of the hidden tests cannot be read, or is no plain file",
    ]);
  });

  it("finds what changed since it looked", async () => {
    const folder = await ledgerPack();
    expect(await faultsIn(folder)).toEqual([]);
    await appendFile(path.join(folder, "tests/test_checkpoint_2.py"), "x = (\n");
    expect(await faultsIn(folder)).toHaveLength(1);
  });
});
