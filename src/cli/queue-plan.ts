import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { Profile } from "../core/model/quality.js";
import { agentOfWord, type WordDefaults } from "../core/queue/agent-word.js";
import { readPlanFile } from "../core/queue/plan-file.js";
import { findUnfinished, isAtWork, readQueueFile } from "../core/queue/queue-file.js";
import { PLAN_DEFAULTS, type QueueAgent, type QueuePlan } from "../core/queue/queue-plan.js";
import { newQueue, resumedQueue, type QueueStart } from "../core/queue/queue-start.js";
import type { CliIo } from "./io.js";
import { findProblem } from "./packs.js";
import { modelSource, type ModelOptions } from "./model-options.js";
import type { PlaceOptions } from "./place.js";
import { choosePolicy, type PolicyOptions } from "./policy-choice.js";

export interface QueueOptions extends PlaceOptions, PolicyOptions, ModelOptions {
  readonly agent: readonly string[] | undefined;
  readonly passEnv: readonly string[] | undefined;
  readonly jobs: number | undefined;
  /** GiB. */
  readonly memory: number | undefined;
  readonly template: string | undefined;
  readonly runs: string | undefined;
  readonly checkpoints: readonly string[] | undefined;
  /** The file of a queue, or true for the newest that did not finish. */
  readonly resume: string | true | undefined;
  readonly profile: Profile;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

/**
 * The queue that the command line asks for: problems and agents, a YAML file, or one that did not finish.
 * @throws SlopLensError bad-input, pack-invalid
 */
export async function queueStart(
  words: readonly string[],
  options: QueueOptions,
  io: CliIo,
): Promise<QueueStart> {
  if (options.resume !== undefined) return resumed(words, options, io);
  const plan = await planOf(words, options, io.cwd);
  const problems = await Promise.all(plan.problems.map((problem) => findProblem(problem, plan.base)));
  // Stored by their folders: what a name means depends on where one stands.
  const placed = { ...plan, problems: problems.map(({ folder }) => path.resolve(folder)) };
  return newQueue(placed, problems);
}

async function planOf(words: readonly string[], options: QueueOptions, cwd: string): Promise<QueuePlan> {
  const [file] = words.length === 1 ? await Promise.all(words.map((word) => queueFileOf(word, cwd))) : [];
  const given = file === undefined ? undefined : await readPlanFile(file, cwd);
  const agents = agentsOf(options, cwd);
  const base: QueuePlan = given ?? {
    ...PLAN_DEFAULTS,
    problems: words,
    base: cwd,
    agents: agents.length === 0 ? [agentOfWord("reference", cwd, NO_DEFAULTS)] : agents,
    runs: path.resolve(cwd, "runs"),
  };
  return withOptions(agents.length === 0 ? base : { ...base, agents }, options, cwd);
}

const NO_DEFAULTS: WordDefaults = { passEnv: [], model: undefined };

/** @throws SlopLensError bad-input for a word that is no agent, and for a model's options without one */
function agentsOf(options: QueueOptions, cwd: string): QueueAgent[] {
  const words = options.agent ?? [];
  const hasModel = words.some((word) => /^(?:[\w.-]+=)?model(?::|$)/u.test(word));
  const model = hasModel ? modelSource(options) : undefined;
  if (!hasModel && (options.endpoint ?? options.model) !== undefined) {
    throw new SlopLensError(
      "bad-input",
      "--endpoint and --model go with --agent model",
      "Name another agent's model behind it: --agent claude-code:MODEL.",
    );
  }
  return words.map((word) => agentOfWord(word, cwd, { passEnv: options.passEnv ?? [], model }));
}

/** What the command line says comes before what the file says. */
async function withOptions(plan: QueuePlan, options: QueueOptions, cwd: string): Promise<QueuePlan> {
  const { runs, timeout } = options;
  return {
    ...plan,
    agents:
      timeout === undefined
        ? plan.agents
        : plan.agents.map((agent) => ({ ...agent, timeoutSeconds: undefined })),
    jobs: options.jobs ?? plan.jobs,
    memoryBytes: bytesOf(options.memory) ?? plan.memoryBytes,
    policy: await choosePolicy(options, cwd, plan.policy),
    environment: pathOf(options.environment, cwd) ?? plan.environment,
    image: options.image ?? plan.image,
    template: pathOf(options.template, cwd) ?? plan.template,
    runs: runs === undefined ? plan.runs : path.resolve(cwd, runs),
    checkpoints: options.checkpoints ?? plan.checkpoints,
  };
}

function pathOf(value: string | undefined, cwd: string): string | undefined {
  return value === undefined || /^[\w-]+$/u.test(value) ? value : path.resolve(cwd, value);
}

/** A YAML file that is not the `config.yaml` of a pack. */
async function queueFileOf(word: string, cwd: string): Promise<string | undefined> {
  const file = path.resolve(cwd, word);
  if (!/\.ya?ml$/u.test(file) || path.basename(file) === "config.yaml") return undefined;
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isFile) return file;
  throw new SlopLensError("bad-input", `There is no queue file ${word}`, "Check the path.");
}

