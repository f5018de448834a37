import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Problem } from "../../../src/core/model/problem.js";
import { independent } from "../../../src/core/model/policy.js";
import { attemptsLeft, unfinishedQueues } from "../../../src/core/queue/queue-file.js";
import { PLAN_DEFAULTS, type QueuePlan } from "../../../src/core/queue/queue-plan.js";
import { newQueue, resumedQueue, type QueueStart } from "../../../src/core/queue/queue-start.js";
import { attemptOf } from "../../../src/core/queue/take-planned.js";
import { KeptQueues } from "../../../src/editor/run/kept-queues.js";
import type { RunPlan } from "../../../src/editor/run/plan.js";
import { queueLines } from "../../../src/editor/run/queue-words.js";
import { WindowQueue, type OpenQueue, type RunMeans } from "../../../src/editor/run/window-queue.js";
import { keptQueueRows } from "../../../src/editor/tree/queue-rows.js";
import * as make from "./support.js";

let root: string;
let problems: readonly Problem[];
let plan: QueuePlan;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-window-"));
  problems = ["shelf", "shop", "desk"].map((name) => make.problem(name, 2));
  plan = {
    ...PLAN_DEFAULTS,
    problems: problems.map(({ folder }) => folder),
    base: root,
    agents: [{ name: "reference", source: { kind: "reference" } }],
    jobs: 1,
    runs: root,
  };
});
afterEach(() => rm(root, { recursive: true }));

/** A window whose engine ends the runs of some problems at once, and others only when the window ends. */
class Window {
  readonly begun: RunPlan[] = [];
  readonly queue: WindowQueue;
  end: Promise<unknown> = Promise.resolve();

  constructor(ending: readonly string[]) {
    const engine: RunMeans["engine"] = async (taken, _listener, signal) => {
      this.begun.push(taken);
      const { name } = taken.problem;
      if (ending.includes(name)) return [make.run(path.join(root, name), [make.turn(1)])];
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new SlopLensError("cancelled", "Cancelled"));
        });
      });
      return [];
    };
    this.queue = new WindowQueue({ engine, capacity: () => Promise.resolve({ cpus: 1, memoryBytes: 0 }) });
  }

  async take(start: QueueStart): Promise<OpenQueue> {
    const planOf: OpenQueue["planOf"] = ({ plan: { problem } }) => ({ problem }) as RunPlan;
    const open = { start, file: await start.file(), planOf };
    this.end = this.queue.many([open], { jobs: 1, memoryBytes: 0 }, () => undefined);
    return open;
  }
}

describe("a queue of a window", () => {
  it("is gone on with by the next window from where it stands", async () => {
    const first = new Window(["shelf"]);
    const { file } = await first.take(newQueue(plan, problems));
    await expect.poll(() => first.begun.length).toBe(2);
    await first.queue.stop();
    await first.end;
    const [found] = await unfinishedQueues(root);
    if (found === undefined) throw new Error("two runs are left");
    expect(found.file).toBe(file.file);
    expect(keptQueueRows([found]).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      "Interrupted queue | 2 of 3 runs left",
    ]);

    const start = await resumedQueue(found.file, found.queue, problems);
    expect(queueLines(start.earlier)).toEqual([
      "shop · reference: begins",
      "desk · reference: begins",
      "",
      "1 run stays as it is.",
      "What is taken anew is moved aside, not deleted.",
    ]);
    const second = new Window(["shop", "desk"]);
    await second.take(start);
    await second.end;
    expect(second.begun.map(({ problem }) => problem.name)).toEqual(["shop", "desk"]);
    expect(second.begun[0]?.queued).toMatchObject({
      ...{ queue: path.basename(file.file), item: { id: "shop/reference/1" } },
      before: { folder: undefined },
    });
    expect(await unfinishedQueues(root)).toEqual([]);
  });

  it("offers no queue that this window works on, nor one that is over", async () => {
    const window = new Window(["shelf"]);
    const kept = new KeptQueues({ unfinished: unfinishedQueues }, (file) => window.queue.keeps(file));
    const seen: number[] = [];
    kept.onDidChange(() => seen.push(kept.queues.length));
    await window.take(newQueue(plan, problems));
    await expect.poll(() => window.begun.length).toBe(2);
    await kept.look([root]);
    expect(kept.queues).toEqual([]);
    await window.queue.stop();
    await window.end;
    await kept.look([root, root]);
    expect(kept.queues).toHaveLength(1);
    expect(seen).toEqual([1]);
    kept.dispose();
  });

  it("has its waiting attempts for itself: a resumed attempt of the same group takes none of them", async () => {
    const window = new Window([]);
    const policy = independent(2);
    const { file } = await window.take(newQueue({ ...plan, policy }, problems.slice(0, 1)));
    await expect.poll(() => window.begun.length).toBe(1);
    const item = { problem: "shelf", agent: "reference", attempt: 1, attempts: 2, id: "", checkpoints: 2 };
    const attempt = attemptOf({ ...item, memoryBytes: 0 }, path.basename(file.file));
    const folder = path.join(root, "first");
    const part = { problem: "shelf", folder: path.join(folder, "shelf"), turns: [] };
    const setting = { run: make.run(folder, []), part, attempt };
    expect(await attemptsLeft(setting)).toEqual([]);
    await window.queue.stop();
    await window.end;
    expect(await attemptsLeft(setting)).toEqual([{ ...attempt, index: 2 }]);
  });

  it("is not left for a next window once the user has cancelled it", async () => {
    const window = new Window([]);
    await window.take(newQueue(plan, problems));
    window.queue.cancelAll();
    await window.end;
    expect(await unfinishedQueues(root)).toEqual([]);
  });
});
