import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
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
  expect(first.out).toMatch(/^the reference solution fails 2 tests of its own pack$/mu);
  const above = await cli(cwd, ["resume", "runs", "--yes"]);
  expect(above.err).toMatch(/runs holds runs and is none itself\. Name one: runs/u);
  const unknown = await cli(cwd, ["resume", `runs/${name}`, "--redo", "5", "--environment", "local"]);
  expect(unknown.err).toMatch(/words has no checkpoint_5\. It has checkpoint_1, checkpoint_2\.$/mu);
  await mkdir(path.join(cwd, "deep/er"), { recursive: true });
  await rename(path.join(cwd, "words"), path.join(cwd, "deep/er/words"));
  const moved = await cli(cwd, ["resume", `runs/${name}`, "--environment", "local"]);
  expect(moved.err).toMatch(/pack of words is not where it was .*--problem\.$/mu);
});

it("makes a checkpoint that did not pass exit code 1 when CI asks for it", async () => {
  const args = ["run", "words", "--environment", "local", "--checkpoints", "1", "--fail-on-failed", "--json"];
  expect((await cli(cwd, args)).code).toBe(1);
  const [name = ""] = await readdir(path.join(cwd, "runs"));
  const again = await cli(cwd, ["eval", `runs/${name}/words`, "--environment", "local"]);
  expect(again.out).toContain("checkpoint_1: all 1 tests as stored");
});
