import path from "node:path";
import { SlopLensError } from "../../core/model/errors.js";
import { integer, share } from "../../core/report/format.js";
import { scoreRuns, type AgentScores, type ScoringOptions } from "../../core/report/run-scores.js";
import { renderTable, type TableColumn, withoutEmptyColumns } from "../../core/report/text-table.js";
import { SCORES } from "../../core/report/turn-scores.js";
import { DEFAULT_LIMITS, findRuns } from "../../core/store/find-runs.js";
import { readRun } from "../../core/store/read-run.js";
import { faultLine } from "../fault-line.js";
import { type CliIo, printLine, warn } from "../io.js";

export interface ScoresOptions extends ScoringOptions {
  readonly json: boolean;
}

/**
 * `slop-lens scores`: scores the runs below folders, each run an attempt of its agent.
 * @throws SlopLensError bad-input when a folder holds no run
 */
export async function scoresCommand(
  folders: readonly string[],
  options: ScoresOptions,
  io: CliIo,
): Promise<void> {
  const places = new Set<string>();
  for (const folder of folders) {
    const found = await findRuns(path.resolve(io.cwd, folder), DEFAULT_LIMITS, io.signal);
    if (!found.complete)
      warn(io, `${folder} is too large to be searched whole; name a folder nearer to its runs`);
    for (const run of found.runs) places.add(run);
  }
  if (places.size === 0) {
    throw new SlopLensError(
      "bad-input",
      `No run folder in ${folders.join(", ")}`,
      "Give the folder in which runs were made.",
    );
  }
  const runs = await Promise.all([...places].map(readRun));
  for (const fault of runs.flatMap(({ faults }) => faults)) warn(io, faultLine(fault, io.cwd));
  const scores = scoreRuns(runs, options);
  if (options.json) printLine(io, JSON.stringify(scores, null, 2));
  else {
    for (const line of renderTable(tableOf(scores, options))) printLine(io, line);
    const notes = scores.flatMap(notesOn);
    if (notes.length > 0) printLine(io);
    for (const note of notes) printLine(io, note);
  }
}

/** What figures of a row stand on, where the table alone would say too much. */
function notesOn(scores: AgentScores): string[] {
  const { agent, kind, k, attempts, parts, spoiledAttempts, multiTurn } = scores;
  const [fewest, most] = attempts;
  const isThin = kind === "whole" && multiTurn !== undefined && fewest < k;
  const stands = `${attemptsText([fewest, Math.min(most, k)])} of ${integer(k)} attempts at a problem`;
  const part = parts === 1 ? "1 trajectory is no attempt" : `${integer(parts)} trajectories are no attempts`;
  const spoiled =
    spoiledAttempts === 1 ? "1 attempt is spoiled" : `${integer(spoiledAttempts)} attempts are spoiled`;
  return [
    ...(isThin ? [`${agent}: MT@${k} and completion stand on ${stands}, and are the least they can be`] : []),
    ...(parts === 0
      ? []
      : [
          `${agent}: ${part}, being cut short or asked for some checkpoints, with none failed before; ${ONLY}`,
        ]),
    ...(spoiledAttempts === 0
      ? []
      : [
          `${agent}: ${spoiled} by the machinery or a cancel during the tests, with none failed before; ${ONLY}`,
        ]),
  ];
}

const ONLY = "what was judged counts in strict to partial only";

/** Whole trajectories are what is meant without a word; roundwise runs say how often was tried. */
const KIND_WORDS: Readonly<Record<AgentScores["kind"], string | undefined>> = {
  whole: "",
  roundwise: undefined,
  reference: "from reference",
  fork: "forks",
};

function tableOf(scores: readonly AgentScores[], { k }: ScoringOptions) {
  const figures = [
    ...[...SCORES, `MT@${k}`, "completion", "aptitude", "consistency", `pass@${k}`],
    ...["roundwise", "SR micro", "SR macro", "spoiled"],
  ];
  const columns: TableColumn[] = [
    { title: "agent", align: "left" },
    { title: "runs", align: "left" },
    ...["problems", "attempts", ...figures].map((title): TableColumn => ({ title, align: "right" })),
  ];
  const rows = scores.map((agent) => [
    agent.agent,
    KIND_WORDS[agent.kind] ?? agent.policy,
    integer(agent.problems),
    attemptsText(agent.attempts),
    ...SCORES.map((score) => share(agent.turns[score])),
    share(agent.multiTurn),
    share(agent.completion),
    share(agent.aptitude),
    share(agent.consistency),
    share(agent.passAtK),
    share(agent.roundwise),
    share(agent.fromReference?.micro),
    share(agent.fromReference?.macro),
    integer(agent.spoiled),
  ]);
  return withoutEmptyColumns({ columns, rows });
}

function attemptsText([fewest, most]: AgentScores["attempts"]): string {
  return fewest === most ? integer(most) : `${integer(fewest)}–${integer(most)}`;
}
