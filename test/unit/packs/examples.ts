import type { AgentResult } from "../../../src/core/agent/agent.js";
import type { Evaluation } from "../../../src/core/evaluation/evaluation.js";
import type { TestOutcome } from "../../../src/core/model/outcome.js";
import type { QualityReport, QualityTotals } from "../../../src/core/model/quality.js";
import type { Turn, Usage } from "../../../src/core/model/turn.js";
import { countOutcomes } from "../../../src/core/store/counts.js";

/** Values with a telling figure in every field, so that a field that gets lost is seen. */

export const USAGE: Usage = {
  costUsd: 1.25,
  steps: 7,
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: undefined,
  cacheWriteTokens: 0,
  reasoningTokens: undefined,
  agentSeconds: 12.5,
  testSeconds: 3.5,
};

export const AGENT_RESULT: AgentResult = {
  status: "done",
  reason: undefined,
  retryable: false,
  usage: USAGE,
};

const KNOWN = { checkpoint: "checkpoint_2", file: "test_checkpoint_2.py", message: undefined };

export const OUTCOMES: readonly TestOutcome[] = [
  { ...KNOWN, id: "test_more[a b]", group: "Core", status: "passed", line: 4, durationMs: 12.5 },
  {
    ...KNOWN,
    id: "test_err",
    group: "Error",
    status: "failed",
    line: 9,
    durationMs: 8,
    message: "assert 1 == 2",
  },
  {
    ...KNOWN,
    id: "test_fixture",
    group: "Functionality",
    status: "error",
    line: 14,
    durationMs: 2,
    message: "no",
  },
  {
    ...KNOWN,
    id: "test_skip",
    group: "Functionality",
    status: "skipped",
    line: 19,
    durationMs: 0,
    message: "later",
  },
  {
    ...{ id: "test_add", checkpoint: "checkpoint_1", file: "test_checkpoint_1.py", group: "Regression" },
    ...{ status: "passed", line: 2, durationMs: 1, message: undefined },
  },
];

export const EVALUATION: Evaluation = {
  valid: true,
  reason: undefined,
  outcomes: OUTCOMES,
  counts: countOutcomes(OUTCOMES),
  pytestExitCode: 1,
  collected: 5,
  seconds: 3.5,
  entrypoint: "python ledger.py",
  pythonVersion: "3.12.4",
  warnings: [],
  stdout: "out\n",
  stderr: "err\n",
};

const CALLABLE = {
  path: "ledger.py",
  name: "main",
  qualifiedName: "main",
  kind: "function",
  start: 3,
  end: 40,
  cc: 12,
  cognitive: 20,
  sloc: 30,
  mass: 65.7,
  decisions: [{ line: 5, label: "if" }],
} as const;

const TOTALS: QualityTotals = {
  ...{
    verbosity: 0.2,
    erosion: 0.75,
    cogErosion: 0.5,
    filesScanned: 1,
    totalLoc: 50,
    verbosityFlaggedLoc: 10,
  },
  ...{ cloneLoc: 6, astGrepFlaggedLoc: 5, trivialWrapperLoc: 2, trivialWrappers: 1, totalFunctions: 2 },
  ...{ highCcFunctions: 1, highCogFunctions: 1, maxCc: 12, totalMass: 87.6, highCcMass: 65.7 },
  ...{ totalCogMass: 100, highCogMass: 50 },
};

export const QUALITY: QualityReport = {
  profile: "scb-0.1.3",
  rules: { name: "slop-lens", count: 25, hash: "abc" },
  totals: TOTALS,
  overall: TOTALS,
  languages: [{ language: "python", totals: TOTALS, syntaxNodes: 0 }],
  functions: [
    CALLABLE,
    { ...CALLABLE, name: "add", qualifiedName: "Book.add", kind: "method", cc: 2, start: 41, end: 44 },
  ],
  clones: [],
  matches: [
    {
      ...{ path: "ledger.py", start: 7, end: 8, startColumn: 5, endColumn: 20 },
      ...{ rule: "needless-else", message: "Drop the else.", note: undefined },
    },
  ],
  suppressed: [],
  structural: [],
  skipped: [],
};

/** The finished turn that belongs to the values above. */
export function exampleTurn(checkpoint: string, folder: string): Turn {
  return {
    id: `ledger/${checkpoint}`,
    problem: "ledger",
    checkpoint,
    order: checkpoint === "checkpoint_1" ? 1 : 2,
    parent: checkpoint === "checkpoint_1" ? null : "ledger/checkpoint_1",
    origin: "replay",
    session: "fresh",
    snapshotHash: "5ea1",
    verdict: "failed",
    reason: undefined,
    counts: EVALUATION.counts,
    outcomes: OUTCOMES,
    quality: {
      profile: QUALITY.profile,
      rules: QUALITY.rules,
      totals: QUALITY.totals,
      heaviest: QUALITY.functions,
    },
    usage: USAGE,
    folder,
    startedAt: "2026-06-03T12:58:12.000Z",
    finishedAt: "2026-06-03T12:59:12.000Z",
  };
}
