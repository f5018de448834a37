import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programAgent } from "../../../src/core/agent/program/program-agent.js";
import { readAgent } from "../../../src/core/agent/program/catalogue.js";
import { environmentSecrets } from "../../../src/core/agent/program/secrets.js";
import { createAnalyzer } from "../../../src/core/analysis/analyzer.js";
import { productFilesIn } from "../../../src/core/model/files.js";
import { DEFAULT_POLICY } from "../../../src/core/model/policy.js";
import { runTrajectory } from "../../../src/core/trajectory/loop.js";
import type { TrajectoryRequest } from "../../../src/core/trajectory/services.js";
import { ROOT } from "../packs/support.js";
import { scripted } from "./agents.js";
import { newStage, verdicts, type Stage } from "./stage.js";

const files = productFilesIn(ROOT);
const real = createAnalyzer(files, { mode: "inline" });
const never = new AbortController().signal;
let stage: Stage;

beforeEach(async () => {
  stage = await newStage();
});

afterEach(async () => {
  await stage[Symbol.asyncDispose]();
});

async function lay(name: string, text: string): Promise<void> {
  await writeFile(path.join(stage.root, "pack/tests", name), text);
}

async function take(part: Partial<TrajectoryRequest>): Promise<(string | undefined)[]> {
  const analyzer = {
    ...stage.services.analyzer,
    outlinePython: (paths: readonly string[], signal: AbortSignal) => real.outlinePython(paths, signal),
  };
  const services = { ...stage.services, analyzer };
  return verdicts(await runTrajectory(stage.request(part), services, stage.hear, never));
}

function warnings(): string[] {
  return stage.events.flatMap((event) =>
    event.type === "log" && event.level === "warn" ? [event.message] : [],
  );
}

const BROKEN = "def test_a():\n    assert f(1\n";

describe("before an agent is asked", () => {
  it.each(["test_checkpoint_2.py", "test_checkpoint_1.py", "helper.py", "conftest.py"])(
    "a run is refused whose %s Python cannot read",
    async (name) => {
      await lay(name, BROKEN);
      const agent = scripted(() => ({}));
      const checkpoints = ["checkpoint_1", "checkpoint_2"];
      await expect(take({ agent, checkpoints })).rejects.toMatchObject({
        code: "pack-invalid",
        message: `The hidden tests of sample cannot be run: tests/${name}:2:13: Python cannot read this: "(" is never closed`,
      });
      expect(agent.notes).toEqual([]);
      expect(stage.events).toEqual([]);
    },
  );

  it("what checkpoints that are not asked for are judged by keeps nobody from running", async () => {
    await lay("test_checkpoint_3.py", BROKEN);
    await lay("test_other.py", BROKEN);
    expect(await take({ checkpoints: ["checkpoint_1"] })).toEqual(["passed", "skipped", "skipped"]);
    expect(warnings()).toEqual([]);
  });

  it("what is odd is told, and the run goes on", async () => {
    await lay("test_checkpoint_1.py", "import pytest\n");
    await lay("test_checkpoint_2.py", "import pytest\n@pytest.mark.eror\ndef test_a(): pass\n");
    expect(await take({ checkpoints: ["checkpoint_1", "checkpoint_2"] })).toHaveLength(3);
    expect(warnings()).toEqual([
      expect.stringMatching(/^tests\/test_checkpoint_1\.py: This file holds no test/u),
      expect.stringMatching(/^tests\/test_checkpoint_2\.py:2:2: There is no marker "eror"/u),
    ]);
  });

  it.each([{ steps: 5 }, { costUsd: 1 }, { problemCostUsd: 2 }])(
    "limits of %j that cannot hold an agent are told",
    async (limits) => {
      const policy = { ...DEFAULT_POLICY, limits: { ...DEFAULT_POLICY.limits, ...limits } };
      const agent = { ...scripted(() => ({})), usageUnknown: true };
      await take({ agent, policy });
      expect(warnings()).toEqual(["Steps and cost are not known of command, so their limits do not hold it"]);
      stage.events.length = 0;
      await take({ agent: { ...agent, usageUnknown: false }, policy });
      expect(warnings()).toEqual([]);
    },
  );

  it("a model that the agent does not list is told with those that it lists", async () => {
    const definition = await readAgent("claude-code", [files.agents], ROOT);
    const secrets = environmentSecrets({});
    const remarksOf = async (model: string | undefined): Promise<readonly string[]> => {
      const options = { model, thinking: undefined, secrets, hostEnv: {} };
      return (await programAgent(definition, options)).remarks ?? [];
    };
    expect(await remarksOf(undefined)).toEqual([]);
    expect(await remarksOf(definition.models[0])).toEqual([]);
    expect(await remarksOf("other")).toEqual([
      `claude-code does not list the model other; it is handed on as it is. Listed: ${definition.models.join(", ")}`,
    ]);
  });
});
