import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

const SCRIPT = path.resolve(import.meta.dirname, "../../../scripts/demo.mjs");

it.each(["--help", "-h"])("the demo prints its usage with %s and does nothing else", (option) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, option], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: npm run demo/u);
  expect(stdout.trimEnd()).toMatch(/All options: node dist\/cli\.js run --help$/u);
});
