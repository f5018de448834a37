import type { GroupCounts, TestIdentity, TestOutcome } from "../../../src/core/model/outcome.js";
import type { PackReading, Problem } from "../../../src/core/model/problem.js";
import type { CallableMetrics, QualityReport, QualityTotals } from "../../../src/core/model/quality.js";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn, TurnProgress, TurnQuality } from "../../../src/core/model/turn.js";
import type { LibraryReaders } from "../../../src/editor/library/reread.js";
import { EMPTY_STATE, type LibraryState } from "../../../src/editor/library/state.js";
import type { TurnFiles } from "../../../src/editor/library/turn-files.js";
import type { TreeNode } from "../../../src/editor/tree/node.js";

const NONE = { passed: 0, failed: 0, skipped: 0 };
export const NO_COUNTS: GroupCounts = { Core: NONE, Functionality: NONE, Error: NONE, Regression: NONE };

export function problem(name: string, checkpoints: number): Problem {
  return {
    name,
    folder: `/packs/${name}`,
    version: 1,
    description: "",
    tags: [],
    category: "tools",
    difficulty: "Easy",
    author: undefined,
    entryFile: name,
    checkpoints: Array.from({ length: checkpoints }, (_, index) => ({
      name: `checkpoint_${index + 1}`,
      version: 1,
      order: index + 1,
      state: "Verified" as const,
      includePriorTests: true,
      timeoutSeconds: undefined,
      env: {},
      specPath: `/packs/${name}/checkpoint_${index + 1}.md`,
    })),
    staticAssets: [],
    markers: [],
    testDependencies: [],
  };
}

export function pack(reading: Problem): PackReading {
  return { folder: reading.folder, name: reading.name, problem: reading, markers: [], faults: [] };
}

export function test(id: string, part: Partial<TestIdentity> = {}): TestIdentity {
  return {
    id,
    checkpoint: "checkpoint_1",
    group: "Core",
    file: "test_checkpoint_1.py",
    line: undefined,
    ...part,
  };
}

export function outcome(id: string, part: Partial<TestOutcome> = {}): TestOutcome {
  return { ...test(id), status: "passed", durationMs: 41, message: undefined, ...part };
}

const TOTALS: QualityTotals = {
  verbosity: 0,
  erosion: 0,
  cogErosion: 0,
  filesScanned: 1,
  totalLoc: 10,
  verbosityFlaggedLoc: 0,
  cloneLoc: 0,
  astGrepFlaggedLoc: 0,
  trivialWrapperLoc: 0,
  trivialWrappers: 0,
  totalFunctions: 1,
  highCcFunctions: 0,
  highCogFunctions: 0,
  maxCc: 1,
  totalMass: 0,
  highCcMass: 0,
  totalCogMass: 0,
  highCogMass: 0,
};

export function totals(part: Partial<QualityTotals>): QualityTotals {
  return { ...TOTALS, ...part };
}

export function quality(part: Partial<QualityTotals>): TurnQuality {
  const rules = { name: "slop-lens", count: 1, hash: "0" };
  return { profile: "scb-0.1.3", rules, totals: totals(part), heaviest: [] };
}

export function callable(name: string, part: Partial<CallableMetrics> = {}): CallableMetrics {
  const base = { path: "app.py", name, qualifiedName: name, kind: "function" as const, start: 1, end: 9 };
  return { ...base, cc: 1, cognitive: 0, sloc: 4, mass: 2, decisions: [], ...part };
}

export function report(part: Partial<QualityReport> = {}): QualityReport {
  return {
    ...quality({}),
    overall: totals({}),
    languages: [{ language: "python", totals: totals({}), syntaxNodes: 0 }],
    functions: [],
    clones: [],
    matches: [],
    suppressed: [],
    structural: [],
    skipped: [],
    ...part,
  };
}

export function turn(order: number, part: Partial<Turn> = {}): Turn {
  const checkpoint = `checkpoint_${order}`;
  return {
    id: `shelf/${checkpoint}`,
    problem: "shelf",
    checkpoint,
    order,
    parent: null,
    origin: "replay",
    session: "fresh",
    snapshotHash: "abc",
    verdict: "passed",
    reason: undefined,
    counts: NO_COUNTS,
    outcomes: [],
    quality: undefined,
    usage: {
      costUsd: undefined,
      steps: undefined,
      inputTokens: undefined,
      outputTokens: undefined,
      cacheReadTokens: undefined,
      cacheWriteTokens: undefined,
      reasoningTokens: undefined,
      agentSeconds: undefined,
      testSeconds: undefined,
    },
    folder: `/runs/a/shelf/${checkpoint}`,
    startedAt: undefined,
    finishedAt: undefined,
    ...part,
  };
}

export function run(folder: string, turns: readonly Turn[], part: Partial<Run> = {}): Run {
  return {
    folder,
    agent: { type: "command", version: undefined, model: undefined, detail: undefined },
    prompt: "just-solve",
    environment: "docker",
    isolation: "docker",
    startedAt: "2026-06-02T20:28:00",
    state: "finished",
    problems: [{ problem: "shelf", folder: `${folder}/shelf`, turns }],
    faults: [],
    ...part,
  };
}

export function state(part: Partial<LibraryState>): LibraryState {
  return { ...EMPTY_STATE, ...part };
}

/** A disk that holds what is asked for, and neither packs nor runs. */
export const NO_DISK: LibraryReaders = {
  packs: () => Promise.resolve([]),
  runs: () => Promise.resolve([]),
  runFolders: () => Promise.resolve([]),
  run: (folder) => Promise.resolve(run(folder, [])),
  isThere: () => Promise.resolve(true),
};

export const NO_PROGRESS: TurnProgress = {
  phase: "testing",
  detail: undefined,
  queued: [],
  running: undefined,
};

/** Turn folders that hold nothing but a prompt; outcomes are as the turn has them. */
export const FILES: Pick<TurnFiles, "promptBytes" | "snapshot" | "outcomes"> = {
  promptBytes: () => Promise.resolve(1900),
  snapshot: () => Promise.resolve({ files: [], left: 0 }),
  outcomes: (turn) => Promise.resolve(turn.outcomes),
};

/** A tree as text, one line a row, to a depth. */
export async function draw(rows: readonly TreeNode[], depth = 9, indent = ""): Promise<string[]> {
  const lines: string[] = [];
  for (const row of rows) {
    const icon = row.icon !== undefined && "codicon" in row.icon ? `(${row.icon.codicon}) ` : "";
    lines.push(`${indent}${icon}${[row.label, row.description].filter((part) => part !== "").join(" | ")}`);
    if (depth > 1) lines.push(...(await draw(await row.children(), depth - 1, `${indent}  `)));
  }
  return lines;
}
