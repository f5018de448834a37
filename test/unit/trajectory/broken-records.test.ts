import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, DEFAULT_POLICY } from "../../../src/core/model/policy.js";
import type { Run } from "../../../src/core/model/run.js";
import { readSetting } from "../../../src/core/store/stored-setting.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import { resumePlan, resumeTrajectory, type ResumeRequest } from "../../../src/core/trajectory/resume.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { newStage, verdicts, type Stage } from "./stage.js";

const never = new AbortController().signal;
let stage: Stage;

type Json = Record<string, unknown>;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

function take(part: Partial<TrajectoryRequest> = {}): Promise<Run> {
  return runTrajectory(stage.request(part), stage.services, stage.hear, never);
}

async function resumption(run: Run): Promise<ResumeRequest> {
  const { problem, agent, environment, analysis } = stage.request();
  return {
    setting: await readSetting(run.folder),
    ...{ problem, agent, environment, analysis, prompt: undefined },
    wishes: { agentErrors: "retry", redo: [] },
  };
}

async function plan(run: Run): Promise<string[]> {
  const { checkpoints } = await resumePlan(await resumption(run));
  return checkpoints.map(({ action, why }) => (why === "" ? action : `${action}: ${why}`));
}

/** Every way in which a record's text tells nothing. */
function damaged(text: string): (string | Buffer)[] {
  const latin = Buffer.concat([
    Buffer.from(text.replace(/\}\s*$/u, ',"x":"')),
    Buffer.from([0xe9, 0x22, 0x7d]),
  ]);
  const other = text.replace(/"schema":\s*1/u, '"schema": 99');
  return [text.slice(0, 200), "", "null", "[]", "{}", "5", other, latin];
}

function withPart(text: string, ...[place, value]: [readonly string[], unknown]): string {
  const whole = JSON.parse(text) as Json;
  const last = place.at(-1) ?? "";
  const inner = place.slice(0, -1).reduce((at, key) => at[key] as Json, whole);
  if (value === undefined) Reflect.deleteProperty(inner, last);
  else inner[last] = value;
  return JSON.stringify(whole);
}

describe("a run's record", () => {
  it("keeps a list of hosts as it was, also an empty one", async () => {
    for (const network of [{ hosts: [] }, { hosts: ["a.example"] }, "none", "bridge", undefined] as const) {
      const policy = { ...DEFAULT_POLICY, limits: { ...DEFAULT_LIMITS, network } };
      const run = await take({ policy, checkpoints: ["checkpoint_1"] });
      expect((await readSetting(run.folder)).policy).toEqual(policy);
    }
  });

  it("that is broken is no ground to go on from, and what to do is said", async () => {
    const run = await take();
    const file = path.join(run.folder, "slop-lens.json");
    const text = await readFile(file, "utf8");
    for (const broken of damaged(text)) {
      await writeFile(file, broken);
      await expect(readSetting(run.folder), String(broken)).rejects.toMatchObject({
        code: "run-folder",
        message: expect.stringContaining(`${file} is broken`) as string,
        hint: expect.stringContaining("begin a new run") as string,
      });
    }
    await writeFile(file, `\uFEFF${text}`);
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    await rm(file);
    await readSetting(run.folder);
  });

  it("with a bound of another kind is none either: nothing gets wider", async () => {
    const run = await take();
    const file = path.join(run.folder, "slop-lens.json");
    const text = await readFile(file, "utf8");
    const network = ["policy", "limits", "network"];
    const cases: [readonly string[], unknown][] = [
      ...[null, [], ["a"], "open", 5, {}, { hosts: "a" }, { hosts: [5] }, { hosts: null }].map(
        (value): [readonly string[], unknown] => [network, value],
      ),
      ...Object.keys(DEFAULT_LIMITS)
        .filter((key) => key !== "network")
        .flatMap((key) =>
          ["5", null, -1, []].map((value): [readonly string[], unknown] => [
            ["policy", "limits", key],
            value,
          ]),
        ),
      ...["nothing", null, [], undefined].map((value): [readonly string[], unknown] => [["policy"], value]),
      [["policy", "pass"], "foo"],
      [["policy", "pass"], undefined],
      [["policy", "limits"], undefined],
      [["policy", "limits"], []],
      [["policy", "attempts"], "single"],
      [["policy", "attempts"], { kind: "roundwise", count: "3", beam: 1 }],
      [["policy", "start"], { kind: "snapshot" }],
      [["policy", "session"], 1],
      [["checkpoints"], "checkpoint_1"],
      [["checkpoints"], [1]],
    ];
    for (const [place, value] of cases) {
      await writeFile(file, withPart(text, place, value));
      await expect(
        readSetting(run.folder),
        `${place.join(".")}: ${JSON.stringify(value)}`,
      ).rejects.toMatchObject({
        code: "run-folder",
        message: expect.stringContaining(`"${place.join(".")}" cannot be read`) as string,
      });
    }
  });
});

describe("a turn's record", () => {
  it("that cannot be read counts as none: the turn is evaluated again, or redone, and it is said why", async () => {
    const run = await take();
    const folder = path.join(run.folder, "sample/checkpoint_3");
    const file = path.join(folder, "slop-lens.json");
    const text = await readFile(file, "utf8");
    const wrong = ["testsHash", "snapshotHash", "inputs", "outcomes", "verdict"].map((key) =>
      withPart(text, [key], 5),
    );
    for (const broken of [...damaged(text), ...wrong, withPart(text, ["inputs", "evaluation"], [])]) {
      await writeFile(file, broken);
      expect(await plan(run), String(broken)).toEqual([
        "keep",
        "keep",
        "evaluate: its record cannot be read",
      ]);
    }
    await writeFile(file, `\uFEFF${text}`);
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    await writeFile(file, text.slice(0, 200));
    expect(
      verdicts(await resumeTrajectory(await resumption(run), stage.services, stage.hear, never)),
    ).toEqual(["passed", "passed", "passed"]);
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    await writeFile(file, text.slice(0, 200));
    await rm(path.join(folder, "inference_result.json"));
    await rm(path.join(folder, "evaluation.json"));
    expect((await plan(run))[2]).toBe("redo: its record cannot be read");
  });
});
