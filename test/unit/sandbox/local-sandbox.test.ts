import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import type { PreparedImage } from "../../../src/core/sandbox/sandbox.js";
import { environment, gather, HARNESS, NEVER, sessionRequest, temporaryFolder } from "./support.js";

const cache = temporaryFolder();
const sandbox = new LocalSandbox({ harness: HARNESS, cacheFolder: cache.path });
let image: PreparedImage;

beforeAll(async () => {
  const request = { environment: environment(), testDependencies: [], requirementsFrom: undefined };
  image = await sandbox.prepare(request, () => undefined, NEVER);
}, 120_000);

afterAll(() => {
  cache[Symbol.dispose]();
});

describe("local sandbox", () => {
  it("runs the command with the interpreter that has pytest", async () => {
    await using session = await sandbox.open(
      sessionRequest({
        image,
        environment: environment(),
        command: (roots) => [
          roots.testPython,
          "-c",
          "import pytest,sys;print(pytest.__version__);sys.exit(3)",
        ],
      }),
      NEVER,
    );
    const result = await gather(session);
    expect(result).toMatchObject({ exitCode: 3, timedOut: false, stderr: "" });
    expect(result.stdout).toMatch(/^\d+\.\d+/u);
  });
});
