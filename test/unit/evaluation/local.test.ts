import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import { describeEvaluation, fixtureEnvironment } from "./scenarios.js";
import { FILES, ROOT, SOLUTIONS, tryCheckpoint } from "./support.js";

const sandbox = new LocalSandbox({ harness: FILES.harness, cacheFolder: path.join(ROOT, ".cache/local") });
const environment = fixtureEnvironment("type: local");

// A temporary folder of our own, so that evaluations of other programs do not hold the turn.
const usual = process.env["TMPDIR"];
const folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-evaluation-"));
process.env["TMPDIR"] = folder;

afterAll(async () => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  await rm(folder, { recursive: true });
});

describe.skipIf(process.platform === "win32")(
  "evaluation in processes of this machine",
  { timeout: 120_000 },
  () => {
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
  },
);
