import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findPacks, readPack } from "../../../src/core/problem/pack.js";
import { productFiles } from "./product-files.js";

const pack = path.join(productFiles.examples, "shelf");
const recording = path.join(productFiles.examples, "shelf-recordings", "rotting");
const foldersIn = (folder: string): string[] => readdirSync(folder).sort();

describe("the demo", () => {
  it("is one pack without faults, found in the examples folder", async () => {
    const { problem, faults } = await readPack(pack);
    expect(faults).toEqual([]);
    expect(problem?.checkpoints).toHaveLength(6);
    expect((await findPacks(productFiles.examples)).map((reading) => reading.name)).toEqual(["shelf"]);
  });

  it("has tests, a solution and a recording for every checkpoint", async () => {
    const names = (await readPack(pack)).problem?.checkpoints.map((checkpoint) => checkpoint.name);
    expect(foldersIn(path.join(pack, "solutions"))).toEqual(names);
    expect(foldersIn(recording)).toEqual(names);
    const tests = foldersIn(path.join(pack, "tests"));
    for (const name of names ?? []) {
      expect(tests).toContain(`test_${name}.py`);
      expect(foldersIn(path.join(pack, "solutions", name))).toContain("shelf.py");
      expect(foldersIn(path.join(recording, name))).toContain("shelf.py");
    }
  });
});
