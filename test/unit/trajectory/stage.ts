/** A pack of three checkpoints on disk, with hidden tests that say what is planned; for tests of the loop. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { replayAgent } from "../../../src/core/agent/replay.js";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import type { Evaluation } from "../../../src/core/evaluation/evaluation.js";
import type { TestOutcome, TestStatus } from "../../../src/core/model/outcome.js";
import { DEFAULT_POLICY } from "../../../src/core/model/policy.js";
import type { QualityReport } from "../../../src/core/model/quality.js";
import type { Run, RunEvent } from "../../../src/core/model/run.js";
import { countOutcomes } from "../../../src/core/store/counts.js";
import { readSetting } from "../../../src/core/store/stored-setting.js";
import type { ResumeRequest } from "../../../src/core/trajectory/resume.js";
import type { TrajectoryRequest, TrajectoryServices } from "../../../src/core/trajectory/services.js";
import { aProblem, anEnvironment, noSandbox, totals } from "./samples.js";

/** What the hidden tests of a checkpoint say. */
export type Planned = TestStatus | Partial<Evaluation> | (() => Planned | Promise<never>);

/** All that a test of the loop works with. */
export interface Stage {
  readonly root: string;
  readonly services: TrajectoryServices;
  readonly events: RunEvent[];
  /** By checkpoint; passed where nothing is planned. */
  plan: Record<string, Planned>;
  /** Checkpoints in the order in which they were evaluated. */
  readonly evaluated: string[];
  request(part?: Partial<TrajectoryRequest>): TrajectoryRequest;
  /** To go on with a run as it was made, with what `part` says instead. */
  resumption(run: Pick<Run, "folder">, part?: Partial<ResumeRequest>): Promise<ResumeRequest>;
  readonly hear: (event: RunEvent) => void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function newStage(): Promise<Stage> {
  const root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-loop-"));
  for (const order of [1, 2, 3]) {
    const files = {
      [`pack/solutions/checkpoint_${order}/shelf.py`]: `print(${order})\n`,
      [`pack/checkpoint_${order}.md`]: `Do ${order} in %%%ENTRYPOINT:entry_file%%%.\n`,
      [`pack/tests/test_checkpoint_${order}.py`]: `def test_${order}(): pass\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
  }
  const events: RunEvent[] = [];
  const stage: Stage = {
    ...{ root, events, plan: {}, evaluated: [] },
    services: servicesOf(() => stage),
    hear: (event) => {
      events.push(event);
    },
    request: (part = {}) => ({
      problem: aProblem(path.join(root, "pack"), 3),
      agent: replayAgent({ kind: "solutions" }),
      environment: anEnvironment(),
      prompt: { name: "plain", source: "{{ spec }}{% if is_continuation %} Go on.{% endif %}" },
      runsFolder: path.join(root, "runs"),
      policy: DEFAULT_POLICY,
      analysis: { profile: "scb-0.1.3", rules: SHIPPED_RULES },
      checkpoints: undefined,
      ...part,
    }),
    resumption: async (run, part = {}) => {
      const { problem, agent, environment, analysis } = stage.request();
      return {
        setting: await readSetting(run.folder),
        ...{ problem, agent, environment, analysis, prompt: undefined },
        wishes: { agentErrors: "retry", redo: [] },
        ...part,
      };
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
  return stage;
}

function outcome(checkpoint: string, status: TestStatus): TestOutcome {
  const file = `test_${checkpoint}.py`;
  return {
    id: "test_it",
    checkpoint,
    group: "Core",
    file,
    line: 3,
    status,
    durationMs: 5,
    message: undefined,
  };
}

function evaluation(checkpoint: string, status: TestStatus, part: Partial<Evaluation> = {}): Evaluation {
  const outcomes = [outcome(checkpoint, status)];
  return {
    valid: true,
    reason: undefined,
    outcomes,
    counts: countOutcomes(outcomes),
    pytestExitCode: 0,
    collected: 1,
    seconds: 0.5,
    entrypoint: "python shelf.py",
    pythonVersion: "3.12.0",
    warnings: [],
    stdout: "",
    stderr: "",
    ...part,
  };
}

const measured = totals({ erosion: 0.25, verbosity: 0.5, totalLoc: 1 });
const report: QualityReport = {
  profile: "scb-0.1.3",
  rules: { name: "slop-lens", count: 1, hash: "00" },
  totals: measured,
  overall: measured,
  languages: [{ language: "python", totals: measured, syntaxNodes: 0 }],
  functions: [],
  clones: [],
  matches: [],
  suppressed: [],
  structural: [],
  skipped: [],
};

function servicesOf(stage: () => Stage): TrajectoryServices {
  return {
    sandbox: noSandbox,
    analyzer: {
      ruleSet: () => Promise.resolve(report.rules),
      analyzePaths: () => Promise.resolve(report),
      summarizePaths: () => Promise.reject(new Error("a run takes whole reports")),
      learnPaths: () => Promise.reject(new Error("a run learns for no document")),
      outlinePython: (files) => {
        const plain = { fault: undefined, markers: [], mayHoldTests: true };
        return Promise.resolve(files.map(() => plain));
      },
      openDocument: () => {
        throw new Error("a run edits no document");
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    evaluate: async ({ checkpoint }, listener) => {
      stage().evaluated.push(checkpoint.name);
      let planned: Awaited<Planned> = stage().plan[checkpoint.name] ?? "passed";
      while (typeof planned === "function") planned = await planned();
      const result =
        typeof planned === "string"
          ? evaluation(checkpoint.name, planned)
          : evaluation(checkpoint.name, "passed", planned);
      listener.onCollected(result.outcomes);
      for (const test of result.outcomes) {
        listener.onStarted(test);
        listener.onFinished(test);
      }
      return result;
    },
  };
}

/** The verdicts of a run's first problem. */
export function verdicts(run: Run | undefined): (string | undefined)[] {
  return run?.problems[0]?.turns.map(({ verdict }) => verdict) ?? [];
}
