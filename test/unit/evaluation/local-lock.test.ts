import { mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inLocalTurn } from "../../../src/core/evaluation/local-lock.js";

const nothing = (): void => undefined;
const never = new AbortController().signal;
let folder: string;
let lock: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-lock-"));
  lock = path.join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true }));

describe("inLocalTurn", () => {
  it("lets one in at a time and leaves nothing behind, also when one throws", async () => {
    let inside = 0;
    let most = 0;
    let waits = 0;
    const visit = (index: number): Promise<number> =>
      inLocalTurn(
        async () => {
          most = Math.max(most, ++inside);
          await new Promise(setImmediate);
          inside--;
          if (index === 1) throw new Error("mine");
          return index;
        },
        () => waits++,
        never,
        lock,
      );
    const results = await Promise.allSettled([visit(0), visit(1), visit(2)]);
    expect(most).toBe(1);
    expect(waits).toBe(2);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await expect(stat(lock)).rejects.toThrow("ENOENT");
  });

  it("takes over the lock of a program that died, or that stopped giving signs of life", async () => {
    await writeFile(lock, "999999999");
    expect(await inLocalTurn(() => Promise.resolve("in"), nothing, never, lock)).toBe("in");
    await writeFile(lock, String(process.pid));
    const longAgo = new Date(Date.now() - 600_000);
    await utimes(lock, longAgo, longAgo);
    expect(await inLocalTurn(() => Promise.resolve("in"), nothing, never, lock)).toBe("in");
  });

  it("stops waiting when it is cancelled", async () => {
    await writeFile(lock, String(process.pid));
    const controller = new AbortController();
    const waiting = inLocalTurn(() => Promise.resolve(), nothing, controller.signal, lock);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect((await stat(lock)).isFile()).toBe(true);
  });

  it.skipIf(process.platform !== "linux")("names a dead program's lock that it cannot remove", async () => {
    // Nobody can remove this file, and it holds the first number that no process ever has: like a file of another
    // user in a shared temporary folder.
    const foreign = "/proc/sys/kernel/pid_max";
    const taking = inLocalTurn(() => Promise.resolve(), nothing, never, foreign);
    await expect(taking).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining(foreign) as string,
    });
  });
});