function bytesOf(gibibytes: number | undefined): number | undefined {
  return gibibytes === undefined ? undefined : Math.round(gibibytes * 1024 ** 3);
}

/** What a queue was asked for stands in its file, and so that all its runs can be compared it stays as it was. */
const SETTLED = {
  ...{ template: "--template", checkpoints: "--checkpoints", passEnv: "--pass-env" },
  ...{ endpoint: "--endpoint", model: "--model", keyEnv: "--key-env", context: "--context" },
  ...{ prices: "--prices", policy: "--policy", attempts: "--attempts", beam: "--beam", start: "--start" },
  ...{ session: "--session", timeout: "--timeout", maxSteps: "--max-steps", maxCost: "--max-cost" },
  ...{ maxProblemCost: "--max-problem-cost", idle: "--idle", retries: "--retries" },
} as const satisfies Partial<Record<keyof QueueOptions, string>>;

/** @throws SlopLensError bad-input for an option that would be without effect */
function refuseSettled(options: QueueOptions): void {
  const given = Object.entries(SETTLED).flatMap(([key, option]) =>
    options[key as keyof typeof SETTLED] === undefined ? [] : [option],
  );
  if (given.length === 0) return;
  throw new SlopLensError(
    "bad-input",
    `A queue goes on as it began, so ${given.join(" and ")} cannot be changed with --resume`,
    "Leave it out, or begin a new queue; --environment, --image, --jobs and --memory can be given anew.",
  );
}

/** A stored plan where and beside how many it is to go on now. */
function inPlaceOf(options: QueueOptions, plan: QueuePlan, cwd: string): QueuePlan {
  const { environment, image, jobs, memory } = options;
  return {
    ...plan,
    jobs: jobs ?? plan.jobs,
    memoryBytes: bytesOf(memory) ?? plan.memoryBytes,
    environment: pathOf(environment, cwd) ?? plan.environment,
    // An image was named beside the environment of then, and may have no meaning in another.
    image: image ?? (environment === undefined ? plan.image : undefined),
  };
}

async function resumed(words: readonly string[], options: QueueOptions, io: CliIo): Promise<QueueStart> {
  if (words.length > 0 || options.agent !== undefined) {
    throw new SlopLensError(
      "bad-input",
      "--resume takes problems and agents from the queue's own file",
      "Leave them out.",
    );
  }
  refuseSettled(options);
  const file =
    typeof options.resume === "string"
      ? path.resolve(io.cwd, options.resume)
      : await findUnfinished(path.resolve(io.cwd, options.runs ?? "runs"));
  const stored = await readQueueFile(file);
  if (await isAtWork(file, stored)) {
    const where = `process ${stored.runner?.pid ?? "?"}`;
    throw new SlopLensError("bad-input", `${file} is at work in ${where}`, "Wait for its end.");
  }
  const plan = inPlaceOf(options, stored.plan, io.cwd);
  const problems = await Promise.all(plan.problems.map((problem) => findProblem(problem, plan.base)));
  return resumedQueue(file, { ...stored, plan }, problems);
}
