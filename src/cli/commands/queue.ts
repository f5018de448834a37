import path from "node:path";
import type { Agent } from "../../core/agent/agent.js";
import { makeAgent, type AgentMeans } from "../../core/agent/agent-source.js";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run, RunEvent } from "../../core/model/run.js";
import { readTemplate, WORKSPACE_TEMPLATES } from "../../core/prompt/prompt.js";
import { defaultJobs, type Capacity } from "../../core/queue/capacity.js";
import type { Analyzer } from "../../core/analysis/analysis.js";
import { isOver, type ItemStatus, type Recover, type TakeItem } from "../../core/queue/item.js";
import type { QueueFile } from "../../core/queue/queue-file.js";
import { itemLabel, memoryOf, type PlannedRun, type QueuePlan } from "../../core/queue/queue-plan.js";
import { isSpoiled, type QueueStart } from "../../core/queue/queue-start.js";
import { RunQueue } from "../../core/queue/run-queue.js";
import { takePlanned, type QueueMeans } from "../../core/queue/take-planned.js";
import { groupBy } from "../../core/report/group-by.js";
import { queueTable } from "../../core/report/queue-table.js";
import { renderTable } from "../../core/report/text-table.js";
import { Redactor } from "../../core/store/redact.js";
import { agentMeans } from "../agent-choice.js";
import { EXIT } from "../exit.js";
import type { Installation } from "../installation.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";
import { choosePlace } from "../place.js";
import { checkHiddenTests } from "../../core/trajectory/pack-check.js";
import { QueueProgress } from "../queue-progress.js";
import { queueStart, type QueueOptions } from "../queue-plan.js";
import { answers, capacityOf, trajectoryServices } from "../sandboxes.js";
import { nearPath, shellWord } from "../started-as.js";
import { turnToJson } from "../turn-json.js";
import { isWanted, untakenTurns } from "./run.js";

/** How long an engine that went away is waited for, and how often it is looked for, in milliseconds. */
const ENGINE_PATIENCE = 10 * 60_000;
const LOOK_AGAIN = 5_000;

/** `slop-lens queue`: takes many trajectories and prints a table of problems and agents, or JSON lines. */
export async function queueCommand(
  words: readonly string[],
  options: QueueOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const start = await queueStart(words, options, io);
  const { plan } = start;
  await using analyzer = installation.createAnalyzer();
  const told = await warnOfTests(start, analyzer, io);
  const own = path.join(io.cwd, WORKSPACE_TEMPLATES);
  const prompt = await readTemplate(plan.template, own, installation.files.templates);
  const place = await choosePlace(plan, io, installation);
  const capacity = await capacityOf(place.sandbox, io.signal);
  const services = trajectoryServices(installation, place.sandbox, analyzer);
  const analysis = { ...installation.analysis, profile: options.profile };
  const agents = await agentsOf(plan, agentMeans(io, installation));
  const means = { plan, environment: place.environment, prompt, services, analysis, agents };
  const runs = new QueueRuns(start, options, masked([...agents.values()], io), means, told);
  const statuses = await runs.toTheEnd(await start.file(), boundsOf(plan, capacity, io), io.signal);
  return exitCodeOf(statuses, io.signal);
}

/**
 * Looks into the hidden tests of all that is to be taken, before anything begins.
 * @returns what was warned of
 * @throws SlopLensError pack-invalid
 */
async function warnOfTests(
  { plan, items, earlier }: QueueStart,
  analyzer: Analyzer,
  io: CliIo,
): Promise<ReadonlySet<string>> {
  // Of what has begun, the run itself knows which checkpoints are still to be judged.
  const begun = new Set(
    earlier.flatMap((one) => (isOver(one) || one.folder !== undefined ? [one.item.id] : [])),
  );
  const left = items.filter(({ id }) => !begun.has(id)).map((item) => item.plan.problem);
  const told = new Set<string>();
  for (const problem of new Set(left)) {
    const asked = problem.checkpoints.filter(({ name }) => plan.checkpoints?.includes(name) ?? true);
    for (const message of await checkHiddenTests(problem, asked, analyzer, io.signal)) {
      told.add(message);
      warn(io, `${problem.name}: ${message}`);
    }
  }
  return told;
}

interface Bounds {
  readonly jobs: number;
  readonly memoryBytes: number;
}

function boundsOf(plan: QueuePlan, { cpus, memoryBytes }: Capacity, io: CliIo): Bounds {
  const each = memoryOf(plan);
  const jobs = plan.jobs ?? defaultJobs({ cpus, memoryBytes }, each);
  const most = defaultJobs({ cpus: jobs, memoryBytes }, each);
  if (most < jobs) {
    const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
    warn(
      io,
      `${most} at once instead of ${jobs}: a container may take ${gib(each)}, and there are ` +
        `${gib(memoryBytes)} (--memory says what one is counted with)`,
    );
  }
  return { jobs, memoryBytes };
}

/** By their names in the queue; made before anything begins, so that what is wrong with one is told at once. */
async function agentsOf({ agents }: QueuePlan, means: AgentMeans): Promise<ReadonlyMap<string, Agent>> {
  return new Map(
    await Promise.all(
      agents.map(async ({ name, source }): Promise<[string, Agent]> => [
        name,
        await makeAgent(source, means),
      ]),
    ),
  );
}

