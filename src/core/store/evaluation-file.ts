import type { Evaluation } from "../evaluation/evaluation.js";
import type { GroupCounts, TestOutcome, TestStatus } from "../model/outcome.js";
import { GROUPS } from "../model/problem.js";
import type { Checkpoint, Group, Problem } from "../model/problem.js";
import { coarse, countOutcomes } from "./counts.js";
import { Fields } from "../model/fields.js";

/** What an `evaluation.json` tells, in either of its forms. */
export interface StoredEvaluation {
  readonly outcomes: readonly TestOutcome[];
  readonly infrastructureFailure: boolean;
  readonly exitCode: number | undefined;
  readonly seconds: number | undefined;
}

/** SCB's `evaluation.json` in the form of its releases of 2026, with all four groups. */
export function evaluationDocument(
  evaluation: Evaluation,
  problem: Problem,
  checkpoint: Checkpoint,
): Readonly<Record<string, unknown>> {
  const counts = countOutcomes(evaluation.outcomes);
  return {
    schema_version: 1,
    problem_name: problem.name,
    problem_version: problem.version,
    checkpoint_name: checkpoint.name,
    checkpoint_version: checkpoint.version,
    duration: evaluation.seconds,
    entrypoint: evaluation.entrypoint,
    tests: testsDocument(evaluation.outcomes),
    pass_counts: perGroup(counts, ({ passed }) => passed),
    total_counts: perGroup(counts, ({ passed, failed }) => passed + failed),
    pytest_exit_code: evaluation.pytestExitCode ?? -1,
    pytest_collected: evaluation.collected,
    test_collection_hash: null,
    infrastructure_failure: !evaluation.valid,
  };
}

function perGroup(
  counts: GroupCounts,
  figure: (count: GroupCounts[Group]) => number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(GROUPS.map((group) => [group, figure(counts[group])]));
}

function testsDocument(
  outcomes: readonly TestOutcome[],
): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const tests: Record<string, Record<"passed" | "failed" | "skipped", string[]>> = {};
  for (const { checkpoint, group, status, id } of outcomes) {
    const key = `${checkpoint}-${group}`;
    const bucket = (tests[key] ??= { passed: [], failed: [], skipped: [] });
    bucket[coarse(status)].push(id);
  }
  return tests;
}

const STATUSES: readonly TestStatus[] = ["passed", "failed", "skipped", "error"];

/** Reads an `evaluation.json`: tests as a mapping, or as the list that releases before December 2025 wrote. */
export function readEvaluation(document: unknown): StoredEvaluation {
  const fields = new Fields(document);
  return {
    outcomes: fields.isList("tests") ? readList(fields.list("tests")) : readMapping(fields.fields("tests")),
    infrastructureFailure: fields.flag("infrastructure_failure") ?? false,
    exitCode: fields.number("pytest_exit_code"),
    seconds: fields.number("duration"),
  };
}

function readMapping(tests: Fields): TestOutcome[] {
  return tests.keys.flatMap((key) => {
    const dash = key.lastIndexOf("-");
    const group = groupNamed(key.slice(dash + 1));
    if (group === undefined || dash < 0) return [];
    const checkpoint = key.slice(0, dash);
    const buckets = tests.fields(key);
    const file = fileOf(checkpoint);
    return STATUSES.flatMap((status) =>
      buckets.texts(status).map((id) => outcome({ id, checkpoint, group, file, status })),
    );
  });
}

function readList(tests: readonly unknown[]): TestOutcome[] {
  return tests.flatMap((test) => {
    const fields = new Fields(test);
    const [id, checkpoint] = [fields.text("id"), fields.text("checkpoint")];
    const group = groupNamed(fields.text("group_type") ?? "");
    const status = fields.oneOf("status", STATUSES);
    if (id === undefined || checkpoint === undefined || group === undefined || status === undefined)
      return [];
    const stored = outcome({ id, checkpoint, group, file: fileOf(checkpoint), status });
    return [{ ...stored, durationMs: fields.number("duration_ms") }];
  });
}

function fileOf(checkpoint: string): string {
  return `test_${checkpoint}.py`;
}

type Known = Pick<TestOutcome, "id" | "checkpoint" | "group" | "file" | "status">;

/** Written out, because a spread of so many small objects takes several times as long. */
function outcome({ id, checkpoint, group, file, status }: Known): TestOutcome {
  return { id, checkpoint, group, file, line: undefined, status, durationMs: undefined, message: undefined };
}

function groupNamed(name: string): Group | undefined {
  return GROUPS.find((group) => group.toLowerCase() === name.toLowerCase());
}
