import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { defaultJobs } from "../../../src/core/queue/capacity.js";
import { countQueue, remainingSeconds } from "../../../src/core/queue/estimate.js";
import { FakeLoop, Gate, GIB, items, queueOf, settle, states } from "./support.js";

const lost = (): SlopLensError => new SlopLensError("engine-lost", "The engine is gone", "Start it.");

describe("order", () => {
  it("lets every agent and every problem move before anything is tried twice", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.add(items(3, 2, 2));
    await loop.drain();
    await queue.settled();
    const first = loop.begun.slice(0, 6);
    expect(first.every((id) => id.endsWith("/1"))).toBe(true);
    expect(first.slice(0, 2)).toEqual(["p1/a1/1", "p2/a2/1"]);
    expect(new Set(first.slice(0, 3).map((id) => id.split("/")[0]))).toEqual(new Set(["p1", "p2", "p3"]));
    const agents = loop.begun.map((id) => id.split("/")[1]);
    for (let at = 0; at < agents.length; at += 2) expect(new Set(agents.slice(at, at + 2)).size).toBe(2);
    expect(new Set(loop.begun).size).toBe(12);
  });

  it("gives items that are added later their turn", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.add(items(1, 1, 3));
    queue.add(items(2, 1).slice(1));
    await loop.drain();
    expect(loop.begun).toEqual(["p1/a1/1", "p2/a1/1", "p1/a1/2", "p1/a1/3"]);
  });
});

describe("bounds", () => {
  it("never runs more at once than it may, and as many as it may", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 3 });
    queue.add(items(4, 2));
    await loop.drain();
    await queue.settled();
    expect(loop.mostAtOnce).toBe(3);
    expect(Object.values(states(queue))).toEqual(Array(8).fill("finished"));
  });

  it("keeps what containers may take within the memory, and lets one run alone whatever it takes", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 8, memoryBytes: 2.5 * GIB });
    const [big, ...others] = items(4, 1).map((item, index) =>
      index === 0 ? { ...item, memoryBytes: 10 * GIB } : item,
    );
    queue.add(big === undefined ? [] : [big, ...others]);
    await settle();
    expect([...loop.running.keys()]).toEqual(["p1/a1/1"]);
    await loop.step("p1/a1/1");
    await loop.step("p1/a1/1");
    expect([...loop.running.keys()]).toEqual(["p2/a1/1", "p3/a1/1"]);
    queue.setBounds(8, 4 * GIB);
    await settle();
    expect(loop.running.size).toBe(3);
    await loop.drain();
  });

  it("are cores, or fewer where memory is short", () => {
    expect(defaultJobs({ cpus: 8, memoryBytes: 64 * GIB })).toBe(8);
    expect(defaultJobs({ cpus: 8, memoryBytes: 15.5 * GIB })).toBe(3);
    expect(defaultJobs({ cpus: 8, memoryBytes: 2 * GIB })).toBe(1);
    expect(defaultJobs({ cpus: 4, memoryBytes: 0 })).toBe(4);
    expect(defaultJobs({ cpus: 8, memoryBytes: 16 * GIB }, 2 * GIB)).toBe(8);
  });
});

describe("pause", () => {
  it("lets turns in progress end, begins neither turns nor items, and goes on where it was", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 2 });
    queue.add(items(3, 1));
    await settle();
    queue.pause();
    await loop.step("p1/a1/1");
    await loop.step("p2/a1/1");
    const turns = queue.status.items.map(({ turn, progress }) => [turn?.order, progress?.phase]);
    expect(turns).toEqual([
      [1, undefined],
      [1, undefined],
      [undefined, undefined],
    ]);
    expect(loop.begun).toHaveLength(2);
    expect(queue.status.pause).toEqual({ by: "user", reason: "paused" });
    queue.resume();
    await settle();
    expect(queue.status.items.map(({ turn }) => turn?.order)).toEqual([2, 2, undefined]);
    await loop.drain();
    expect(Object.values(states(queue))).toEqual(["finished", "finished", "finished"]);
  });

  it("does not keep a cancelled item waiting", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop);
    queue.add(items(1, 1));
    await settle();
    queue.pause();
    await loop.step("p1/a1/1");
    queue.cancel("p1/a1/1");
    await queue.settled();
    expect(states(queue)).toEqual({ "p1/a1/1": "cancelled" });
  });
});

describe("cancel", () => {
  it("of one frees its place and touches no other", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop);
    queue.add(items(4, 1));
    await settle();
    queue.cancel("p1/a1/1");
    queue.cancel("p4/a1/1");
    await settle();
    expect(states(queue)).toEqual({
      "p1/a1/1": "cancelled",
      "p2/a1/1": "running",
      "p3/a1/1": "running",
      "p4/a1/1": "cancelled",
    });
    await loop.drain();
    await queue.settled();
    expect(loop.begun).toEqual(["p1/a1/1", "p2/a1/1", "p3/a1/1"]);
  });

  it("of all ends what runs and begins nothing", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop);
    queue.add(items(4, 1));
    await settle();
    await loop.step("p1/a1/1");
    await loop.step("p1/a1/1");
    queue.cancelAll();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["finished", "cancelled", "cancelled", "cancelled"]);
    expect(loop.begun).toHaveLength(3);
  });

  it("by an interrupt leaves items that can be gone on with", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.add(items(2, 1));
    await settle();
    queue.interrupt();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["interrupted", "interrupted"]);
  });
});