/** What a solution does with the agents' keys may come back in a test's words. */
function masked(agents: readonly Agent[], io: CliIo): CliIo {
  const redactor = new Redactor(agents.flatMap(({ secrets }) => secrets));
  return {
    ...io,
    out: (text) => {
      io.out(redactor.text(text));
    },
    err: (text) => {
      io.err(redactor.text(text));
    },
  };
}

/** A queue on its way, and what is told of it. */
class QueueRuns {
  private readonly progress: QueueProgress;
  private name = "";

  constructor(
    private readonly start: QueueStart,
    private readonly options: QueueOptions,
    private readonly io: CliIo,
    private readonly means: QueueMeans,
    /** Warnings that need not be told again by each run. */
    private readonly told: ReadonlySet<string>,
  ) {
    this.progress = new QueueProgress(io, options.json);
  }

  async toTheEnd(file: QueueFile, bounds: Bounds, signal: AbortSignal): Promise<readonly ItemStatus[]> {
    this.name = path.basename(file.file);
    const queue = new RunQueue<PlannedRun>({ ...bounds, take: this.take, recover: this.recover });
    queue.onDidChange((changed) => {
      file.keep(queue.status.items);
      this.progress.show(queue.status, changed);
      if (changed !== undefined && this.options.json) this.printEnd(changed);
    });
    const interrupt = (): void => {
      queue.interrupt();
    };
    signal.addEventListener("abort", interrupt, { once: true });
    const resume = `${this.io.program} queue --resume ${shellWord(nearPath(file.file, this.io.cwd))}`;
    const goOn = `${resume} goes on with what did not finish`;
    this.io.setLastWords?.(goOn);
    queue.add(this.start.items, this.start.earlier);
    if (signal.aborted) interrupt();
    // The clock goes on while agents are silent.
    const clock = setInterval(() => {
      this.progress.show(queue.status, undefined);
    }, 1000);
    await queue.settled();
    clearInterval(clock);
    this.progress.clear();
    await file.flush();
    const { items } = queue.status;
    if (!this.options.json) this.printTable(items, file);
    if (items.some(({ state }) => state === "interrupted" || state === "failed")) {
      warn(this.io, goOn);
    }
    return items;
  }

  private readonly take: TakeItem<PlannedRun> = async (item, taking) =>
    takePlanned(item, taking, this.means, this.name, (event) => {
      taking.listener(event);
      this.print(itemLabel(item), { agent: item.agent, attempt: item.attempt }, event);
    });

  private readonly recover: Recover = async (trouble, signal) => {
    this.progress.clear();
    if (trouble.code === "disk-full") throw trouble;
    warn(this.io, `${trouble.message}; the queue waits for the engine`);
    const end = Date.now() + ENGINE_PATIENCE;
    while (Date.now() < end) {
      await sleep(LOOK_AGAIN, undefined, { signal });
      if (await answers(this.means.services.sandbox, signal)) return;
    }
    throw trouble;
  };

  private print(
    label: string,
    who: { readonly agent: string; readonly attempt: number },
    event: RunEvent,
  ): void {
    if (event.type === "log") {
      if (!isWanted(event, this.options) || this.told.has(event.message)) return;
      this.progress.clear();
      this.io.err(`${label}: ${event.message.trimEnd()}\n`);
    }
    if (event.type === "turn-finished") this.progress.turnFinished(label, event.turn, event.seconds);
    if (!this.options.json) return;
    if (event.type === "turn-finished")
      printJson(this.io, { type: "turn", ...who, ...turnToJson(event.turn) });
    if (event.type === "run-finished") {
      for (const turn of untakenTurns(event.run))
        printJson(this.io, { type: "turn", ...who, ...turnToJson(turn) });
    }
  }

  private printEnd({ item, state, folder, reason }: ItemStatus): void {
    if (state === "running" || state === "waiting") return;
    const { problem, agent, attempt } = item;
    printJson(this.io, {
      ...{ type: "run", problem, agent, attempt, state },
      ...{ reason: reason ?? null, folder: folder ?? null },
    });
  }

  private printTable(items: readonly ItemStatus[], { file }: QueueFile): void {
    const entries = items.map(({ item, state, run }) => ({
      ...{ problem: item.problem, agent: item.agent },
      ...{ finished: state === "finished", run },
    }));
    for (const line of renderTable(queueTable(entries))) printLine(this.io, line);
    const told = items.filter(({ state }) => state === "failed" || state === "cancelled");
    if (told.length > 0) printLine(this.io);
    for (const line of reasonsOf(told)) printLine(this.io, line);
    printLine(this.io);
    printLine(this.io, `queue: ${file}`);
  }
}

/** What did not end well, with what it shares told once: `shelf · mine, kit · mine: failed: …`. */
function reasonsOf(items: readonly ItemStatus[]): string[] {
  const groups = groupBy(items, ({ state, reason }) =>
    reason === undefined ? state : `${state}: ${reason}`,
  );
  return [...groups].map(([what, own]) => `${own.map(({ item }) => itemLabel(item)).join(", ")}: ${what}`);
}

/** As of a single run: verdicts are data; trouble and an interrupt are told. */
function exitCodeOf(items: readonly ItemStatus[], signal: AbortSignal): number {
  if (signal.aborted) return EXIT.interrupted;
  const runs = items.flatMap(({ run }): Run[] => (run === undefined ? [] : [run]));
  const isAll = items.every(({ state }) => state === "finished" || state === "cancelled");
  return isAll && !runs.some(isSpoiled) ? EXIT.ok : EXIT.trouble;
}
