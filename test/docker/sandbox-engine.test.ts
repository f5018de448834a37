import { spawnSync } from "node:child_process";
import { chmodSync, linkSync, writeFileSync } from "node:fs";
import { createServer, createConnection, type Server, type Socket } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import process from "node:process";

import { afterEach, describe, expect, it } from "vitest";

import { pause } from "../../src/core/sandbox/deadline.js";
import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import { formatStamp, ownStamp } from "../../src/core/sandbox/process-stamp.js";
import { gather, HARNESS, NEVER, sessionRequest, temporaryFolder } from "../unit/sandbox/support.js";
import { dockerEnvironment, engine, IMAGE, newSandbox, ownContainers } from "./sandbox-support.js";

const plain = dockerEnvironment();
const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };

afterEach(async () => {
  expect(await ownContainers()).toEqual([]);
});

/** A way to the engine that can be cut. */
async function cuttable(socket: string): Promise<{ readonly host: string; cut(): Promise<void> }> {
  const connections = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = createConnection("/var/run/docker.sock");
    for (const end of [client, upstream]) {
      connections.add(end);
      end.on("error", () => undefined);
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    host: `unix://${socket}`,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const connection of connections) connection.destroy();
      }),
  };
}

/** Root may do everything: takes its rights away while `work` goes on. Others have none to lose. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("an engine", () => {
  it("that is not there is missing", async () => {
    const sandbox = new DockerSandbox({ harness: HARNESS, host: "unix:///nowhere/docker.sock" });
    await expect(sandbox.prepare(request, () => undefined, NEVER)).rejects.toMatchObject({
      code: "engine-missing",
    });
  });

  it("behind a file that is no socket is missing", async () => {
    using folder = temporaryFolder();
    const file = path.join(folder.path, "docker.sock");
    writeFileSync(file, "");
    const sandbox = new DockerSandbox({ harness: HARNESS, host: `unix://${file}` });
    await expect(sandbox.describeEngine(NEVER)).rejects.toMatchObject({ code: "engine-missing" });
  });

  it("that may not be used is denied", async () => {
    using folder = temporaryFolder();
    const socket = path.join(folder.path, "docker.sock");
    const way = await cuttable(socket);
    // Once while it is allowed, so that everything is loaded that only root may read.
    await new DockerSandbox({ harness: HARNESS, host: way.host }).describeEngine(NEVER);
    chmodSync(socket, 0);
    // Under another name, because a connection that stands is used again.
    const renamed = path.join(folder.path, "renamed.sock");
    linkSync(socket, renamed);
    const sandbox = new DockerSandbox({ harness: HARNESS, host: `unix://${renamed}` });
    await asNobody(() =>
      expect(sandbox.describeEngine(NEVER)).rejects.toMatchObject({ code: "engine-denied" }),
    );
    await way.cut();
  });

  it("that never answers is lost in time", async () => {
    using folder = temporaryFolder();
    const socket = path.join(folder.path, "docker.sock");
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => mute.listen(socket, resolve));
    const sandbox = new DockerSandbox({ harness: HARNESS, host: `unix://${socket}` });
    await expect(sandbox.describeEngine(NEVER)).rejects.toMatchObject({ code: "engine-lost" });
    await expect(sandbox.describeEngine(AbortSignal.timeout(100))).rejects.toMatchObject({
      code: "cancelled",
    });
    mute.close();
  }, 20_000);

  it("that goes away while a command runs is lost, and what is left goes when it answers again", async () => {
    using folder = temporaryFolder();
    const way = await cuttable(path.join(folder.path, "docker.sock"));
    const sandbox = new DockerSandbox({ harness: HARNESS, host: way.host });
    const image = await sandbox.prepare(request, () => undefined, NEVER);
    const session = await sandbox.open(
      sessionRequest({ image, environment: plain, command: () => ["sleep", "300"] }),
      NEVER,
    );
    const ending = expect(gather(session)).rejects.toMatchObject({ code: "engine-lost" });
    await pause(700);
    await way.cut();
    await ending;
    await session[Symbol.asyncDispose]();

    const left = await ownContainers();
    expect(left).toHaveLength(1);
    // Its process lives, but is done with it: the command may still be at work, so it goes once the engine answers.
    await newSandbox().removeOrphans(NEVER);
    expect(await ownContainers()).toEqual([]);
  }, 60_000);

  it("can be described", async () => {
    const description = await newSandbox().describeEngine(NEVER);
    expect(description.version).toMatch(/^\d+\./u);
    expect(description.host).toContain("docker.sock");
  });
});

describe("orphans", () => {
  async function container(labels: Record<string, string>): Promise<string> {
    const { id } = await engine.createContainer({ Image: IMAGE, Cmd: ["true"], Labels: labels });
    return id;
  }

  async function exists(id: string): Promise<boolean> {
    return (await engine.listContainers({ all: true })).some((present) => present.Id === id);
  }

  it("of dead processes are removed, and nothing else", async () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    const dead = formatStamp({ host: hostname(), pid: gone, started: "1" });
    const elsewhere = formatStamp({ host: "another-host", pid: gone, started: "1" });
    const kind = { "slop-lens.kind": "session" };
    const orphan = await container({ ...kind, "slop-lens.process": dead });
    const kept = [
      await container({ ...kind, "slop-lens.process": formatStamp(ownStamp()) }),
      await container({ ...kind, "slop-lens.process": elsewhere }),
      await container({ "slop-lens.process": dead }),
      await container({}),
    ];
    try {
      expect(await newSandbox().removeOrphans(NEVER)).toBeGreaterThanOrEqual(1);
      expect(await exists(orphan)).toBe(false);
      for (const id of kept) expect(await exists(id)).toBe(true);
    } finally {
      for (const id of kept) await engine.getContainer(id).remove({ force: true });
    }
  });
});
