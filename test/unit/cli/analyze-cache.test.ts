import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cli, lay } from "./support.js";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-cli-"));
  await lay(cwd, { "src/a.py": "def pick(a):\n    if a == True:\n        return 1\n    return 2\n" });
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const kept = async (folder: string) =>
  (await readdir(path.join(cwd, folder), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );

it("keeps measures where --cache says, once, and says the same from there", async () => {
  const first = await cli(cwd, ["analyze", "src", "--cache", "mine"]);
  const entries = await kept("mine");
  // The file's, what is known of the rules, and each rule file as it was read.
  expect(entries.length).toBeGreaterThan(2);
  const second = await cli(cwd, ["analyze", "src", "--cache", "mine"]);
  expect(second).toEqual(first);
  expect(first.code).toBe(0);
  expect(await kept("mine")).toHaveLength(entries.length);
});

it("applies no rules with --no-rules, and keeps nothing with --no-cache", async () => {
  const { out } = await cli(cwd, ["analyze", "src", "--no-rules", "--no-cache"]);
  expect(out).toMatch(/^rules +0 +lines matched by 0 rules/mu);
  expect((await cli(cwd, ["analyze", "src", "--no-cache"])).out).toMatch(/^rules +1 +lines/mu);
  expect(await readdir(cwd)).toEqual(["src"]);
});
