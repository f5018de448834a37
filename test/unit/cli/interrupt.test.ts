import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { setup as buildCli } from "../../support/build-cli.mjs";
import { readRun } from "../../../src/core/store/read-run.js";
import { lay, wordPack } from "./support.js";

const CLI = path.resolve("dist/cli.js");
let cwd: string;

beforeAll(buildCli);

beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-interrupt-"));
  await lay(cwd, wordPack("words"));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, maxRetries: 3 });
});

/** Starts the command and interrupts it twice without a pause, in two ways since equal signals may become one. */
async function interrupted(args: readonly string[], when: RegExp): Promise<{ code: unknown; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args, "--environment", "local"], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  let isSent = false;
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    if (isSent || !when.test(err)) return;
    isSent = true;
    child.kill("SIGINT");
    child.kill("SIGTERM");
  });
  await once(child, "close");
  return { code: child.exitCode, err };
}

it.each([
  ["an agent works", /agent at work/u],
  ["hidden tests run", /hidden tests/u],
])("names what goes on with a run when it is interrupted twice at once while %s", async (_when, sign) => {
  const { code, err } = await interrupted(["run", "words"], sign);
  const [name = ""] = await readdir(path.join(cwd, "runs"));
  expect(code).toBe(130);
  expect(err).toContain(`resume runs/${name} goes on with it`);
  expect((await readRun(path.join(cwd, "runs", name))).problems).toHaveLength(1);
});

it("names what goes on with a queue when it is interrupted twice at once", async () => {
  const { code, err } = await interrupted(["queue", "words", "--agent", "reference"], /words/u);
  const name = (await readdir(path.join(cwd, "runs"))).find((one) => one.startsWith("queue-")) ?? "";
  expect(code).toBe(130);
  expect(err).toContain(`queue --resume runs/${name} goes on with what did not finish`);
});
