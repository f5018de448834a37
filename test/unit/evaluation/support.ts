import path from "node:path";
import process from "node:process";
import { evaluate } from "../../../src/core/evaluation/evaluate.js";
import type {
  Evaluation,
  EvaluationListener,
  EvaluationRequest,
} from "../../../src/core/evaluation/evaluation.js";
import type { Environment } from "../../../src/core/model/environment.js";
import { productFilesIn } from "../../../src/core/model/files.js";
import type { TestIdentity, TestOutcome } from "../../../src/core/model/outcome.js";
import { readPack } from "../../../src/core/problem/pack.js";
import type { Sandbox } from "../../../src/core/sandbox/sandbox.js";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

export const FILES = productFilesIn(ROOT);

/** An outcome, passed and core unless told otherwise. */
export function outcome(parts: Partial<TestOutcome>): TestOutcome {
  return {
    id: "test_it",
    checkpoint: "checkpoint_1",
    group: "Core",
    file: "test_checkpoint_1.py",
    line: 1,
    status: "passed",
    durationMs: 1,
    message: undefined,
    ...parts,
  };
}

/** A listener that writes down what it hears, in order. */
export class Diary implements EvaluationListener {
  readonly lines: string[] = [];

  constructor(private readonly whenStarted: () => void = () => undefined) {}

  onPreparing(line: string): void {
    this.lines.push(`preparing ${line}`);
  }

  onCollected(tests: readonly TestIdentity[]): void {
    this.lines.push(`collected ${tests.length}`);
  }

  onStarted(test: TestIdentity): void {
    this.lines.push(`started ${test.id}`);
    this.whenStarted();
  }

  onFinished(done: TestOutcome): void {
    this.lines.push(`${done.status} ${done.id}`);
  }
}

/** Folder of the small packs made for these tests. */
export const PACKS = path.join(ROOT, "test/fixtures/packs");
/** Folder of solutions that belong to no checkpoint. */
export const SOLUTIONS = path.join(ROOT, "test/fixtures/solutions");

export interface Trial {
  readonly evaluation: Evaluation;
  readonly diary: Diary;
  /** Status by test id. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly outcomeOf: (id: string) => TestOutcome;
}

export interface TrialOptions {
  /** Absolute folder; default the pack's own solution. */
  readonly solution?: string;
  readonly signal?: AbortSignal;
  readonly limits?: EvaluationRequest["limits"];
  /** Called when a test starts. */
  readonly whenStarted?: () => void;
}

/** Evaluates a checkpoint of a fixture pack. */
export async function tryCheckpoint(
  sandbox: Sandbox,
  environment: Environment,
  pack: string,
  checkpointName: string,
  options: TrialOptions = {},
): Promise<Trial> {
  const folder = path.join(PACKS, pack);
  const { problem, faults } = await readPack(folder);
  const checkpoint = problem?.checkpoints.find(({ name }) => name === checkpointName);
  if (problem === undefined || checkpoint === undefined) {
    throw new Error(`${pack} has no ${checkpointName}: ${faults.map(({ message }) => message).join("; ")}`);
  }
  const diary = new Diary(options.whenStarted);
  const evaluation = await evaluate(
    {
      problem,
      checkpoint,
      environment,
      sandbox,
      snapshot: options.solution ?? path.join(folder, "solutions", checkpointName),
      owner: { run: `test-${process.pid}`, turn: `${pack}/${checkpointName}` },
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    },
    diary,
    FILES,
    options.signal ?? new AbortController().signal,
  );
  const statuses = Object.fromEntries(evaluation.outcomes.map(({ id, status }) => [id, status]));
  return {
    evaluation,
    diary,
    statuses,
    outcomeOf: (id) => {
      const found = evaluation.outcomes.find((one) => one.id === id);
      if (found === undefined) throw new Error(`no outcome of ${id}: ${JSON.stringify(statuses)}`);
      return found;
    },
  };
}
