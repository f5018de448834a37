/** Figures of the bench, and what was wished for. */
import { ours } from "./commands.mjs";

/** @typedef {{ wall: number, cpu: number, memory: number, exit: number, trouble: string, runs: number }} Figures */

/**
 * Medians by command.
 * @param {ReadonlyMap<string, readonly import("./measure.mjs").Cost[]>} costs
 * @returns {ReadonlyMap<string, Figures>}
 */
export function figures(costs) {
  return new Map(
    [...costs].map(([name, runs]) => {
      const last = runs.at(-1);
      return [
        name,
        {
          wall: median(runs.map((run) => run.wall)),
          cpu: median(runs.map((run) => run.cpu)),
          memory: Math.max(...runs.map((run) => run.memory)),
          exit: last?.exit ?? 0,
          trouble: last?.trouble ?? "",
          runs: runs.length,
        },
      ];
    }),
  );
}

/**
 * @param {ReadonlyMap<string, Figures>} all
 * @param {number} lines
 */
export function printCommands(all, lines) {
  const base = all.get(ours.cold);
  const rows = [...all].map(([name, { wall, cpu, memory, exit }]) => ({
    command: name,
    "wall s": wall.toFixed(2),
    "CPU s": cpu.toFixed(2),
    "µs CPU a line": ((cpu * 1e6) / lines).toFixed(1),
    "peak MB": memory.toFixed(0),
    "wall ÷ our cold": base === undefined ? "" : (wall / base.wall).toFixed(2),
    "CPU ÷ our cold": base === undefined ? "" : (cpu / base.cpu).toFixed(2),
    exit,
  }));
  printTable(rows);
  for (const [name, { exit, trouble }] of all) {
    // jscpd and scb-check tell by their exit code that they found something.
    if (exit > 1) console.log(`${name} failed: ${trouble.trim().split("\n").at(-1) ?? ""}`);
  }
}

/**
 * @typedef {{ target: string, wished: string, reached: string, met: boolean }} Target
 * @param {ReadonlyMap<string, Figures>} all
 * @returns {readonly Target[]}
 */
export function compareTargets(all) {
  const structure = all.get(ours.structure);
  const cold = all.get(ours.cold);
  const warm = all.get(ours.warm);
  const radon = all.get("radon cc");
  const astGrep = all.get("ast-grep scan, our rules");
  const old = all.get("scb-check 0.1.3");
  const latest = all.get("scb-check 0.2.0");
  const rules = structure && cold && cold.cpu - structure.cpu;
  const peak = Math.max(...[structure, cold, warm].map((one) => one?.memory ?? 0));
  return [
    share("complexity, mass, clones: CPU against radon cc", 0.7, structure?.cpu, radon?.cpu),
    share("complexity, mass, clones: wall against radon cc", 0.4, structure?.wall, radon?.wall),
    share("rules (cold less no rules): CPU against ast-grep scan", 1, rules, astGrep?.cpu),
    share("all, cold: wall against scb-check 0.1.3", 0.25, cold?.wall, old?.wall),
    share("all, cold: wall against scb-check 0.2.0", 0.5, cold?.wall, latest?.wall),
    limit("all, warm: wall", 1, "s", warm?.wall),
    limit("peak memory", 500, "MB", peak > 0 ? peak : undefined),
  ].flat();
}

/** @param {readonly Target[]} targets */
export function printTargets(targets) {
  printTable(targets.map(({ met, ...rest }) => ({ ...rest, met: met ? "yes" : "no" })));
}

/**
 * @param {string} target
 * @param {number} most
 * @param {number | undefined} own
 * @param {number | undefined} other
 * @returns {Target[]}
 */
function share(target, most, own, other) {
  if (own === undefined || other === undefined) return [];
  const reached = own / other;
  return [
    {
      target,
      wished: `at most ${(100 * most).toFixed(0)} %`,
      reached: `${(100 * reached).toFixed(0)} %`,
      met: reached <= most,
    },
  ];
}

/**
 * @param {string} target
 * @param {number} most
 * @param {string} unit
 * @param {number | undefined} value
 * @returns {Target[]}
 */
function limit(target, most, unit, value) {
  if (value === undefined) return [];
  return [
    {
      target,
      wished: `below ${most} ${unit}`,
      reached: `${value.toPrecision(3)} ${unit}`,
      met: value < most,
    },
  ];
}

/** @param {readonly Readonly<Record<string, string | number>>[]} rows */
function printTable(rows) {
  const titles = Object.keys(rows[0] ?? {});
  const widths = titles.map((title) =>
    Math.max(title.length, ...rows.map((row) => String(row[title]).length)),
  );
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join(" | ")} |`;
  console.log();
  console.log(line(titles));
  console.log(`| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`);
  for (const row of rows) console.log(line(titles.map((title) => String(row[title]))));
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
