import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { EvaluationRequest } from "../../src/core/evaluation/evaluation.js";
import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import { fixtureEnvironment } from "../unit/evaluation/scenarios.js";
import { FILES, tryCheckpoint, type Trial } from "../unit/evaluation/support.js";
import { temporaryFolder } from "../unit/sandbox/support.js";
import { IMAGE } from "../support/image.js";

export const environment = fixtureEnvironment(
  `type: docker\ndocker: { image: "${IMAGE}", workdir: /workspace }`,
);
export const sandbox = new DockerSandbox({ harness: FILES.harness });

/** What a solution does that is not meant to be done. */
export interface Attack {
  /** Body of a Python function that is called for the word `attack`; what it prints is checked to be 30. */
  readonly code: string;
  /** Files beside the entry file. */
  readonly files?: Readonly<Record<string, string>>;
  /** Does more to the solution's folder on the host. */
  readonly prepare?: (folder: string) => void;
  /** What the tool adds to every sum; default 0. */
  readonly error?: number;
  readonly limits?: EvaluationRequest["limits"];
  /** How long the test waits for it; default 8. */
  readonly seconds?: number;
  /** Shell lines that the environment runs before the tests. */
  readonly setup?: readonly string[];
}

/**
 * Evaluates a solution that makes an attack; by default of the pack `hostile`, where the tests before and after it only
 * add numbers.
 */
export async function evaluateAttack(
  attack: Attack,
  pack = "hostile",
  checkpoint = "checkpoint_1",
): Promise<Trial> {
  using folder = temporaryFolder();
  const code = attack.code
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
  const entry = [
    "import ctypes, errno, os, signal, socket, subprocess, sys, time",
    `def attack():\n${code}`,
    'if sys.argv[1] == "attack":\n    attack()',
    `else:\n    print(sum(map(int, sys.argv[1:])) + ${attack.error ?? 0})`,
  ];
  const files = { ...attack.files, "adder.py": `${entry.join("\n")}\n` };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
    writeFileSync(path.join(folder.path, name), text);
  }
  attack.prepare?.(folder.path);
  const env = {
    ...environment.env,
    ...(attack.seconds === undefined ? {} : { HOSTILE_SECONDS: `${attack.seconds}` }),
  };
  const setup = { ...environment.setup, evalCommands: attack.setup ?? environment.setup.evalCommands };
  return await tryCheckpoint(sandbox, { ...environment, env, setup }, pack, checkpoint, {
    solution: folder.path,
    ...(attack.limits === undefined ? {} : { limits: attack.limits }),
  });
}

/** The outcomes in the order of the tests: `+` passed, `-` failed, `!` error. */
export function outcomesOf({ statuses }: Trial): string {
  const order = ["test_before", "test_attack", "test_after", "test_port_is_free", "test_files_are_whole"];
  const signs: Readonly<Record<string, string>> = { passed: "+", failed: "-", error: "!" };
  return order.map((id) => signs[statuses[id] ?? ""] ?? "?").join("");
}
