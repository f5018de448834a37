import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelSource } from "../../../src/core/agent/agent-source.js";
import { DEFAULT_LIMITS, independent, passPolicy, roundwise } from "../../../src/core/model/policy.js";
import { agentOfWord, ownName } from "../../../src/core/queue/agent-word.js";
import { CONTAINER_MEMORY } from "../../../src/core/queue/capacity.js";
import { parsePlan } from "../../../src/core/queue/plan-file.js";
import {
  cancelUnfinished,
  findUnfinished,
  QueueFile,
  readQueueFile,
  unfinishedQueues,
} from "../../../src/core/queue/queue-file.js";
import {
  attemptsOf,
  itemsOf,
  memoryOf,
  PLAN_DEFAULTS,
  policyOf,
  type QueuePlan,
} from "../../../src/core/queue/queue-plan.js";
import { lay } from "../cli/support.js";
import { aProblem } from "../trajectory/samples.js";
import { FakeLoop, items, queueOf, settle } from "./support.js";

let root: string;
let plan: QueuePlan;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-queue-"));
  plan = {
    ...PLAN_DEFAULTS,
    problems: [path.join(root, "packs/shelf")],
    base: root,
    agents: [
      { name: "reference", source: { kind: "reference" } },
      { name: "old", source: { kind: "replay", folder: path.join(root, "old") } },
      {
        name: "mine",
        source: { kind: "command", command: "solve", passEnv: ["KEY"] },
      },
      {
        name: "theirs",
        source: {
          ...{ kind: "named", agent: path.join(root, "agents/theirs.yaml") },
          ...{ model: "m", thinking: undefined },
        },
        timeoutSeconds: 60,
      },
      {
        name: "api",
        source: {
          ...{ kind: "model", endpoint: "http://localhost:1/v1", model: "m", keyEnv: "KEY" },
          ...{ contextTokens: 4000, prices: { input: 1, output: 2, cachedInput: undefined } },
        },
      },
    ],
    policy: {
      ...independent(3),
      start: { kind: "snapshot", run: path.join(root, "runs/old"), turn: "shelf/checkpoint_1" },
      limits: { ...DEFAULT_LIMITS, seconds: undefined, network: { hosts: ["api.example.com"] } },
    },
    runs: path.join(root, "runs"),
    environment: path.join(root, "place.yaml"),
  };
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe("a queue's file", () => {
  it("holds the plan with relative paths, and gives back what was kept", async () => {
    const file = await QueueFile.create(plan);
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.onDidChange(() => {
      file.keep(queue.status.items);
    });
    queue.add(items(3, 1));
    await settle();
    await loop.step("p1/a1/1");
    await loop.step("p1/a1/1");
    await file.flush();
    const text = await readFile(file.file, "utf8");
    expect(text).not.toContain(root);
    const stored = await readQueueFile(file.file);
    expect(stored.plan).toEqual({ ...plan, base: plan.runs });
    expect(stored.items).toMatchObject([
      { id: "p1/a1/1", state: "finished", folder: "/runs/p1-a1-1-1" },
      { id: "p2/a1/1", state: "running", folder: "/runs/p2-a1-1-2" },
      { id: "p3/a1/1", state: "waiting", folder: undefined },
    ]);
    queue.cancelAll();
    await queue.settled();
    await file.flush();
  });

  it("never has the name of another, and is found while it is unfinished", async () => {
    const files = await Promise.all([1, 2, 3].map(() => QueueFile.create(plan)));
    expect(new Set(await readdir(plan.runs)).size).toBe(3);
    await expect(findUnfinished(plan.runs)).rejects.toMatchObject({ code: "bad-input" });
    const loop = new FakeLoop();
    const queue = queueOf(loop);
    queue.add(items(1, 1));
    files[1]?.keep(queue.status.items);
    await files[1]?.flush();
    expect(await findUnfinished(plan.runs)).toBe(files[1]?.file);
    await loop.drain();
    files[1]?.keep(queue.status.items);
    await files[1]?.flush();
    await expect(findUnfinished(plan.runs)).rejects.toThrow(/No queue in/u);
  });

  it("tells no more that something is left once that is given up", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.add(items(3, 1));
    await settle();
    await loop.step("p1/a1/1");
    await loop.step("p1/a1/1");
    const file = await QueueFile.create(plan);
    file.keep(queue.status.items);
    await file.flush();
    const [found] = await unfinishedQueues(plan.runs);
    if (found === undefined) throw new Error("it is unfinished");
    expect(found).toMatchObject({ file: file.file, isAtWork: false });
    await cancelUnfinished(found);
    expect(await unfinishedQueues(plan.runs)).toEqual([]);
    const { items: left } = await readQueueFile(file.file);
    expect(left.map(({ state }) => state)).toEqual(["finished", "cancelled", "cancelled"]);
    queue.cancelAll();
    await queue.settled();
  });

  it("is refused to a command that holds a key", async () => {
    const source = { kind: "command", command: "API_KEY=abc solve", passEnv: [] } as const;
    await expect(QueueFile.create({ ...plan, agents: [{ name: "mine", source }] })).rejects.toMatchObject({
      code: "bad-input",
    });
  });
});

