import { mkdirSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { pause } from "../../src/core/sandbox/deadline.js";
import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import type { PreparedImage, SandboxSession } from "../../src/core/sandbox/sandbox.js";
import { tryCheckpoint, PACKS } from "../unit/evaluation/support.js";
import { gather, HARNESS, NEVER, sessionRequest, temporaryFolder } from "../unit/sandbox/support.js";
import { environment as hostile } from "./hostile-support.js";
import { Way } from "./engine-way.js";
import { dockerEnvironment, engine, ownContainers } from "./sandbox-support.js";

const plain = dockerEnvironment();
const folder = temporaryFolder();

async function open(
  sandbox: DockerSandbox,
  image: PreparedImage,
  command: readonly string[],
): Promise<SandboxSession> {
  return sandbox.open(sessionRequest({ image, environment: plain, command: () => command }), NEVER);
}

beforeAll(async () => {
  const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
  await new DockerSandbox({ harness: HARNESS }).prepare(request, () => undefined, NEVER);
});

// What an engine that is gone could not remove; for real the next start does it.
afterAll(async () => {
  for (const id of await ownContainers()) await engine.getContainer(id).remove({ force: true });
  folder[Symbol.dispose]();
});

describe("an engine that begins anew", { timeout: 90_000 }, () => {
  it("has ended its containers; their commands did not end themselves", async () => {
    const way = new Way(path.join(folder.path, "anew"));
    const sandbox = new DockerSandbox({ harness: HARNESS, host: way.host });
    const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
    const image = await sandbox.prepare(request, () => undefined, NEVER);
    const session = await open(sandbox, image, ["sh", "-c", "echo begun; exec sleep 600"]);
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const run = session.run(
      {
        stdin: undefined,
        onStdout: () => {
          begin();
        },
        onStderr: () => undefined,
      },
      NEVER,
    );
    run.catch(() => undefined);
    await begun;
    way.cut();
    for (const id of await ownContainers()) await engine.getContainer(id).kill();
    await pause(1_000);
    way.thaw();
    await expect(run).rejects.toMatchObject({ code: "engine-lost" });
    await session[Symbol.asyncDispose]();
    expect(await ownContainers()).toEqual([]);
    way.end();
  });
});

describe.concurrent("an engine that falls silent is lost in time", { timeout: 90_000 }, () => {
  async function start(name: string): Promise<{ way: Way; sandbox: DockerSandbox; image: PreparedImage }> {
    const way = new Way(path.join(folder.path, name));
    const sandbox = new DockerSandbox({ harness: HARNESS, host: way.host });
    const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
    return { way, sandbox, image: await sandbox.prepare(request, () => undefined, NEVER) };
  }

  it("while a command runs", async () => {
    const { way, sandbox, image } = await start("running");
    const session = await open(sandbox, image, ["sh", "-c", "sleep 1; echo begun; sleep 600"]);
    const run = session.run(
      {
        stdin: undefined,
        onStdout: () => {
          way.freeze();
        },
        onStderr: () => undefined,
      },
      NEVER,
    );
    await expect(run).rejects.toMatchObject({ code: "engine-lost" });
    await session[Symbol.asyncDispose]();
    way.end();
  });

  it("while the workspace is copied out", async () => {
    const { way, sandbox, image } = await start("copying");
    const script = "for n in 1 2 3; do head -c 20000000 /dev/zero > file$n; done";
    const session = await open(sandbox, image, ["sh", "-c", script]);
    await gather(session);
    const target = path.join(folder.path, "out");
    mkdirSync(target);
    let files = 0;
    const copy = session.collect(
      target,
      () => {
        files += 1;
        way.freeze();
        return true;
      },
      NEVER,
    );
    await expect(copy).rejects.toMatchObject({
      code: "engine-lost",
      message: expect.stringMatching(/silent/u) as unknown,
    });
    expect(files).toBe(1);
    way.end();
  });

  it("while the hidden tests run, which then are not scored", async () => {
    const way = new Way(path.join(folder.path, "testing"));
    const evaluation = tryCheckpoint(
      new DockerSandbox({ harness: HARNESS, host: way.host }),
      hostile,
      "every_outcome",
      "checkpoint_1",
      {
        solution: path.join(PACKS, "every_outcome/solutions/checkpoint_1"),
        whenStarted: () => {
          way.freeze();
        },
      },
    );
    await expect(evaluation).rejects.toMatchObject({ code: "engine-lost" });
    way.end();
  });
});
