import { describe, expect, it, beforeAll } from "vitest";

import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import type { PreparedImage } from "../../src/core/sandbox/sandbox.js";
import { environment, gather, HARNESS, NEVER, sessionRequest } from "../unit/sandbox/support.js";

const IMAGE = process.env["SLOP_LENS_TEST_IMAGE"] ?? "slop-lens-test/python:bookworm";
const docker = environment({
  type: "docker",
  docker: { image: IMAGE, workdir: "/workspace", extraMounts: {}, network: undefined, user: undefined },
});
const sandbox = new DockerSandbox({ harness: HARNESS });
let image: PreparedImage;

beforeAll(async () => {
  const t = performance.now();
  image = await sandbox.prepare(
    { environment: docker, testDependencies: [], requirementsFrom: undefined },
    (l) => console.log(l),
    NEVER,
  );
  console.log("prepare", performance.now() - t, image);
  const t2 = performance.now();
  image = await sandbox.prepare(
    { environment: docker, testDependencies: [], requirementsFrom: undefined },
    (l) => console.log(l),
    NEVER,
  );
  console.log("warm", performance.now() - t2);
});

describe("docker", () => {
  it("runs", async () => {
    for (let i = 0; i < 4; i++) {
      const t = performance.now();
      await using session = await sandbox.open(
        sessionRequest({
          image,
          environment: docker,
          placements: [
            { source: { content: "hi\n" }, root: "workspace", target: "a/b.txt", owner: "solution" },
          ],
          command: () => ["sh", "-c", "id; cat a/b.txt; ls -la . a; echo $PATH; cat; python -V; exit 3"],
        }),
        NEVER,
      );
      const t1 = performance.now();
      const result = await gather(session, { stdin: "stdin!\n" });
      const t2 = performance.now();
      await session[Symbol.asyncDispose]();
      console.log("open", t1 - t, "run", t2 - t1, "dispose", performance.now() - t2);
      if (i == 0) console.log(result);
      expect(result.exitCode).toBe(3);
    }
  });
});
