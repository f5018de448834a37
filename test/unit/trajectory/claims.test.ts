import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Run } from "../../../src/core/model/run.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { noteWords } from "../../../src/core/report/plan-words.js";
import { readSetting } from "../../../src/core/store/stored-setting.js";
import { missingAttempts } from "../../../src/core/trajectory/attempts.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import { resumePlan, resumeTrajectory } from "../../../src/core/trajectory/resume.js";
import { newStage, verdicts, type Stage } from "./stage.js";

const never = new AbortController().signal;
let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

/** A run that was cancelled at its second checkpoint. */
async function firstOnly(): Promise<Run> {
  const controller = new AbortController();
  stage.plan = {
    checkpoint_2: () => {
      controller.abort();
      return Promise.reject(new SlopLensError("cancelled", "Cancelled"));
    },
  };
  const run = await runTrajectory(stage.request(), stage.services, stage.hear, controller.signal);
  stage.plan = {};
  return run;
}

describe("a run", () => {
  it("is not undone by one that was planned before another went on with it", async () => {
    const run = await firstOnly();
    const stale = await stage.resumption(run);
    await resumeTrajectory(await stage.resumption(run), stage.services, stage.hear, never);
    const files = await readdir(run.folder, { recursive: true });
    await expect(resumeTrajectory(stale, stage.services, stage.hear, never)).rejects.toMatchObject({
      code: "run-folder",
      message: expect.stringContaining(`process ${process.pid} of ${os.hostname()}`) as string,
    });
    expect((await readdir(run.folder, { recursive: true })).sort()).toEqual(files.sort());
    expect(verdicts(await readRun(run.folder))).toEqual(["passed", "passed", "passed"]);
  });
});

describe("a group of attempts", () => {
  it("takes an attempt that never began once, also when two runs of its group see that it is missing", async () => {
    const attempt = { of: 3, index: 3, group: "a1b2c3" };
    const requests = [1, 2].map(() => stage.request({ attempt, checkpoints: ["checkpoint_1"] }));
    const both = await Promise.allSettled(
      requests.map((request) => runTrajectory(request, stage.services, stage.hear, never)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: {
        code: "run-folder",
        message: expect.stringMatching(
          new RegExp(`^Attempt 3 of 3 .* by process ${process.pid} of ${os.hostname()}: `, "u"),
        ) as string,
      },
    });
    const runs = path.join(stage.root, "runs");
    expect(await readdir(runs)).toHaveLength(1);
    const others = [1, 2].map((index) => stage.request({ attempt: { ...attempt, index } }));
    await Promise.all(others.map((request) => runTrajectory(request, stage.services, stage.hear, never)));
    expect(await readdir(runs)).toHaveLength(3);
  });

  it("begins none while a run beside it may be one of them and does not tell", async () => {
    const take = (index: number): Promise<Run> =>
      runTrajectory(
        stage.request({ attempt: { of: 3, index, group: "a1b2c3" }, checkpoints: ["checkpoint_1"] }),
        ...([stage.services, stage.hear, never] as const),
      );
    const [first, second] = [await take(1), await take(2)];
    const left = async (): Promise<number[]> =>
      (await missingAttempts(await readSetting(first.folder))).map(({ index }) => index);
    const notes = async (): Promise<string[]> =>
      (await resumePlan(await stage.resumption(first))).notes.map((note) => noteWords(note));
    expect(await left()).toEqual([3]);
    expect(await notes()).toEqual([]);
    const file = path.join(second.folder, "slop-lens.json");
    const text = await readFile(file, "utf8");
    for (const broken of [text.slice(0, 100), "{}", undefined]) {
      if (broken === undefined) await rm(file);
      else await writeFile(file, broken);
      expect(await left(), String(broken)).toEqual([]);
      expect(await notes()).toEqual([
        expect.stringContaining(`the record of ${path.basename(second.folder)} cannot be read`),
      ]);
    }
    await writeFile(file, text);
    expect(await left()).toEqual([3]);
  });
});
