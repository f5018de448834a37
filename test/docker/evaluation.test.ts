import path from "node:path";
import process from "node:process";
import Docker from "dockerode";
import { describe, expect, it } from "vitest";
import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import { LABEL } from "../../src/core/sandbox/docker/labels.js";
import { describeEvaluation, fixtureEnvironment } from "../unit/evaluation/scenarios.js";
import { FILES, SOLUTIONS, tryCheckpoint, type Trial } from "../unit/evaluation/support.js";
import { IMAGE } from "../support/image.js";

const environment = fixtureEnvironment(`type: docker\ndocker: { image: "${IMAGE}", workdir: /workspace }`);
const sandbox = new DockerSandbox({ harness: FILES.harness });

const attack = (solution: string): Promise<Trial> =>
  tryCheckpoint(sandbox, environment, "attacked", "checkpoint_1", {
    solution: path.join(SOLUTIONS, solution),
  });

describe("evaluation in Docker", { timeout: 600_000 }, () => {
  describeEvaluation(sandbox, environment);

  it("loads nothing of the workspace into pytest", async () => {
    const { evaluation, statuses } = await attack("shadows");
    expect(evaluation.reason).toBeUndefined();
    expect(statuses).toEqual({
      test_adds: "failed",
      test_adds_more: "failed",
      test_files_are_untouched: "passed",
    });
  });

  it("takes no results from the solution, which cannot learn what makes them genuine", async () => {
    const { evaluation, statuses, outcomeOf } = await attack("forger");
    expect(evaluation.reason).toBeUndefined();
    expect(statuses).toEqual({
      test_adds: "failed",
      test_adds_more: "failed",
      test_files_are_untouched: "passed",
    });
    expect(outcomeOf("test_adds").message).toContain("nothing found");
  });

  it("keeps the hidden tests whole when the solution tries to do away with them", async () => {
    const { evaluation, statuses } = await attack("destroyer");
    expect(evaluation.reason).toBeUndefined();
    expect(statuses).toEqual({
      test_adds: "passed",
      test_adds_more: "passed",
      test_files_are_untouched: "passed",
    });
  });

  it("leaves no container behind", async () => {
    const label = { label: [`${LABEL.run}=test-${process.pid}`] };
    expect(await new Docker().listContainers({ all: true, filters: label })).toEqual([]);
  });
});
