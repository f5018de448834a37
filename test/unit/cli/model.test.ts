import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, lay, wordPack } from "./support.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-cli-model-"));
  await lay(root, wordPack("words"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe("run --agent model", () => {
  it.each([
    ["no endpoint", [], /--agent model needs --endpoint URL and --model NAME/u],
    ["no address", ["--endpoint", "here", "--model", "m"], /not an http or https address/u],
    [
      "a key in the address",
      ["--endpoint", "https://user:sk-secret-123@host/v1", "--model", "m"],
      /not an http or https address/u,
    ],
    [
      "a variable that is not set",
      ["--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--key-env", "MY_KEY"],
      /to be in MY_KEY, which is not set/u,
    ],
    ["one price", ["--prices", "1"], /Give two or three numbers/u],
    [
      "a price that is none",
      ["--prices", "1,cheap"],
      /Give a number from 0.000001 to 1000000, or 0 for none/u,
    ],
  ])("with %s says so before anything is made", async (_what, more, message) => {
    const { code, err } = await cli(root, ["run", "words", "--agent", "model", ...more]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain("sk-secret");
    expect(await readdir(root)).toEqual(["words"]);
  });
});
