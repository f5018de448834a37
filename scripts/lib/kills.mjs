/** Kills the command at random moments of a replay, goes on with the run each time, and looks at what is left. */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { clearTimeout, setTimeout } from "node:timers";

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
 * @property {(line: string) => void} tell hears how far it is
 */

/**
 * @typedef {object} KillReport
 * @property {number} kills processes that were killed while they worked
 * @property {number} runs runs that were finished after kills
 * @property {readonly string[]} faults what was not as it should be, one line each
 * @property {Readonly<Record<string, number>>} moments kills by what was being done
 */

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
    const startedAt = Date.now();
    await this.command([...this.runArguments("undisturbed")], undefined);
    const longestMs = this.plan.longestMs ?? (Date.now() - startedAt) * (this.plan.share ?? 1 / 3);
    const wanted = await outcomes(path.join(this.folder, "undisturbed"));
    if (wanted.length === 0) throw new Error("the undisturbed run took no turn");
    while (this.kills < this.plan.kills) {
      const runs = `runs-${this.runs + 1}`;
      await this.disturbed(runs, longestMs);
      await this.compare(runs, wanted);
      this.runs += 1;
      this.plan.tell(`${this.kills} kills, ${this.runs} runs, ${this.faults.length} faults`);
    }
    const { kills, runs, faults, moments } = this;
    return { kills, runs, faults, moments };
  }

  /**
   * One run, killed again and again, then left to finish.
   * @param {string} runs
   * @param {number} longestMs
   */
  async disturbed(runs, longestMs) {
    const last = Math.min(this.kills + this.plan.each, this.plan.kills);
    while (this.kills < last) {
      const run = await onlyRun(path.join(this.folder, runs));
      const parameters = run === undefined ? this.runArguments(runs) : this.resumeArguments(run);
      const { code, err } = await this.command(parameters, this.plan.random() * longestMs);
      if (code !== null) {
        if (code !== 0) this.faults.push(`${parameters.slice(0, 2).join(" ")} ended with ${code}: ${err}`);
        if (run !== undefined || code !== 0) return;
        continue;
      }
      this.kills += 1;
      await this.look(runs);
    }
    const run = await onlyRun(path.join(this.folder, runs));
    const parameters = run === undefined ? this.runArguments(runs) : this.resumeArguments(run);
    const { code, err } = await this.command(parameters, undefined);
    if (code !== 0)
      this.faults.push(`${parameters.slice(0, 2).join(" ")} ended with ${String(code)}: ${err}`);
  }

  /**
   * What is there after a kill must read.
   * @param {string} runs
   */
  async look(runs) {
    const run = await onlyRun(path.join(this.folder, runs));
    const moment = run === undefined ? "before the run folder" : await momentOf(run);
    this.moments[moment] = (this.moments[moment] ?? 0) + 1;
    if (run === undefined) return;
    const { code, err } = await this.command([...this.resumeArguments(run), "--dry-run"], undefined);
    if (code !== 0) this.faults.push(`${path.basename(run)} does not read after a kill: ${err}`);
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
    const left = [
      ...hidden,
      ...(await readdir(this.temporary)),
      ...(await containers(folder, this.plan.place)),
    ];
    if (left.length > 0) this.faults.push(`${runs} left ${left.join(", ")}`);
    await rm(folder, { recursive: true });
  }

  /** @param {string} runs */
  runArguments(runs) {
    return ["run", "shelf", "--runs", runs, "--checkpoints", this.plan.checkpoints, ...this.plan.place];
  }

  /** @param {string} run */
  resumeArguments(run) {
    return ["resume", run, "--yes", "--problem", "shelf", ...this.plan.place];
  }

  /**
   * Runs the command: gives its exit code, null when it was killed, and the end of what it said
   * @param {readonly string[]} parameters
   * @param {number | undefined} killAfterMs
   * @returns {Promise<{ code: number | null, err: string }>}
   */
  command(parameters, killAfterMs) {
    const child = spawn(process.execPath, [cli, ...parameters], {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: this.temporary },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      err = (err + text).slice(-400);
    });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    return new Promise((resolve, reject) => {
      child.once("error", reject).once("exit", (code) => {
        clearTimeout(timer);
        // Children of a killed process may hold the pipe open.
        child.stderr.destroy();
        resolve({ code, err: err.trim() });
      });
    });
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
  const problem = path.join(run, "shelf");
  const names = (await readdir(problem)).filter((name) => name.startsWith("checkpoint_")).sort();
  const record = JSON.parse(await readFile(path.join(run, "slop-lens.json"), "utf8"));
  const turns = await Promise.all(
    names.map(async (name) => {
      const turn = JSON.parse(await readFile(path.join(problem, name, "slop-lens.json"), "utf8"));
      const { verdict, counts, snapshotHash, parent, quality } = turn;
      return JSON.stringify({ name, verdict, counts, snapshotHash, parent, totals: quality?.totals });
    }),
  );
  const rows = (await readFile(path.join(run, "checkpoint_results.jsonl"), "utf8")).trim().split("\n");
  return [record.state, ...turns, `${rows.length} rows`];
}

/**
 * Containers that belong to runs below a folder.
 * @param {string} runs
 * @param {readonly string[]} place
 * @returns {Promise<string[]>}
 */
async function containers(runs, place) {
  if (place.includes("local")) return [];
  const { default: Docker } = await import("dockerode");
  const filters = { label: ["slop-lens.kind=session"] };
  const all = await new Docker().listContainers({ all: true, filters });
  return all.filter(({ Labels }) => Labels["slop-lens.run"]?.startsWith(runs)).map(({ Id }) => Id);
}
