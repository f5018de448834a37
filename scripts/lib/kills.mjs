/**
 * Kills the command, or the engine below it, at random moments of a trajectory, goes on with the run each time, and looks
 * at what is left.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";

/** @typedef {import("./own-engine.mjs").OwnEngine} OwnEngine */

/** An engine is away for up to this long, in milliseconds: shorter and longer than the command waits for it. */
const AWAY_MS = 8_000;
/** A command that still runs after this time, in milliseconds, hangs. */
const HANG_MS = 10 * 60_000;

const root = path.resolve(import.meta.dirname, "../..");
const cli = path.join(root, "dist/cli.js");

/**
 * @typedef {object} KillPlan
 * @property {number} kills how many in all
 * @property {number} each kills of one run before it is left to finish
 * @property {readonly string[]} place options of the command that choose the sandbox
 * @property {string} checkpoints for example `1-2`
 * @property {number | undefined} [longestMs] a process is killed within this time
 * @property {number} [share] without it, within this share of an undisturbed run's time; default a third
 * @property {() => number} random from 0 to 1
 * @property {readonly (readonly string[])[]} [agents] options of the command that choose the agent; runs take turns with them
 * @property {OwnEngine} [engine] the engine to work with, which is then killed as often as the command
 * @property {(line: string) => void} tell hears how far it is
 */

/**
 * @typedef {object} KillReport
 * @property {number} kills processes that were killed while they worked
 * @property {number} runs runs that were finished after kills
 * @property {readonly string[]} faults what was not as it should be, one line each
 * @property {Readonly<Record<string, number>>} moments kills by what was killed and what was being done
 */

/** @typedef {{ code: number | null, err: string }} Ending exit code, null when killed, and the end of what was said */
/** @typedef {{ agent: readonly string[], longestMs: number, outcomes: readonly string[] }} Pattern */

/**
 * @param {KillPlan} plan
 * @returns {Promise<KillReport>}
 */
