import { access, appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { programAgent } from "../../../src/core/agent/program/program-agent.js";
import { parseDefinition } from "../../../src/core/agent/program/definition-file.js";
import type { Agent } from "../../../src/core/agent/agent.js";
import { DEFAULT_POLICY, FROM_REFERENCE, type RunPolicy } from "../../../src/core/model/policy.js";
import type { Problem } from "../../../src/core/model/problem.js";
import type { Run } from "../../../src/core/model/run.js";
import { environmentSecrets } from "../../../src/core/agent/program/secrets.js";
import { noteWords, reasonsWords } from "../../../src/core/report/plan-words.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import { resumePlan, resumeTrajectory, type ResumeRequest } from "../../../src/core/trajectory/resume.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { scripted } from "./agents.js";
import { newStage, verdicts, type Stage } from "./stage.js";

const never = new AbortController().signal;
const DEPENDS = "redo: depends on checkpoint_2, which is redone";
const AGENT = "keep: taken by another agent, or its file or model changed";
let stage: Stage;
let paid: Agent;

beforeEach(async () => {
  stage = await newStage();
  paid = scripted(() => ({}));
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

function take(part: Partial<TrajectoryRequest> = {}): Promise<Run> {
  return runTrajectory(stage.request(part), stage.services, stage.hear, never);
}

async function plan(run: Run, part: Partial<ResumeRequest> = {}): Promise<string[]> {
  const { checkpoints } = await resumePlan(await stage.resumption(run, part));
  return checkpoints.map(({ action, why }) =>
    why.length === 0 ? action : `${action}: ${reasonsWords(why)}`,
  );
}

function forkOf(run: Run, checkpoint: string): RunPolicy {
  return { ...DEFAULT_POLICY, start: { kind: "snapshot", run: run.folder, turn: `sample/${checkpoint}` } };
}

function withAsset(source: string): Problem {
  return { ...stage.request().problem, staticAssets: [{ name: "a", source, savePath: "a.csv" }] };
}

function warnings(): string[] {
  return stage.events.flatMap((event) =>
    event.type === "log" && event.level === "warn" ? [event.message] : [],
  );
}

it("finds nothing changed where nothing is", async () => {
  const asset = path.join(stage.root, "a.csv");
  await writeFile(asset, "1");
  const run = await take({ agent: paid, problem: withAsset(asset) });
  expect(await plan(run, { agent: paid, problem: withAsset(asset) })).toEqual(["keep", "keep", "keep"]);
});

it("takes anew what had other static assets", async () => {
  const asset = path.join(stage.root, "a.csv");
  await writeFile(asset, "1");
  const run = await take({ agent: paid, problem: withAsset(asset) });
  await writeFile(asset, "2");
  const changed = "redo: static assets changed";
  expect(await plan(run, { agent: paid, problem: withAsset(asset) })).toEqual([changed, changed, changed]);
  expect((await plan(run, { agent: paid }))[0]).toBe(changed);
});

it("takes anew from a recording that changed on", async () => {
  const run = await take();
  await appendFile(path.join(stage.root, "pack/solutions/checkpoint_2/shelf.py"), "# more\n");
  expect(await plan(run)).toEqual(["keep", "redo: recording changed", DEPENDS]);
  expect(
    verdicts(await resumeTrajectory(await stage.resumption(run), stage.services, stage.hear, never)),
  ).toEqual(Array(3).fill("passed"));
  expect(await plan(run)).toEqual(["keep", "keep", "keep"]);
});

it("evaluates again in another environment, and says for good that the agent worked in one", async () => {
  const run = await take({ agent: paid });
  const environment = { ...stage.request().environment, env: { LANG: "C" } };
  const note = "the agent worked in another environment";
  const again = `evaluate: environment or the tests' settings changed; ${note}`;
  expect(await plan(run, { agent: paid, environment })).toEqual([again, again, again]);
  await resumeTrajectory(
    await stage.resumption(run, { agent: paid, environment }),
    stage.services,
    stage.hear,
    never,
  );
  expect(await plan(run, { agent: paid, environment })).toEqual(Array(3).fill(`keep: ${note}`));
});

it("evaluates again where dependencies, time limit or variables of tests changed", async () => {
  const run = await take();
  const { problem } = stage.request();
  const [first, ...rest] = problem.checkpoints;
  if (first === undefined) throw new Error("no checkpoint");
  const again = "evaluate: environment or the tests' settings changed";
  expect(await plan(run, { problem: { ...problem, testDependencies: ["x"] } })).toEqual([
    again,
    again,
    again,
  ]);
  const withEnv = (env: Record<string, string>): Problem => ({
    ...problem,
    checkpoints: [{ ...first, env }, ...rest],
  });
  const keyed = await take({ problem: withEnv({ SORT_KEY: "name" }) });
  expect(await plan(keyed, { problem: withEnv({ SORT_KEY: "name" }) })).toEqual(["keep", "keep", "keep"]);
  expect(await plan(keyed, { problem: withEnv({ SORT_KEY: "size" }) })).toEqual([again, "keep", "keep"]);
  for (const part of [{ timeoutSeconds: 99 }, { env: { A: "1" } }]) {
    const changed = { ...problem, checkpoints: [{ ...first, ...part }, ...rest] };
    expect(await plan(run, { problem: changed })).toEqual([again, "keep", "keep"]);
  }
});

it("says of turns that are kept that another agent took them, also the same one with another file", async () => {
  const made = (text: string): Promise<Agent> => {
    const { definition } = parseDefinition(text, "/agents/mine.yaml");
    if (definition === undefined) throw new Error("no agent");
    const options = { model: undefined, thinking: undefined, secrets: environmentSecrets({}), hostEnv: {} };
    return programAgent(definition, options);
  };
  const works = (agent: Agent): Agent => ({ ...agent, takeTurn: paid.takeTurn.bind(paid) });
  const mine = works(await made("command: mine\n"));
  const run = await take({ agent: mine });
  expect(await plan(run, { agent: works(await made("command: mine # the same\n")) })).toEqual(
    Array(3).fill("keep"),
  );
  for (const text of [
    "command: mine --fast\n",
    "command: mine\nmodels: [m]\n",
    "command: mine\nenv: { A: b }\n",
  ]) {
    expect(await plan(run, { agent: works(await made(text)) })).toEqual(Array(3).fill(AGENT));
  }
  expect(await plan(run, { agent: paid })).toEqual(Array(3).fill(AGENT));
});

it("takes anew what followed a checkpoint that comes later now or is gone", async () => {
  const run = await take();
  const { problem } = stage.request();
  const [first, second, third] = problem.checkpoints;
  if (first === undefined || second === undefined || third === undefined) throw new Error("no checkpoints");
  expect(await plan(run, { problem: { ...problem, checkpoints: [first, third, second] } })).toEqual([
    "keep",
    "redo: followed checkpoint_2, which comes later now",
    "redo: depends on checkpoint_3, which is redone",
  ]);
  const resumed = await stage.resumption(run, { problem: { ...problem, checkpoints: [first, third] } });
  const { checkpoints, notes } = await resumePlan(resumed);
  expect(checkpoints.map(({ action, why }) => `${action}: ${reasonsWords(why)}`)).toEqual([
    "keep: ",
    "redo: followed checkpoint_2, which the problem no longer has",
  ]);
  expect(notes.map((note) => noteWords(note))).toEqual([
    "checkpoint_2 is no longer in the pack; what the run has of it stays as it is",
  ]);
  await resumeTrajectory(resumed, stage.services, stage.hear, never);
  expect(await plan(run, { problem: resumed.problem })).toEqual(["keep", "keep"]);
  await access(path.join(run.folder, "sample/checkpoint_2/snapshot"));
});

it("goes on under the name that the pack had, and says so", async () => {
  const run = await take({ checkpoints: ["checkpoint_1"] });
  const problem = { ...stage.request().problem, name: "renamed" };
  const wishes = { agentErrors: "retry", redo: ["checkpoint_1"] } as const;
  const resumed = await stage.resumption(run, { problem, wishes });
  expect((await resumePlan(resumed)).notes.map((note) => noteWords(note))).toEqual([
    "the pack is now called renamed; the run goes on as sample",
  ]);
  const after = await resumeTrajectory(resumed, stage.services, stage.hear, never);
  expect(after.problems.map((one) => one.problem)).toEqual(["sample"]);
  expect((await resumePlan(await stage.resumption(run))).notes).toEqual([]);
});

it("keeps a fork whose parent is gone or changed, says so, and goes on without it", async () => {
  const parent = await take();
  const fork = await take({ policy: forkOf(parent, "checkpoint_1") });
  expect(await plan(fork)).toEqual(["keep", "keep"]);
  await appendFile(path.join(parent.folder, "sample/checkpoint_1/snapshot/shelf.py"), "# more\n");
  expect(await plan(fork)).toEqual(["keep: what it began from changed", "keep"]);
  await rename(parent.folder, path.join(stage.root, "elsewhere"));
  const wishes = { agentErrors: "retry", redo: ["checkpoint_3"] } as const;
  expect(await plan(fork, { wishes })).toEqual(["keep: what it began from is gone", "redo: asked for"]);
  const run = await resumeTrajectory(
    await stage.resumption(fork, { wishes }),
    stage.services,
    stage.hear,
    never,
  );
  expect(verdicts(run).slice(1)).toEqual(["passed", "passed"]);
  const redo = { agentErrors: "retry", redo: ["checkpoint_2"] } as const;
  const again = resumeTrajectory(
    await stage.resumption(fork, { wishes: redo }),
    stage.services,
    stage.hear,
    never,
  );
  await expect(again).rejects.toMatchObject({ code: "bad-input" });
});

it("says of turns from the reference that it changed", async () => {
  const run = await take({ agent: paid, policy: FROM_REFERENCE });
  await appendFile(path.join(stage.root, "pack/solutions/checkpoint_1/shelf.py"), "# more\n");
  expect(await plan(run, { agent: paid })).toEqual(["keep", "keep: what it began from changed", "keep"]);
  await rm(path.join(stage.root, "pack/solutions/checkpoint_1"), { recursive: true });
  expect((await plan(run, { agent: paid }))[1]).toBe("keep: what it began from is gone");
});

it("warns where a fork begins from a turn of another spec, other tests or a snapshot that was changed", async () => {
  const parent = await take();
  await take({ policy: forkOf(parent, "checkpoint_1") });
  expect(warnings()).toEqual([]);
  await writeFile(path.join(stage.root, "pack/checkpoint_1.md"), "Do something else.\n");
  await writeFile(path.join(stage.root, "pack/tests/test_checkpoint_1.py"), "def test_new(): pass\n");
  await appendFile(path.join(parent.folder, "sample/checkpoint_1/snapshot/shelf.py"), "# more\n");
  await mkdir(path.join(stage.root, "runs"), { recursive: true });
  await take({ policy: forkOf(parent, "checkpoint_1") });
  const words = "its snapshot is not as it was recorded, its spec was another, its hidden tests were others";
  expect(warnings()).toEqual([expect.stringContaining(words)]);
});

it("tells another value of a secret variable, and no file of the run gives the value away", async () => {
  const names = ["API_KEY", "DB_PASSWORD", "SESSION_TOKEN", "MY_SECRET", "AUTH", "CREDENTIALS"];
  const values = Object.fromEntries(names.map((name, index) => [name, `first-value-${index}`]));
  const withValues = (env: Readonly<Record<string, string>>): TrajectoryRequest["environment"] => ({
    ...stage.request().environment,
    env,
  });
  const run = await take({ agent: paid, environment: withValues(values) });
  expect(await plan(run, { agent: paid, environment: withValues(values) })).toEqual(["keep", "keep", "keep"]);
  for (const name of names) {
    const environment = withValues({ ...values, [name]: "another value" });
    const told =
      `evaluate: the environment's value of ${name} changed; ` +
      `the agent worked with another value of ${name}`;
    expect(await plan(run, { agent: paid, environment })).toEqual([told, told, told]);
  }
  const files = await readdir(run.folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(path.join(file.parentPath, file.name), "utf8"));
  expect((await Promise.all(texts)).filter((text) => text.includes("first-value"))).toEqual([]);
  const changed = withValues({ ...values, API_KEY: "another value" });
  await resumeTrajectory(
    await stage.resumption(run, { agent: paid, environment: changed }),
    ...([stage.services, stage.hear, never] as const),
  );
  const after = "keep: the agent worked with another value of API_KEY";
  expect(await plan(run, { agent: paid, environment: changed })).toEqual([after, after, after]);
});

it("takes a record from before secrets had marks as unchanged", async () => {
  const environment = { ...stage.request().environment, env: { API_KEY: "one" } };
  const run = await take({ environment });
  for (const order of [1, 2, 3]) {
    const file = path.join(run.folder, `sample/checkpoint_${order}/slop-lens.json`);
    const record = JSON.parse(await readFile(file, "utf8")) as { inputs: Record<string, string> };
    Reflect.deleteProperty(record.inputs, "evaluationSecrets");
    await writeFile(file, JSON.stringify(record));
  }
  const other = { ...environment, env: { API_KEY: "two" } };
  expect(await plan(run, { environment: other })).toEqual(["keep", "keep", "keep"]);
});