describe("trouble", () => {
  it("of one item ends no other, and is told with it", async () => {
    const loop = new FakeLoop();
    loop.troubles.set("p1/a1/1", [new SlopLensError("agent-invalid", "Nothing to replay", "Choose.")]);
    loop.troubles.set("p2/a1/1", [new TypeError("not a function")]);
    const queue = queueOf(loop);
    queue.add(items(3, 1));
    await loop.drain();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["failed", "failed", "finished"]);
    expect(queue.status.items.map(({ reason }) => reason)).toEqual([
      "Nothing to replay. Choose.",
      "not a function",
      undefined,
    ]);
    expect(queue.status.pause).toBeUndefined();
  });

  it("of the engine pauses the queue with the reason; what met it is taken again when the engine is back", async () => {
    const loop = new FakeLoop();
    loop.troubles.set("p1/a1/1", [lost()]);
    const engine = new Gate();
    const queue = queueOf(loop, { jobs: 1, recover: engine.wait });
    queue.add(items(3, 1));
    await loop.drain();
    expect(queue.status.pause).toEqual({ by: "trouble", reason: "The engine is gone. Start it." });
    expect(Object.values(states(queue))).toEqual(["waiting", "waiting", "waiting"]);
    expect(loop.begun).toEqual(["p1/a1/1"]);
    engine.open();
    await loop.drain();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["finished", "finished", "finished"]);
    const [first] = queue.status.items;
    expect(first).toMatchObject({ tries: 2, left: ["/runs/p1-a1-1-1"] });
  });

  it("of the engine that never comes back interrupts what is left", async () => {
    const loop = new FakeLoop();
    loop.troubles.set("p1/a1/1", [lost()]);
    const queue = queueOf(loop, { jobs: 1, recover: () => Promise.reject(new Error("too late")) });
    queue.add(items(2, 1));
    await loop.drain();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["interrupted", "interrupted"]);
    expect(queue.status.items[0]?.reason).toBe("The engine is gone. Start it.");
  });

  it("that an item meets again and again is its own", async () => {
    const loop = new FakeLoop();
    loop.troubles.set("p1/a1/1", [lost(), lost(), lost()]);
    const queue = queueOf(loop, { jobs: 1, recover: () => Promise.resolve() });
    queue.add(items(2, 1));
    await loop.drain();
    await queue.settled();
    expect(Object.values(states(queue))).toEqual(["failed", "finished"]);
    expect(queue.status.items[0]?.tries).toBe(3);
  });

  it("does not end a pause that the user asked for", async () => {
    const loop = new FakeLoop();
    loop.troubles.set("p1/a1/1", [lost()]);
    const engine = new Gate();
    const queue = queueOf(loop, { jobs: 1, recover: engine.wait });
    queue.add(items(1, 1));
    await loop.drain();
    queue.pause();
    engine.open();
    await settle();
    expect(queue.status.pause?.by).toBe("user");
    queue.cancelAll();
    await queue.settled();
  });
});

describe("how far a queue is", () => {
  it("counts checkpoints, and reckons the rest by what is done", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop);
    queue.add(items(3, 1));
    await settle();
    await loop.step("p1/a1/1");
    expect(countQueue(queue.status.items)).toEqual({
      ...{ running: 2, waiting: 1, over: 0, items: 3 },
      ...{ checkpointsDone: 1, checkpointsTaken: 1, checkpoints: 6 },
    });
    expect(remainingSeconds(1, 5, 10)).toBe(50);
    expect(remainingSeconds(0, 6, 10)).toBeUndefined();
    await loop.drain();
    expect(countQueue(queue.status.items)).toMatchObject({ checkpointsDone: 6, checkpointsTaken: 6 });
  });

  it.each(["failed", "cancelled"] as const)(
    "takes no time from what a %s run did not come to",
    async (end) => {
      const loop = new FakeLoop();
      const queue = queueOf(loop, {
        take: (item, taking) =>
          end === "failed" && item.problem === "p1"
            ? Promise.reject(new SlopLensError("bad-input", "The tests cannot be read"))
            : loop.take(item, taking),
      });
      queue.add(items(2, 1));
      await settle();
      if (end === "cancelled") queue.cancel("p1/a1/1");
      await settle();
      expect(states(queue)).toEqual({ "p1/a1/1": end, "p2/a1/1": "running" });
      expect(countQueue(queue.status.items)).toMatchObject({ checkpointsDone: 2, checkpointsTaken: 0 });
      await loop.drain();
      await queue.settled();
    },
  );
});
