import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../src/core/model/turn.js";
import { snapshotHash } from "../../../src/core/problem/snapshot-hash.js";
import { Library } from "../../../src/editor/library/library.js";
import { SnapshotChecks } from "../../../src/editor/library/snapshot-checks.js";
import { isSnapshotEdited } from "../../../src/editor/reading.js";
import { runRows } from "../../../src/editor/tree/run-rows.js";
import { DEFAULT_OPTIONS } from "../../../src/editor/tree/view-options.js";
import * as make from "./support.js";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-checks-"));
  file = path.join(folder, "snapshot/app.py");
  await mkdir(path.dirname(file));
  await writeFile(file, "print(1)\n");
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function opened(part: Partial<Turn> = {}) {
  const hash = await snapshotHash(path.dirname(file));
  const turn = make.turn(1, { folder, snapshotHash: hash, ...part });
  const noted: string[] = [];
  const library = new Library({
    ...make.NO_DISK,
    runs: () => Promise.resolve([make.run("/runs/a", [turn])]),
  });
  await library.load(["/"]);
  const checks = new SnapshotChecks({
    isEdited: isSnapshotEdited,
    keep: (one, isEdited) => {
      library.keepEdited(one, isEdited);
    },
    note: (_, where) => noted.push(where),
  });
  const row = async (): Promise<string> => {
    const sources = {
      ...{ state: library.state, files: make.FILES, options: DEFAULT_OPTIONS },
      ...{ measure: () => undefined, check: checks.once },
    };
    return (await make.draw(runRows(sources), 3))[2]?.trim() ?? "";
  };
  return { turn, library, checks, row, noted };
}

describe("a snapshot that is looked at", () => {
  it("is told on its checkpoint's row once it was edited, and no more when that is undone", async () => {
    const { turn, checks, row } = await opened();
    await checks.look(turn);
    expect(await row()).toBe("(pass) Checkpoint 1");
    await writeFile(file, "print(2)\n");
    expect(await row()).toBe("(pass) Checkpoint 1");
    await checks.look(turn);
    expect(await row()).toBe("(pass) Checkpoint 1 | snapshot edited");
    await writeFile(file, "print(1)\n");
    await checks.look(turn);
    expect(await row()).toBe("(pass) Checkpoint 1");
  });

  it.each([
    ["was recorded without a hash", { snapshotHash: null }],
    ["is still being made", { verdict: undefined }],
    ["is gone", { folder: "/nowhere" }],
  ])("says nothing when it %s", async (_, part) => {
    const { turn, checks, library, noted } = await opened(part);
    await writeFile(file, "print(2)\n");
    await checks.look(turn);
    expect(library.state.edited.size).toBe(0);
    expect(noted).toEqual([]);
  });

  it("is read once by views that draw it again and again", async () => {
    let reads = 0;
    const checks = new SnapshotChecks({
      isEdited: () => Promise.resolve((reads += 1) < 0),
      keep: () => undefined,
      note: () => undefined,
    });
    const turn = make.turn(1);
    checks.once(turn);
    checks.once(turn);
    checks.once({ ...turn });
    await checks.look(turn);
    expect(reads).toBe(3);
  });
});
