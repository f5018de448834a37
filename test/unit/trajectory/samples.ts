import path from "node:path";
import type { Environment } from "../../../src/core/model/environment.js";
import type { GroupCounts } from "../../../src/core/model/outcome.js";
import type { Problem } from "../../../src/core/model/problem.js";
import type { QualityTotals } from "../../../src/core/model/quality.js";
import type { Run } from "../../../src/core/model/run.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { parseEnvironment } from "../../../src/core/problem/environment-file.js";
import type { Sandbox } from "../../../src/core/sandbox/sandbox.js";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";

const NONE = { passed: 0, failed: 0, skipped: 0 };

/** A problem called `sample` with checkpoints 1 to `checkpoints`; its files need not exist. */
export function aProblem(folder: string, checkpoints: number): Problem {
  return {
    name: "sample",
    folder,
    version: 1,
    description: "A sample.",
    tags: ["test"],
    category: "cli-tools",
    difficulty: "Easy",
    author: undefined,
    entryFile: "shelf",
    checkpoints: Array.from({ length: checkpoints }, (_, index) => ({
      name: `checkpoint_${index + 1}`,
      version: 1,
      order: index + 1,
      state: "Core Tests" as const,
      includePriorTests: true,
      timeoutSeconds: 10,
      env: {},
      specPath: path.join(folder, `checkpoint_${index + 1}.md`),
    })),
    staticAssets: [],
    markers: [],
    testDependencies: [],
  };
}

export function anEnvironment(): Environment {
  return parseEnvironment(
    'type: local\nname: here\ncommands: { entry_file: "{entry_file}.py", command: python }\n',
    "here.yaml",
  );
}

/** For code that must get along without a sandbox. */
export const noSandbox: Sandbox = {
  kind: "local",
  isolated: false,
  prepare: () => Promise.resolve({ reference: "none", pythonVersion: "3.12.0", warnings: [] }),
  open: () => Promise.reject(new Error("not to be opened")),
};

export function counts(part: Partial<GroupCounts>): GroupCounts {
  return { Core: NONE, Functionality: NONE, Error: NONE, Regression: NONE, ...part };
}

export function totals(part: Partial<QualityTotals>): QualityTotals {
  return {
    verbosity: 0,
    erosion: 0,
    cogErosion: 0,
    filesScanned: 1,
    totalLoc: 0,
    verbosityFlaggedLoc: 0,
    cloneLoc: 0,
    astGrepFlaggedLoc: 0,
    trivialWrapperLoc: 0,
    trivialWrappers: 0,
    totalFunctions: 0,
    highCcFunctions: 0,
    highCogFunctions: 0,
    maxCc: 0,
    totalMass: 0,
    highCcMass: 0,
    totalCogMass: 0,
    highCogMass: 0,
    ...part,
  };
}

/** A finished turn; `measured` gives it quality. */
export function aTurn(order: number, part: Partial<Turn>, measured?: Partial<QualityTotals>): Turn {
  return {
    id: `sample/checkpoint_${order}`,
    problem: "sample",
    checkpoint: `checkpoint_${order}`,
    order,
    parent: order === 1 ? null : `sample/checkpoint_${order - 1}`,
    origin: "agent",
    session: "fresh",
    snapshotHash: "00",
    verdict: "passed",
    reason: undefined,
    counts: counts({}),
    outcomes: [],
    quality:
      measured === undefined
        ? undefined
        : {
            profile: "scb-0.1.3",
            rules: { name: "slop-lens", count: 30, hash: "00" },
            totals: totals(measured),
            heaviest: [],
          },
    usage: NO_USAGE,
    folder: `/runs/1/sample/checkpoint_${order}`,
    startedAt: undefined,
    finishedAt: undefined,
    ...part,
  };
}

export function aRun(turns: readonly Turn[], part: Partial<Run> = {}): Run {
  return {
    folder: "/runs/1",
    agent: { type: "command", version: undefined, model: undefined, detail: "my-agent" },
    prompt: "just-solve",
    environment: "python3.12",
    isolation: "docker",
    startedAt: "2026-01-02T03:04:05.000Z",
    state: "finished",
    problems: [{ problem: "sample", folder: "/runs/1/sample", turns }],
    faults: [],
    ...part,
  };
}
