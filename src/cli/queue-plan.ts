import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { PassPolicy } from "../core/model/policy.js";
import type { Profile } from "../core/model/quality.js";
import { agentOfWord } from "../core/queue/agent-word.js";
import { waiting, type ItemStatus, type QueueItem } from "../core/queue/item.js";
import { readPlanFile } from "../core/queue/plan-file.js";
import { findUnfinished, isAtWork, QueueFile, readQueueFile } from "../core/queue/queue-file.js";
import { itemsOf, PLAN_DEFAULTS, type PlannedRun, type QueuePlan } from "../core/queue/queue-plan.js";
import { isUnfinished, type StoredItem } from "../core/queue/queue-record.js";
import { readRun } from "../core/store/read-run.js";
import type { CliIo } from "./io.js";
import { findProblem } from "./packs.js";
import type { PlaceOptions } from "./place.js";

export interface QueueOptions extends PlaceOptions {
  readonly agent: readonly string[] | undefined;
  readonly passEnv: readonly string[] | undefined;
  readonly attempts: number | undefined;
  readonly jobs: number | undefined;
  /** GiB. */
  readonly memory: number | undefined;
  readonly template: string | undefined;
  readonly runs: string | undefined;
  readonly checkpoints: readonly string[] | undefined;
  readonly policy: PassPolicy | undefined;
  /** Seconds; 0 for no limit. */
  readonly timeout: number;
  /** The file of a queue, or true for the newest that did not finish. */
  readonly resume: string | true | undefined;
  readonly profile: Profile;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

/** A queue that is ready to begin. */
export interface QueueStart {
  readonly plan: QueuePlan;
  readonly items: readonly QueueItem<PlannedRun>[];
  /** Where items stand that an earlier process had begun; empty for a new queue. */
  readonly earlier: readonly ItemStatus<PlannedRun>[];
  /** Made when the queue begins, so that nothing is left of one that cannot. */
  readonly file: () => Promise<QueueFile>;
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
  return {
    plan: placed,
    items: itemsOf(placed, problems),
    earlier: [],
    file: () => QueueFile.create(placed),
  };
}

async function planOf(words: readonly string[], options: QueueOptions, cwd: string): Promise<QueuePlan> {
  const [file] = words.length === 1 ? await Promise.all(words.map((word) => queueFileOf(word, cwd))) : [];
  const given = file === undefined ? undefined : await readPlanFile(file);
  const agents = (options.agent ?? []).map((word) =>
    agentOfWord(word, cwd, {
      passEnv: options.passEnv ?? [],
      timeoutSeconds: options.timeout === 0 ? undefined : options.timeout,
    }),
  );
  const base: QueuePlan = given ?? {
    ...PLAN_DEFAULTS,
    problems: words,
    base: cwd,
    agents: agents.length === 0 ? [{ name: "reference", source: { kind: "reference" } }] : agents,
    runs: path.resolve(cwd, "runs"),
  };
  return withOptions(agents.length === 0 ? base : { ...base, agents }, options, cwd);
}

/** What the command line says comes before what the file says. */
function withOptions(plan: QueuePlan, options: QueueOptions, cwd: string): QueuePlan {
  const { memory, runs } = options;
  return {
    ...plan,
    attempts: options.attempts ?? plan.attempts,
    jobs: options.jobs ?? plan.jobs,
    memoryBytes: memory === undefined ? plan.memoryBytes : Math.round(memory * 1024 ** 3),
    policy: options.policy ?? plan.policy,
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

async function resumed(words: readonly string[], options: QueueOptions, io: CliIo): Promise<QueueStart> {
  if (words.length > 0 || options.agent !== undefined) {
    throw new SlopLensError(
      "bad-input",
      "--resume takes problems and agents from the queue's own file",
      "Leave them out.",
    );
  }
  const file =
    typeof options.resume === "string"
      ? path.resolve(io.cwd, options.resume)
      : await findUnfinished(path.resolve(io.cwd, options.runs ?? "runs"));
  const stored = await readQueueFile(file);
  if (await isAtWork(stored)) {
    const where = `process ${stored.runner?.pid ?? "?"}`;
    throw new SlopLensError("bad-input", `${file} is at work in ${where}`, "Wait for its end.");
  }
  const plan = { ...stored.plan, jobs: options.jobs ?? stored.plan.jobs };
  const problems = await Promise.all(plan.problems.map((problem) => findProblem(problem, plan.base)));
  const items = itemsOf(plan, problems);
  const known = new Map(stored.items.map((item) => [item.id, item]));
  const earlier = await Promise.all(items.map((item) => standing(item, known.get(item.id))));
  return { plan, items, earlier, file: () => QueueFile.continue(file, stored) };
}

/** Where an item stands by what was stored and by its run folder, which may know more after a crash. */
async function standing(
  item: QueueItem<PlannedRun>,
  stored: StoredItem | undefined,
): Promise<ItemStatus<PlannedRun>> {
  const blank = waiting(item);
  if (stored === undefined) return blank;
  const { folder, left, reason } = stored;
  const run = folder === undefined ? undefined : await readRun(folder).catch(() => undefined);
  const known = { ...blank, folder, left, run };
  if (!isUnfinished(stored)) return { ...known, state: stored.state, reason };
  const isDone = run?.state === "finished" && stored.state === "running";
  return isDone ? { ...known, state: "finished" } : known;
}
