import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../core/model/errors.js";
import type { AttemptOf } from "../core/model/policy.js";
import type { Profile } from "../core/model/quality.js";
import type { Run } from "../core/model/run.js";
import { agentOfWord, type WordDefaults } from "../core/queue/agent-word.js";
import { waiting, type ItemStatus, type QueueItem } from "../core/queue/item.js";
import { readPlanFile } from "../core/queue/plan-file.js";
import { findUnfinished, isAtWork, QueueFile, readQueueFile } from "../core/queue/queue-file.js";
import {
  itemsOf,
  PLAN_DEFAULTS,
  type PlannedRun,
  type QueueAgent,
  type QueuePlan,
} from "../core/queue/queue-plan.js";
import { isUnfinished, type StoredItem } from "../core/queue/queue-record.js";
import { readRun } from "../core/store/read-run.js";
import { attemptFolders, type AttemptFolder } from "../core/store/attempt-group.js";
import type { CliIo } from "./io.js";
import { findProblem } from "./packs.js";
import { modelSource, type ModelOptions } from "./model-options.js";
import type { PlaceOptions } from "./place.js";
import { choosePolicy, type PolicyOptions } from "./policy-choice.js";
import { attemptOf } from "./queue-take.js";

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
  const { memory, runs, timeout } = options;
  return {
    ...plan,
    agents:
      timeout === undefined
        ? plan.agents
        : plan.agents.map((agent) => ({ ...agent, timeoutSeconds: undefined })),
    jobs: options.jobs ?? plan.jobs,
    memoryBytes: memory === undefined ? plan.memoryBytes : Math.round(memory * 1024 ** 3),
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
  const begun = await attemptFolders(path.dirname(file));
  const earlier = await Promise.all(
    items.map((item) => {
      const folder = begunFolder(begun, attemptOf(item, path.basename(file)));
      return standing(item, known.get(item.id), folder);
    }),
  );
  return { plan, items, earlier, file: () => QueueFile.continue(file, stored) };
}

/** The folder of an attempt, by what the folders tell. */
function begunFolder(folders: readonly AttemptFolder[], wanted: AttemptOf): string | undefined {
  const isWanted = ({ attempt: { group, index } }: AttemptFolder): boolean =>
    group === wanted.group && index === wanted.index;
  return folders.find(isWanted)?.folder;
}

/**
 * Where an item stands by what was stored and by its run folder, which may know more after a crash.
 * @param begun a folder that is its own, should the queue's file have been cut off before it could tell of it
 */
async function standing(
  item: QueueItem<PlannedRun>,
  stored: StoredItem | undefined,
  begun: string | undefined,
): Promise<ItemStatus<PlannedRun>> {
  const blank = waiting(item);
  if (stored === undefined) return blank;
  const { left, reason, folder = begun } = stored;
  const run = folder === undefined ? undefined : await readRun(folder).catch(() => undefined);
  const known = { ...blank, folder, left, run };
  if (!isUnfinished(stored)) return { ...known, state: stored.state, reason };
  // What trouble ended is closed as finished, too; its run is gone on with.
  const isOpen = stored.state === "running" || stored.folder === undefined;
  const isDone = run?.state === "finished" && isOpen && !isSpoiled(run);
  return isDone ? { ...known, state: "finished" } : known;
}

/** Whether trouble of the machinery ended a turn of a run. */
export function isSpoiled({ problems }: Run): boolean {
  return problems.some(({ turns }) => turns.some(({ verdict }) => verdict === "infrastructure"));
}
