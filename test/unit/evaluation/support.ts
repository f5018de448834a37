import path from "node:path";
import type { EvaluationListener } from "../../../src/core/evaluation/evaluation.js";
import type { ProductFiles } from "../../../src/core/model/files.js";
import type { TestIdentity, TestOutcome } from "../../../src/core/model/outcome.js";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

export const FILES: ProductFiles = {
  dist: path.join(ROOT, "dist"),
  rules: path.join(ROOT, "rules"),
  harness: path.join(ROOT, "harness"),
  templates: path.join(ROOT, "templates"),
  environments: path.join(ROOT, "environments"),
  examples: path.join(ROOT, "examples"),
};

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
  collected: readonly TestIdentity[] = [];

  onPreparing(line: string): void {
    this.lines.push(`preparing ${line}`);
  }

  onCollected(tests: readonly TestIdentity[]): void {
    this.collected = tests;
    this.lines.push(`collected ${tests.length}`);
  }

  onStarted(test: TestIdentity): void {
    this.lines.push(`started ${test.id}`);
  }

  onFinished(done: TestOutcome): void {
    this.lines.push(`${done.status} ${done.id}`);
  }
}
