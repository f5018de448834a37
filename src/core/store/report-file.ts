import type { Evaluation } from "../evaluation/evaluation.js";
import type { TestIdentity, TestOutcome, TestStatus } from "../model/outcome.js";
import { Fields } from "../model/fields.js";

/** SCB lays hidden tests here below the workspace, and node ids begin with it. */
const TESTS_FOLDER = ".evaluation_tests";
const LONGEST_MESSAGE = 8000;
const PHASES = ["setup", "call", "teardown"] as const;
/** Where a phase says what failed, best first. */
const MESSAGE_KEYS = ["longreprtext", "longrepr"];

/** What a pytest report adds to an outcome. */
export interface TestDetail {
  readonly durationMs: number | undefined;
  readonly message: string | undefined;
  /** 1-based. */
  readonly line: number | undefined;
  readonly status: TestStatus | undefined;
}

/** Key of a test within one evaluation. */
export function testKey(test: Pick<TestIdentity, "checkpoint" | "id">): string {
  return `${test.checkpoint}::${test.id}`;
}

/** An `evaluation/report.json` in the form of pytest-json-report, as far as SCB's readers use it. */
export function reportDocument(evaluation: Evaluation, finishedAt: Date): Readonly<Record<string, unknown>> {
  const { outcomes } = evaluation;
  const statuses = new Set(outcomes.map(({ status }) => status));
  const counts = [...statuses].map((status) => [
    status,
    outcomes.filter((one) => one.status === status).length,
  ]);
  return {
    created: finishedAt.getTime() / 1000,
    duration: evaluation.seconds,
    exitcode: evaluation.pytestExitCode ?? -1,
    root: "",
    environment: {},
    summary: { ...Object.fromEntries(counts), total: outcomes.length, collected: evaluation.collected },
    tests: outcomes.map(testDocument),
  };
}

function testDocument(outcome: TestOutcome): Readonly<Record<string, unknown>> {
  const { group, status, message } = outcome;
  const marker = group === "Core" ? [] : [group.toLowerCase()];
  const phase = status === "error" || status === "skipped" ? "setup" : "call";
  const phases = {
    setup: { duration: 0, outcome: "passed" },
    [phase]: {
      duration: (outcome.durationMs ?? 0) / 1000,
      outcome: status === "error" ? "failed" : status,
      ...(message === undefined ? {} : { longrepr: message }),
    },
    teardown: { duration: 0, outcome: "passed" },
  };
  return {
    nodeid: `${TESTS_FOLDER}/${outcome.file}::${outcome.id}`,
    ...(outcome.line === undefined ? {} : { lineno: outcome.line - 1 }),
    outcome: status,
    keywords: [outcome.id, ...marker, outcome.file],
    ...phases,
  };
}

/** Details by {@link testKey}. Node ids of other folders than SCB's are understood as well. */
export function readReport(document: unknown): ReadonlyMap<string, TestDetail> {
  const details = new Map<string, TestDetail>();
  for (const test of new Fields(document).list("tests")) {
    const fields = new Fields(test);
    const match = /(?:^|\/)test_(?<checkpoint>[^/]+?)\.py::(?<id>[^]+)$/u.exec(fields.text("nodeid") ?? "");
    const checkpoint = match?.groups?.["checkpoint"];
    const id = match?.groups?.["id"];
    if (checkpoint !== undefined && id !== undefined)
      details.set(testKey({ checkpoint, id }), readDetail(fields));
  }
  return details;
}

const STATUS_OF: Readonly<Record<string, TestStatus>> = {
  passed: "passed",
  failed: "failed",
  error: "error",
  skipped: "skipped",
  xfailed: "skipped",
  xpassed: "passed",
};

function readDetail(test: Fields): TestDetail {
  const durations = PHASES.map((phase) => test.fields(phase).number("duration"));
  const seconds = durations.reduce<number>((sum, duration) => sum + (duration ?? 0), 0);
  const line = test.number("lineno");
  return {
    durationMs: durations.every((duration) => duration === undefined) ? undefined : seconds * 1000,
    message: failureMessage(test),
    line: line === undefined ? undefined : line + 1,
    status: STATUS_OF[test.text("outcome") ?? ""],
  };
}

/** The words of the first phase that did not pass; the call's before those of setup and teardown, as SCB reads it. */
function failureMessage(test: Fields): string | undefined {
  for (const phase of ["call", "setup", "teardown"]) {
    const fields = test.fields(phase);
    const outcome = fields.text("outcome");
    if (outcome === undefined || outcome === "passed") continue;
    const texts = [...MESSAGE_KEYS.map((key) => fields.text(key)), fields.fields("crash").text("message")];
    const message = texts.find((text) => text !== undefined && text !== "");
    if (message !== undefined) return shorten(message);
  }
  return undefined;
}

/** Keeps the end of a long message: pytest puts what failed last. */
export function shorten(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `…${message.slice(1 - LONGEST_MESSAGE)}`;
}