describe("a plan", () => {
  it("reads from YAML, paths from the file's own folder on", async () => {
    const text = `problems: [shelf, ../packs/kit]
agents:
  - reference
  - old=replay:recordings/old
  - { name: mine, command: "solve --fast", pass_env: [KEY], timeout: 0 }
  - { endpoint: "http://localhost:1/v1", model: m, key_env: KEY, prices: { input: 1, output: 0 } }
attempts: 2
jobs: 3
memory: 1.5
policy: core-cases
environment: place.yaml
checkpoints: [checkpoint_1]
`;
    expect(await parsePlan(text, "/work/q/many.yaml", "/work")).toEqual({
      problems: ["shelf", "../packs/kit"],
      base: "/work/q",
      agents: [
        { name: "reference", source: { kind: "reference" } },
        { name: "old", source: { kind: "replay", folder: "/work/q/recordings/old" } },
        {
          name: "mine",
          source: { kind: "command", command: "solve --fast", passEnv: ["KEY"] },
          timeoutSeconds: 0,
        },
        {
          name: "m",
          source: {
            ...{ kind: "model", endpoint: "http://localhost:1/v1", model: "m", keyEnv: "KEY" },
            ...{ contextTokens: undefined, prices: { input: 1, output: 0, cachedInput: undefined } },
          },
        },
      ],
      jobs: 3,
      memoryBytes: 1.5 * 1024 ** 3,
      policy: { ...passPolicy("core-cases"), attempts: { kind: "independent", count: 2 } },
      environment: "/work/q/place.yaml",
      image: undefined,
      template: "just-solve",
      runs: "/work/q/runs",
      checkpoints: ["checkpoint_1"],
    });
  });

  it.each([
    ["problems: [a]\n", /"agents" is missing/u],
    ["problems: [a]\nagents: ['replay:']\n", /There is no agent replay:/u],
    ["problems: [a]\nagents:\n  - { command: x, replay: y }\n", /:3:\d+: An agent has one of/u],
    ["problems: [a]\nagents: [reference]\njobs: 0\n", /:3:1: "jobs" must be a whole number from 1 to 1000/u],
    ["problems: [a]\nagents: [reference]\nworkers: 2\n", /:3:1: Unknown key "workers"/u],
    ["problems: [a]\nagents: [reference]\npolicy: sometimes\n", /:3:1: There is no policy sometimes/u],
    ["problems: [a]\nagents: [model]\n", /:2:1: The agent model needs an endpoint/u],
    ["problems: [a]\nagents:\n  - { endpoint: x }\n", /:3:\d+: "model" is missing/u],
    ["- a\n", /A queue must be a mapping/u],
  ])("%j is refused at its place", async (text, expected) => {
    await expect(parsePlan(text, "/q.yaml", "/")).rejects.toThrow(expected);
  });

  it("takes a policy of the workspace by its name, and one by its path from its own folder on", async () => {
    const policy =
      "pass: core-cases\nattempts: { independent: 3 }\nlimits: { memory_bytes: 10000000, seconds: 60 }\n";
    await lay(root, { ".slop-lens/policies/mine.yaml": policy, "queues/own.yaml": "pass: any-case\n" });
    const text = (name: string): string => `problems: [a]\nagents: [reference]\npolicy: ${name}\n`;
    const named = await parsePlan(text("mine"), path.join(root, "queues/q.yaml"), root);
    expect(named.policy).toMatchObject({ name: "mine", pass: "core-cases" });
    expect([attemptsOf(named), memoryOf(named)]).toEqual([3, 10_000_000]);
    const own = await parsePlan(text("./own.yaml"), path.join(root, "queues/q.yaml"), root);
    expect(own.policy).toMatchObject({ name: "own", pass: "any-case", attempts: { kind: "single" } });
  });

  it("refuses a fork of one problem for others before anything begins", () => {
    const [shelf, other] = ["shelf", "other"].map((name) => ({ ...aProblem("/packs", 2), name }));
    if (shelf === undefined || other === undefined) throw new Error("there are two");
    expect(itemsOf(plan, [shelf]).length).toBeGreaterThan(0);
    expect(() => itemsOf(plan, [shelf, other])).toThrow("A fork of shelf/checkpoint_1 has no place in other");
  });

  it("lets an agent's own time, 0 for none, take the place of the policy's", () => {
    const [agent] = plan.agents;
    if (agent === undefined) throw new Error("the plan has agents");
    const policy = { ...plan.policy, limits: { ...DEFAULT_LIMITS, seconds: 60 } };
    const times = [undefined, 0, 5].map(
      (timeoutSeconds) => policyOf({ ...plan, policy }, { ...agent, timeoutSeconds }).limits.seconds,
    );
    expect(times).toEqual([60, undefined, 5]);
    expect(policyOf(plan, agent).limits.memoryBytes).toBe(CONTAINER_MEMORY);
  });

  it("has an item for each problem, agent and attempt, and no name twice", () => {
    const problem = aProblem("/packs/sample", 3);
    const all = itemsOf({ ...plan, policy: independent(2) }, [problem, { ...problem, name: "other" }]);
    expect(all).toHaveLength(20);
    expect(new Set(all.map(({ id }) => id)).size).toBe(20);
    expect(all[0]).toMatchObject({ id: "sample/reference/1", checkpoints: 3, attempts: 2 });
    expect(itemsOf({ ...plan, policy: roundwise(4, 1) }, [problem])).toHaveLength(5);
    expect(() => itemsOf(plan, [problem, problem])).toThrow(/two problems called sample/u);
    expect(() => itemsOf(plan, [])).toThrow(/no problem/u);
  });

  it("takes agents in a word", () => {
    const model: ModelSource = {
      ...{ kind: "model", endpoint: "http://localhost:1/v1", model: "small", keyEnv: undefined },
      ...{ contextTokens: undefined, prices: undefined },
    };
    const defaults = { passEnv: ["KEY"], model };
    expect(agentOfWord("command:a=b solve", "/", defaults)).toEqual({
      name: "command",
      source: { kind: "command", command: "a=b solve", passEnv: ["KEY"] },
    });
    expect(agentOfWord("fast=command: solve", "/", defaults).name).toBe("fast");
    expect(agentOfWord("replay:runs/old", "/w", defaults)).toEqual({
      name: "old",
      source: { kind: "replay", folder: "/w/runs/old" },
    });
    expect(agentOfWord("claude-code:some/model:1", "/w", defaults)).toEqual({
      name: "claude-code:some/model:1",
      source: {
        ...{ kind: "named", agent: "claude-code", model: "some/model:1" },
        thinking: undefined,
      },
    });
    expect(agentOfWord("mine=own/solver.yaml", "/w", defaults)).toMatchObject({
      name: "mine",
      source: { agent: "/w/own/solver.yaml", model: undefined },
    });
    expect(agentOfWord("model", "/w", defaults)).toEqual({ name: "small", source: model });
    expect(agentOfWord("big=model:large", "/w", defaults)).toEqual({
      name: "big",
      source: { ...model, model: "large" },
    });
    for (const word of ["replay:", "replay", "command", "two words"])
      expect(() => agentOfWord(word, "/", defaults)).toThrow(/There is no agent/u);
  });
});

it.each([
  ["good=command:solve", "good"],
  ["command:solve", undefined],
  ["reference", undefined],
  ["fine=reference", "fine"],
  ["mine:small", undefined],
])("an agent has a name of its own where one is given: %s", (word, name) => {
  expect(ownName(agentOfWord(word, root, { passEnv: [], model: undefined }))).toBe(name);
});
