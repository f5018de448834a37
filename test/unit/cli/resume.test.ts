import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cli, lay, wordPack } from "./support.js";

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-resume-"));
  await lay(cwd, wordPack("words"));
  await writeFile(path.join(cwd, "words/solutions/checkpoint_1/words.py"), 'print("nothing")\n');
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

it("tells again how the tests of a kept checkpoint failed", async () => {
  const failure = /^ {2}Core test_word_1: (?<what>.+)$/mu;
  const first = await cli(cwd, ["run", "words", "--environment", "local"]);
  const what = failure.exec(first.out)?.groups?.["what"];
  expect(what).toContain("AssertionError: assert 'word1' in 'nothing");
  const [name = ""] = await readdir(path.join(cwd, "runs"));
  const { code, out } = await cli(cwd, ["resume", `runs/${name}`, "--redo", "2", "--yes"]);
  expect(code).toBe(0);
  expect(out).toMatch(/checkpoint_1 +kept/u);
  expect(failure.exec(out)?.groups?.["what"]).toBe(what);
});
