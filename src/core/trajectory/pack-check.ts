import path from "node:path";
import type { Analyzer } from "../analysis/analysis.js";
import { wantedTestFiles } from "../evaluation/assembly.js";
import { testFaults } from "../evaluation/check-tests.js";
import { SlopLensError } from "../model/errors.js";
import type { Checkpoint, Fault, Problem } from "../model/problem.js";

/**
 * Looks into the hidden tests that checkpoints are judged by, so that nobody pays an agent for what cannot be judged.
 * @returns what is odd in them and does not keep them from running, a line each
 * @throws SlopLensError pack-invalid with the first fault, cancelled
 */
export async function checkHiddenTests(
  problem: Problem,
  checkpoints: readonly Checkpoint[],
  analyzer: Pick<Analyzer, "outlinePython">,
  signal: AbortSignal,
): Promise<string[]> {
  const { folder } = problem;
  const faults = (await testFaults([problem], analyzer, signal)).get(folder) ?? [];
  const wanted = new Set(checkpoints.flatMap((checkpoint) => wantedTestFiles(problem, checkpoint)));
  const met = faults.filter(({ file }) => {
    const name = path.basename(file);
    return wanted.has(name) || !/^test_.*\.py$/u.test(name);
  });
  const [first, ...more] = met.filter(({ severity }) => severity === "error");
  if (first === undefined) return met.map((fault) => faultText(folder, fault));
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new SlopLensError(
    "pack-invalid",
    `The hidden tests of ${problem.name} cannot be run: ${faultText(folder, first)}${others}`,
    "No agent is asked before they can be.",
  );
}

/** `tests/test_checkpoint_1.py:3:5: what is wrong`, from the pack's folder. */
function faultText(folder: string, { file, line, column, message }: Fault): string {
  const place = path.relative(folder, file).split(path.sep).join("/");
  return `${[place, line, column].filter((part) => part !== undefined).join(":")}: ${message}`;
}
