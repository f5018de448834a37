import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cli, lay } from "./support.js";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-cli-"));
  await lay(cwd, { "src/a.py": "def pick(a):\n    return a + 1\n" });
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

it("leaves out what --exclude names, and says how many files that were", async () => {
  await lay(cwd, { "src/old/a.py": "", "src/old/b.py": "", "src/c_pb2.py": "" });
  const excluding = ["analyze", "src", "--exclude", "src/old/**", "--exclude", "*_pb2.py"];
  const { code, out, err } = await cli(cwd, excluding);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^files +1 +measured/mu);
  expect(out).toMatch(/^left out by --exclude: 3 files$/mu);
  const json = await cli(cwd, [...excluding, "--exclude", "gone", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({ files_scanned: 1, excluded: 3 });
  expect(json.err).toBe("slop-lens: --exclude gone leaves out nothing: no file or folder matches\n");
  const without = await cli(cwd, ["analyze", "src"]);
  expect(without.out).not.toContain("left out");
});