export async function killAndResume(plan) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "slop-lens-kills-"));
  try {
    const stage = new Stage(folder, plan);
    return await stage.report();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class Stage {
  kills = 0;
  runs = 0;
  /** @type {string[]} */
  faults = [];
  /** @type {Record<string, number>} */
  moments = {};

  /**
   * @param {string} folder
   * @param {KillPlan} plan
   */
  constructor(folder, plan) {
    this.folder = folder;
    this.plan = plan;
    this.temporary = path.join(folder, "tmp");
  }

  /** @returns {Promise<KillReport>} */
  async report() {
    await mkdir(this.temporary);
    await cp(path.join(root, "examples"), this.folder, { recursive: true });
    const patterns = [];
    for (const agent of this.plan.agents ?? [[]])
      patterns.push(await this.undisturbed(agent, patterns.length));
    while (this.kills < this.plan.kills) {
      const runs = `runs-${this.runs + 1}`;
      const pattern = /** @type {Pattern} */ (patterns[this.runs % patterns.length]);
      await this.disturbed(runs, pattern);
      await this.compare(runs, pattern.outcomes);
      this.runs += 1;
      this.plan.tell(`${this.kills} kills, ${this.runs} runs, ${this.faults.length} faults`);
    }
    const { kills, runs, faults, moments } = this;
    return { kills, runs, faults, moments };
  }

  /**
   * What a run comes to that nobody disturbs.
   * @param {readonly string[]} agent
   * @param {number} index
   * @returns {Promise<Pattern>}
   */
  async undisturbed(agent, index) {
    const runs = `undisturbed-${index}`;
    const startedAt = Date.now();
    const { err } = await this.command(this.runArguments(runs, agent));
    const longestMs = this.plan.longestMs ?? (Date.now() - startedAt) * (this.plan.share ?? 1 / 3);
    const found = await outcomes(path.join(this.folder, runs));
    if (found.length === 0) throw new Error(`the undisturbed run took no turn: ${err}`);
    return { agent, longestMs, outcomes: found };
  }

  /**
   * One run, killed again and again, then left to finish.
   * @param {string} runs
   * @param {Pattern} pattern
   */
  async disturbed(runs, { agent, longestMs, outcomes: wanted }) {
    const last = Math.min(this.kills + this.plan.each, this.plan.kills);
    while (this.kills < last) {
      const run = await onlyRun(path.join(this.folder, runs));
      const parameters = run === undefined ? this.runArguments(runs, agent) : this.resumeArguments(run);
      const ending = await this.killWithin(parameters, this.plan.random() * longestMs);
      if (ending.isKilled) {
        this.kills += 1;
        await this.look(runs, ending.code === null ? "the command" : "the engine", wanted);
      } else if (ending.code !== 0) {
        this.faults.push(
          `${parameters.slice(0, 2).join(" ")} ended with ${String(ending.code)}: ${ending.err}`,
        );
      }
      if (ending.code === 0 ? run !== undefined : !ending.isKilled) return;
    }
    const run = await onlyRun(path.join(this.folder, runs));
    const parameters = run === undefined ? this.runArguments(runs, agent) : this.resumeArguments(run);
    const { code, err } = await this.command(parameters);
    if (code !== 0)
      this.faults.push(`${parameters.slice(0, 2).join(" ")} ended with ${String(code)}: ${err}`);
  }

  /**
   * Runs the command and kills it or its engine.
   * @param {readonly string[]} parameters
   * @param {number} afterMs
   * @returns {Promise<Ending & { isKilled: boolean }>}
   */
  async killWithin(parameters, afterMs) {
    const { engine, random } = this.plan;
    if (engine === undefined || random() < 0.5) {
      const ending = await this.command(parameters, (child) =>
        pause(afterMs).then(() => child.kill("SIGKILL")),
      );
      return { ...ending, isKilled: ending.code === null };
    }
    let isKilled = false;
    const ending = await this.command(parameters, async (child) => {
      await pause(afterMs);
      if (child.exitCode !== null) return;
      isKilled = true;
      await engine.kill();
      await pause(random() * AWAY_MS);
      engine.start();
    });
    return { ...ending, isKilled };
  }

  /**
   * What is there after a kill must read, and tells nothing of a turn that is not so.
   * @param {string} runs
   * @param {string} killed
   * @param {readonly string[]} wanted
   */
  async look(runs, killed, wanted) {
    const run = await onlyRun(path.join(this.folder, runs));
    const moment = `${killed} ${run === undefined ? "before the run folder" : await momentOf(run)}`;
    this.moments[moment] = (this.moments[moment] ?? 0) + 1;
    if (run === undefined) return;
    const { code, err } = await this.command([...this.resumeArguments(run), "--dry-run"]);
    if (code !== 0) this.faults.push(`${path.basename(run)} does not read after a kill: ${err}`);
    const untrue = (await turnsOf(run)).filter(
      (turn) => !turn.includes('"verdict":"infrastructure"') && !wanted.includes(turn),
    );
    if (untrue.length > 0) this.faults.push(`${path.basename(run)} tells after a kill: ${untrue.join("; ")}`);
  }

  /**
   * @param {string} runs
   * @param {readonly string[]} wanted
   */
  async compare(runs, wanted) {
    const folder = path.join(this.folder, runs);
    const got = await outcomes(folder);
    if (got.join("\n") !== wanted.join("\n")) {
      this.faults.push(`${runs} came out as ${got.join("; ")} and not as ${wanted.join("; ")}`);
    }
    const names = await readdir(folder, { recursive: true });
    const hidden = names.filter(
      (name) => /(?:^|\/)\.(?!slop-lens(?:\/|$))/u.test(name) || name.endsWith(".tmp"),
    );
    const left = [...hidden, ...(await readdir(this.temporary)), ...(await this.containers(folder))];
    if (left.length > 0) this.faults.push(`${runs} left ${left.join(", ")}`);
    await rm(folder, { recursive: true });
  }

  /**
   * Containers that belong to runs below a folder; of an engine that is ours alone all, and all networks.
   * @param {string} runs
   * @returns {Promise<string[]>}
   */
  async containers(runs) {
    const { engine, place } = this.plan;
    if (place.includes("local")) return [];
    const { default: Docker } = await import("dockerode");
    const docker = engine === undefined ? new Docker() : new Docker({ socketPath: engine.socket });
    const all = await docker.listContainers({ all: true });
    const isOurs = (/** @type {Record<string, string>} */ labels) =>
      engine !== undefined || labels["slop-lens.run"]?.startsWith(runs) === true;
    return all.filter(({ Labels }) => isOurs(Labels)).map(({ Id, State }) => `container ${Id} (${State})`);
  }

  /**
   * @param {string} runs
   * @param {readonly string[]} agent
   */
  runArguments(runs, agent) {
    const { checkpoints, place } = this.plan;
    return ["run", "shelf", "--runs", runs, "--checkpoints", checkpoints, ...place, ...agent];
  }

  /** @param {string} run */
  resumeArguments(run) {
    return ["resume", run, "--yes", "--problem", "shelf", ...this.plan.place];
  }

  /**
   * Runs the command to its end, or to that of what disturbs it.
   * @param {readonly string[]} parameters
   * @param {(child: import("node:child_process").ChildProcess) => Promise<unknown>} [disturb]
   * @returns {Promise<Ending>}
   */
  async command(parameters, disturb) {
    const { engine } = this.plan;
    const child = spawn(process.execPath, [cli, ...parameters], {
      cwd: this.folder,
      env: {
        ...process.env,
        TMPDIR: this.temporary,
        ...(engine === undefined ? {} : { DOCKER_HOST: `unix://${engine.socket}` }),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      err = (err + text).slice(-400);
    });
    const disturbed = disturb?.(child);
    const hanging = setTimeout(() => {
      this.faults.push(`${parameters.slice(0, 2).join(" ")} hung: ${err}`);
      child.kill("SIGKILL");
    }, HANG_MS);
    /** @type {number | null} */
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject).once("exit", resolve);
    });
    clearTimeout(hanging);
    // Children of a killed process may hold the pipe open.
    child.stderr.destroy();
    await disturbed;
    return { code, err: err.trim() };
  }
}

