import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import { DEFAULT_LIMITS, DEFAULT_POLICY, roundwise } from "../../../src/core/model/policy.js";
import type { Run } from "../../../src/core/model/run.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { reasonsWords } from "../../../src/core/report/plan-words.js";
import { readSetting } from "../../../src/core/store/stored-setting.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import { resumePlan, resumeTrajectory, type ResumeRequest } from "../../../src/core/trajectory/resume.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { scripted } from "./agents.js";
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

async function plan(run: Run): Promise<string[]> {
  const { checkpoints } = await resumePlan(await stage.resumption(run));
  return checkpoints.map(({ action, why }) =>
    why.length === 0 ? action : `${action}: ${reasonsWords(why)}`,
  );
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
  });

  it("that is gone is missed as long as any other file tells whose the run is", async () => {
    const run = await take();
    const at = (name: string): string => path.join(run.folder, name);
    await rm(at("slop-lens.json"));
    const missed = async (): Promise<void> => {
      await expect(readSetting(run.folder)).rejects.toMatchObject({
        code: "run-folder",
        message: `The run's record ${at("slop-lens.json")} is missing`,
        hint: expect.stringContaining("begin a new run") as string,
      });
      const { state, policy, attempt, faults } = await readRun(run.folder);
      expect({ state, policy, attempt }).toEqual({
        ...{ state: "finished", policy: undefined, attempt: undefined },
      });
      expect(faults).toContainEqual(
        expect.objectContaining({ file: at("slop-lens.json"), severity: "error" }) as unknown,
      );
    };
    await missed();
    await rm(at("config.yaml"));
    await missed();
    for (const order of [1, 2]) await rm(at(`sample/checkpoint_${order}/slop-lens.json`));
    await missed();
    await rename(at("sample/checkpoint_3/slop-lens.json"), at("kept.json"));
    await mkdir(at(".slop-lens"));
    await missed();
    await rm(at(".slop-lens"), { recursive: true });
    expect((await readSetting(run.folder)).hasRecords).toBe(false);
    await rename(at("kept.json"), at("sample/checkpoint_3/slop-lens.json"));
    await writeFile(at("sample/run_info.yaml"), "summary: { state: error }\n");
    expect((await readRun(run.folder)).state).toBe("interrupted");
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
      verdicts(await resumeTrajectory(await stage.resumption(run), stage.services, stage.hear, never)),
    ).toEqual(["passed", "passed", "passed"]);
    expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
    await writeFile(file, text.slice(0, 200));
    await rm(path.join(folder, "inference_result.json"));
    await rm(path.join(folder, "evaluation.json"));
    expect((await plan(run))[2]).toBe("redo: its record cannot be read");
  });
});

describe("a try's record", () => {
  const agent = scripted(() => ({}));
  const one = ["checkpoint_1"];

  async function round(): Promise<Run> {
    let taken = 0;
    stage.plan = { checkpoint_1: () => ((taken += 1) === 2 ? "passed" : "failed") };
    const run = await take({ agent, policy: roundwise(3, 1), checkpoints: one });
    stage.plan = {};
    return run;
  }

  const again = async (run: Run): Promise<ResumeRequest> => ({ ...(await stage.resumption(run)), agent });
  const why = async (run: Run): Promise<string[]> =>
    (await resumePlan(await again(run))).checkpoints.map(
      ({ action, why }) => `${action}: ${reasonsWords(why)}`,
    );
  const chosenOf = async (folder: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, "sample/checkpoint_1/slop-lens.json"), "utf8"));

  it("that is lost is told, and none is chosen before it was taken anew", async () => {
    const whole = await round();
    const place = ".slop-lens/attempts/sample.checkpoint_1/3/slop-lens.json";
    const text = await readFile(path.join(whole.folder, place), "utf8");
    for (const broken of [...damaged(text), undefined]) {
      const folder = path.join(stage.root, "copy");
      await cp(whole.folder, folder, { recursive: true });
      if (broken === undefined) await rm(path.join(folder, place));
      else await writeFile(path.join(folder, place), broken);
      const copy = { ...whole, folder };
      const told = "the record of try 3 cannot be read: taken anew";
      expect(await why(copy), String(broken)).toEqual([`take: 2 of 3 tries are there; ${told}`]);
      stage.events.length = 0;
      stage.evaluated.length = 0;
      await resumeTrajectory(await again(copy), stage.services, stage.hear, never);
      expect(stage.evaluated).toEqual(one);
      expect(JSON.stringify(stage.events)).toContain(`checkpoint_1: ${told}`);
      expect(await why(copy)).toEqual(["keep: "]);
      expect(await chosenOf(folder)).toMatchObject({ verdict: "passed", candidate: { index: 2, of: 3 } });
      expect(await readdir(path.join(folder, ".slop-lens/attempts/sample.checkpoint_1"))).toEqual(["1", "3"]);
      await rm(folder, { recursive: true });
    }
  });

  it("of the chosen one is told, too", async () => {
    const run = await round();
    await writeFile(path.join(run.folder, "sample/checkpoint_1/slop-lens.json"), "{");
    expect(await why(run)).toEqual([
      "take: 2 of 3 tries are there; the record of the chosen try cannot be read: taken anew",
    ]);
    await resumeTrajectory(await again(run), stage.services, stage.hear, never);
    expect(await chosenOf(run.folder)).toMatchObject({ verdict: "passed", candidate: { index: 2 } });
  });

  it("that is lost when nothing more may be spent leaves the checkpoint without a chosen one", async () => {
    const paid = scripted(() => ({ usage: { ...NO_USAGE, costUsd: 1 } }));
    const limits = { ...DEFAULT_LIMITS, problemCostUsd: 3 };
    const policy = { ...roundwise(3, 1), limits };
    const run = await take({ agent: paid, policy, checkpoints: one });
    const beside = path.join(run.folder, ".slop-lens/attempts/sample.checkpoint_1");
    await writeFile(path.join(beside, "3/slop-lens.json"), "{");
    const file = path.join(run.folder, "slop-lens.json");
    const record = JSON.parse(await readFile(file, "utf8")) as { policy: { limits: Json } };
    record.policy.limits["problemCostUsd"] = 2;
    await writeFile(file, JSON.stringify(record));
    const rest = { ...(await stage.resumption(run)), agent: paid };
    const ended = await resumeTrajectory(rest, stage.services, stage.hear, never);
    expect(ended.problems[0]?.turns[0]).toMatchObject({
      verdict: "not-reached",
      reason: expect.stringContaining("is spent") as string,
    });
    expect(await readdir(path.join(run.folder, "sample"))).not.toContain("checkpoint_1");
    expect(await readdir(beside)).toContain("3");
  });

  it("keeps its line where the line's own file cannot be read", async () => {
    const run = await round();
    await writeFile(path.join(run.folder, "sample/checkpoint_1/.slop-lens/row.json"), "{");
    await rm(path.join(run.folder, ".slop-lens/attempts/sample.checkpoint_1/3"), { recursive: true });
    await resumeTrajectory(await again(run), stage.services, stage.hear, never);
    const rows = await readFile(path.join(run.folder, "checkpoint_results.jsonl"), "utf8");
    expect(
      rows
        .trim()
        .split("\n")
        .map((row) => (JSON.parse(row) as Json)["checkpoint"]),
    ).toEqual(one);
  });
});
