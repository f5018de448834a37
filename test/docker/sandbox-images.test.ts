import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";

import { pack } from "tar-stream";
import { afterEach, describe, expect, it } from "vitest";

import { formatStamp, ownStamp } from "../../src/core/sandbox/process-stamp.js";
import type { ImageRequest } from "../../src/core/sandbox/sandbox.js";
import { gather, NEVER, sessionRequest, temporaryFolder } from "../unit/sandbox/support.js";
import {
  dockerEnvironment,
  engine,
  imagesOfUser,
  newSandbox,
  ownContainers,
  removeImages,
} from "./sandbox-support.js";

const sandbox = newSandbox();
const plain = dockerEnvironment();

afterEach(async () => {
  expect(await ownContainers()).toEqual([]);
});

function imageRequest(fields: Partial<ImageRequest> = {}): ImageRequest {
  return { environment: plain, testDependencies: [], requirementsFrom: undefined, ...fields };
}

/** How many build containers this process creates while `work` runs, as the engine's own events tell. */
async function buildsDuring(work: () => Promise<unknown>): Promise<number> {
  const since = Date.now() / 1000;
  await work();
  const labels = ["slop-lens.kind=build", `slop-lens.process=${formatStamp(ownStamp())}`];
  const filters = { event: ["create"], label: labels };
  const stream: AsyncIterable<unknown> = await new Promise((resolve, reject) => {
    engine.getEvents({ since, until: Date.now() / 1000, filters }, (error, events) => {
      if (events instanceof Readable) resolve(events);
      else reject(new Error(String(error)));
    });
  });
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

describe("the derived image", () => {
  it("is made once and found again without a container", async () => {
    const first = await sandbox.prepare(imageRequest(), () => undefined, NEVER);
    const lines: string[] = [];
    let second = first;
    const containers = await buildsDuring(async () => {
      second = await newSandbox().prepare(imageRequest(), (line) => lines.push(line), NEVER);
    });
    expect([second.reference, lines, containers]).toEqual([first.reference, [], 0]);
    expect(first.pythonVersion).toMatch(/^3\.\d+\.\d+$/u);
  });

  it("carries what a problem's tests ask for on top of what all tests get", async () => {
    const usual = await sandbox.prepare(imageRequest(), () => undefined, NEVER);
    const asked = imageRequest({ testDependencies: ["six==1.16.0"] });
    const image = await sandbox.prepare(asked, () => undefined, NEVER);
    expect(image.reference).not.toBe(usual.reference);
    await using session = await sandbox.open(
      sessionRequest({
        image,
        environment: plain,
        command: (roots) => [roots.testPython, "-c", "import deepdiff, pytest, six; print(six.__version__)"],
      }),
      NEVER,
    );
    expect((await gather(session)).stdout).toBe("1.16.0\n");
  });

  it("cannot be made from an image that cannot be pulled, and the engine says why", async () => {
    const environment = dockerEnvironment({ image: "slop-lens-test/surely:missing" });
    await expect(
      sandbox.prepare(imageRequest({ environment }), () => undefined, NEVER),
    ).rejects.toMatchObject({
      code: "image-unavailable",
      message: expect.stringMatching(
        /^The image slop-lens-test\/surely:missing is not here .*: .+/u,
      ) as string,
      hint: expect.stringContaining("docker pull slop-lens-test/surely:missing") as string,
    });
  });

  it("cannot be made from an image without Python", async () => {
    const archive = pack();
    archive.entry({ name: "hello.txt" }, "hello");
    archive.finalize();
    const repo = "slop-lens-test/empty";
    const stream = await engine.importImage(Readable.from(archive, { objectMode: false }), {
      repo,
      tag: "1",
    });
    await new Promise((resolve) => {
      engine.modem.followProgress(stream, resolve);
    });
    try {
      const environment = dockerEnvironment({ image: `${repo}:1`, user: "4324:4324" });
      await expect(
        sandbox.prepare(imageRequest({ environment }), () => undefined, NEVER),
      ).rejects.toMatchObject({
        code: "image-unsuitable",
        message: expect.stringContaining(`${repo}:1`) as string,
      });
      expect(await imagesOfUser(4324)).toEqual([]);
    } finally {
      await engine.getImage(`${repo}:1`).remove();
    }
  });

  it("refuses an extra mount whose folder is not there", async () => {
    const environment = dockerEnvironment({ user: "4321:4321", extraMounts: { "/no/such/folder": "/x:ro" } });
    await expect(
      sandbox.prepare(imageRequest({ environment }), () => undefined, NEVER),
    ).rejects.toMatchObject({
      code: "environment-invalid",
    });
  });

  it("is given up within two seconds of an abort, and leaves nothing", async () => {
    const controller = new AbortController();
    const environment = dockerEnvironment({ user: "4322:4322" });
    let aborted = 0;
    const preparing = sandbox.prepare(
      imageRequest({ environment }),
      () => {
        if (aborted > 0) return;
        aborted = performance.now();
        controller.abort();
      },
      controller.signal,
    );
    await expect(preparing).rejects.toMatchObject({ code: "cancelled" });
    expect(performance.now() - aborted).toBeLessThan(2000);
    expect(await imagesOfUser(4322)).toEqual([]);
  });

  it("uses the base's own pytest when the package index is out of reach", async () => {
    const env = { PIP_INDEX_URL: "http://127.0.0.1:9/simple" };
    const environment = dockerEnvironment({ user: "4323:4323" }, { env });
    const image = await sandbox.prepare(imageRequest({ environment }), () => undefined, NEVER);
    expect(image.warnings.join()).toMatch(/cannot be reached.*deepdiff/u);
    {
      await using session = await sandbox.open(
        sessionRequest({
          image,
          environment,
          command: (roots) => [roots.testPython, "-c", "import os, pytest; print(os.getuid())"],
        }),
        NEVER,
      );
      expect(await gather(session)).toMatchObject({ exitCode: 0, stdout: "4323\n" });
    }
    const asked = imageRequest({ environment, testDependencies: ["surely-not-installed"] });
    await expect(sandbox.prepare(asked, () => undefined, NEVER)).rejects.toMatchObject({
      code: "dependencies-unavailable",
    });
    expect(await imagesOfUser(4323)).toHaveLength(1);
    await removeImages([image.reference]);
  });
});

describe("the requirements layer", () => {
  it("is made once, also when two ask at the same time, and then found without a container", async () => {
    using solution = temporaryFolder();
    // The time makes it new on every run of the tests.
    writeFileSync(path.join(solution.path, "requirements.txt"), `six==1.16.0  # ${Date.now()}\n`);
    const request = imageRequest({ requirementsFrom: solution.path });
    const containers = await buildsDuring(async () => {
      const [one, two] = await Promise.all([
        sandbox.prepare(request, () => undefined, NEVER),
        newSandbox().prepare(request, () => undefined, NEVER),
      ]);
      expect(one.reference).toBe(two.reference);
    });
    expect(containers).toBe(1);
    let image = await sandbox.prepare(request, () => undefined, NEVER);
    expect(
      await buildsDuring(async () => {
        image = await sandbox.prepare(request, () => undefined, NEVER);
      }),
    ).toBe(0);
    {
      await using session = await sandbox.open(
        sessionRequest({
          image,
          environment: plain,
          command: () => ["python", "-c", "import six; print(six.__version__)"],
        }),
        NEVER,
      );
      expect((await gather(session)).stdout).toBe("1.16.0\n");
    }
    await removeImages([image.reference]);
  });

  it("installs what lies beside it, with the solution's rights, and leaves an empty workspace", async () => {
    using solution = temporaryFolder();
    writeFileSync(path.join(solution.path, "requirements.txt"), `./greeter\n# ${Date.now()}\n`);
    mkdirSync(path.join(solution.path, "greeter"));
    // An attempt on the tests' interpreter while it is installed.
    writeFileSync(
      path.join(solution.path, "greeter", "setup.py"),
      [
        "import os, setuptools",
        "try:",
        "    open('/opt/slop-lens/tests/lib/evil.py', 'w')",
        "    who = 'evil'",
        "except OSError:",
        "    who = str(os.getuid())",
        "open('greeter.py', 'w').write('who = ' + repr(who))",
        "setuptools.setup(name='greeter', version='1', py_modules=['greeter'])",
      ].join("\n"),
    );
    const image = await sandbox.prepare(
      imageRequest({ requirementsFrom: solution.path }),
      () => undefined,
      NEVER,
    );
    expect(image.warnings).toEqual([]);
    {
      await using session = await sandbox.open(
        sessionRequest({
          image,
          environment: plain,
          command: () => ["sh", "-c", "ls -A; python -c 'import greeter; print(greeter.who)'"],
        }),
        NEVER,
      );
      expect((await gather(session)).stdout).toBe("1000\n");
    }
    await removeImages([image.reference]);
  });

  it("warns of what does not exist and goes on", async () => {
    using solution = temporaryFolder();
    writeFileSync(path.join(solution.path, "requirements.txt"), `six==0.0.999\n# ${Date.now()}\n`);
    const image = await sandbox.prepare(
      imageRequest({ requirementsFrom: solution.path }),
      () => undefined,
      NEVER,
    );
    expect(image.warnings.join()).toMatch(/requirements\.txt .*six==0\.0\.999/u);
    await removeImages([image.reference]);
  });
});