/**
 * The only run folder below a folder of runs.
 * @param {string} runs
 * @returns {Promise<string | undefined>}
 */
async function onlyRun(runs) {
  const names = (await readdir(runs).catch(() => [])).filter((name) => !name.startsWith("."));
  if (names.length > 1) throw new Error(`${runs} holds ${names.length} runs`);
  return names[0] === undefined ? undefined : path.join(runs, names[0]);
}

/**
 * What was being done, by what is there of the newest turn.
 * @param {string} run
 */
async function momentOf(run) {
  const problem = path.join(run, "shelf");
  const checkpoint = (await readdir(problem))
    .filter((name) => name.startsWith("checkpoint_"))
    .sort()
    .at(-1);
  if (checkpoint === undefined) return "before the first turn";
  const names = new Set(await readdir(path.join(problem, checkpoint)));
  if (names.has("slop-lens.json")) return "between turns";
  if (names.has("evaluation.json")) return "before the record";
  return names.has("snapshot") ? "during the tests" : "during the agent";
}

/**
 * What a run came to, a line a turn.
 * @param {string} runs
 */
async function outcomes(runs) {
  const run = await onlyRun(runs);
  if (run === undefined) return [];
  const record = JSON.parse(await readFile(path.join(run, "slop-lens.json"), "utf8"));
  const rows = (await readFile(path.join(run, "checkpoint_results.jsonl"), "utf8")).trim().split("\n");
  return [record.state, ...(await turnsOf(run)), `${rows.length} rows`];
}

/**
 * The turns that have a record, a line each.
 * @param {string} run
 * @returns {Promise<string[]>}
 */
async function turnsOf(run) {
  const problem = path.join(run, "shelf");
  const names = (await readdir(problem).catch(() => []))
    .filter((name) => name.startsWith("checkpoint_"))
    .sort();
  const turns = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(problem, name, "slop-lens.json"), "utf8").catch(() => undefined);
      if (text === undefined) return [];
      const { verdict, counts, snapshotHash, parent, quality } = JSON.parse(text);
      return [JSON.stringify({ name, verdict, counts, snapshotHash, parent, totals: quality?.totals })];
    }),
  );
  return turns.flat();
}
