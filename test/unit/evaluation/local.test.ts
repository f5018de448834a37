import path from "node:path";
import { describe, expect, it } from "vitest";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import { describeEvaluation, fixtureEnvironment } from "./scenarios.js";
import { FILES, ROOT, SOLUTIONS, tryCheckpoint } from "./support.js";

const sandbox = new LocalSandbox({ harness: FILES.harness, cacheFolder: path.join(ROOT, ".cache/local") });
const environment = fixtureEnvironment("type: local");

describe.skipIf(process.platform === "win32")("evaluation in processes of this machine", () => {
  describeEvaluation(sandbox, environment);

  it("loads nothing of the workspace into pytest", async () => {
    const { evaluation, statuses } = await tryCheckpoint(sandbox, environment, "attacked", "checkpoint_1", {
      solution: path.join(SOLUTIONS, "shadows"),
    });
    expect(evaluation.reason).toBeUndefined();
    expect(statuses).toEqual({
      test_adds: "failed",
      test_adds_more: "failed",
      test_files_are_untouched: "passed",
    });
  });
});
