/** The Runs view: problem → run → checkpoint, with verdict, erosion and its change. */
import path from "node:path";
import { l10n } from "vscode";
import { ratio } from "../../core/report/format.js";
import { attemptWords, policyLines, runPolicyWords } from "../../core/report/policy-words.js";
import { attemptLabel, runLabel } from "../../core/report/run-label.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { INTERNAL_COMMANDS, NODE_TRAITS } from "../ids.js";
import type { MeasureCount } from "../library/measured.js";
import { liveBasis, previousTurn, problemNamed, type LibraryState, type RunPart } from "../library/state.js";
import * as words from "../words.js";
import { checkpointRow, verdictIcon, type RowSources } from "./checkpoint-rows.js";
import { node, type NodeIcon, type TreeNode } from "./node.js";
import { keepsPart, keepsTurn } from "./outcome-filter.js";
import { sentence } from "./problem-rows.js";
import { ICONS } from "./test-rows.js";
import { isFiltering } from "./view-options.js";

/** The rows at the top of the Runs view: problems in the order of their first runs, the first one unfolded. */
export function runRows(sources: RowSources): TreeNode[] {
  const { state, options } = sources;
  const unread = isFiltering(options.filter) ? [] : state.runs.filter((run) => run.problems.length === 0);
  return [
    ...orderedParts(sources).map(([problem, parts], index) =>
      problemRow(problem, parts, index === 0, sources),
    ),
    ...unread.map((run) => emptyRunRow(run)),
  ];
}

/** The parts that the filter keeps by problem, in the order that the user chose. */
function orderedParts({ state, options: { filter, sort } }: RowSources): [string, RunPart[]][] {
  const byProblem = new Map<string, RunPart[]>();
  for (const run of state.runs) {
    for (const part of run.problems.filter((candidate) => keepsPart(filter, candidate))) {
      const known = byProblem.get(part.problem);
      if (known === undefined) byProblem.set(part.problem, [{ run, part }]);
      else known.push({ run, part });
    }
  }
  const entries = [...byProblem];
  // Runs come newest first, and so do their problems.
  if (sort === "newest") return entries;
  const eroded = byErosion(state);
  const order = sort === "name" ? byName : eroded;
  for (const [, parts] of entries) parts.sort(order);
  return entries.sort(([a, [x]], [b, [y]]) =>
    sort === "name" || x === undefined || y === undefined ? a.localeCompare(b) : eroded(x, y),
  );
}

function byName(a: RunPart, b: RunPart): number {
  return runLabel(a.run).localeCompare(runLabel(b.run));
}

/** The most eroded first; what is not measured comes last. */
function byErosion({ measuring }: LibraryState): (a: RunPart, b: RunPart) => number {
  return (a, b) => (lastErosion(b.part, measuring) ?? -1) - (lastErosion(a.part, measuring) ?? -1);
}

function problemRow(
  problem: string,
  parts: readonly RunPart[],
  first: boolean,
  sources: RowSources,
): TreeNode {
  return node({
    id: problemRowId(problem),
    label: problem,
    description: words.runCount(parts.length),
    icon: { codicon: "folder" },
    expand: first ? "expanded" : "collapsed",
    contextValue: "runs",
    basis: [first, sources.options, ...parts.flatMap((entry) => basisOf(entry, sources))],
    children: () => parts.map((entry, index) => runRow(entry, first && index === 0, sources)),
  });
}

/** Id of the row above a problem's runs. */
export function problemRowId(problem: string): string {
  return `runs:${problem}`;
}

/** Id of the row of a problem's part in a run. */
export function runRowId(run: Run, part: ProblemRun): string {
  return `run:${run.folder}#${part.problem}`;
}

function runRow({ run, part }: RunPart, newest: boolean, sources: RowSources): TreeNode {
  const id = runRowId(run, part);
  const problem = problemNamed(sources.state, part.problem, run.folder);
  const traits = [
    NODE_TRAITS.run,
    NODE_TRAITS.comparable,
    NODE_TRAITS.folder,
    run.state === "running" ? "live" : NODE_TRAITS.finished,
  ];
  return node({
    id,
    label: attemptLabel(run),
    description: runDescription(run, part, sources.state.measuring),
    tooltip: runTooltip(run),
    icon: runIcon(run, part),
    spoken: words.listed([
      l10n.t("{0} on {1}", attemptLabel(run), part.problem),
      ...spokenState(run, part, sources.state),
    ]),
    expand: newest ? "expanded" : "collapsed",
    contextValue: traits.join(" "),
    target: { kind: "run", run, part },
    basis: [newest, sources.options, ...basisOf({ run, part }, sources)],
    children: () => [
      ...part.turns
        .filter((turn) => keepsTurn(sources.options.filter, part, turn))
        .map((turn) =>
          checkpointRow(
            id,
            {
              kind: "checkpoint",
              name: turn.checkpoint,
              problem,
              checkpoint: problem?.checkpoints.find(({ name }) => name === turn.checkpoint),
              run,
              turn,
              previous: previousTurn(part, turn),
            },
            sources,
          ),
        ),
      ...faultRows(id, run),
    ],
  });
}

function basisOf({ run, part }: RunPart, { state }: RowSources): unknown[] {
  const measuring = state.measuring.get(part.folder);
  return [run, part, problemNamed(state, part.problem, run.folder), measuring, ...liveBasis(state, run)];
}

function emptyRunRow(run: Run): TreeNode {
  const id = `run:${run.folder}`;
  return node({
    id,
    label: path.basename(run.folder),
    description: l10n.t("cannot be read"),
    tooltip: run.folder,
    icon: ICONS.trouble,
    contextValue: [NODE_TRAITS.run, NODE_TRAITS.folder, NODE_TRAITS.finished].join(" "),
    children: () => faultRows(id, run),
    target: { kind: "folder", folder: run.folder },
  });
}

function faultRows(id: string, run: Run): TreeNode[] {
  return run.faults.map((fault, index) =>
    node({
      id: `${id}/fault:${index}`,
      label: l10n.t("{0}: {1}", path.basename(fault.file), sentence(fault)),
      tooltip: fault.file,
      icon: { codicon: "warning" },
      action: {
        command: INTERNAL_COMMANDS.openFault,
        title: l10n.t("Open"),
        arguments: [fault.file, fault.line, fault.column],
      },
    }),
  );
}

function reached(part: ProblemRun): readonly Turn[] {
  return part.turns.filter((turn) => turn.verdict !== "not-reached");
}

/** Erosion at the last checkpoint that has one; none while it would be that of some checkpoint in between. */
function lastErosion(part: ProblemRun, measuring: LibraryState["measuring"]): number | undefined {
  const isRecorded = part.turns.some(({ recorded }) => recorded !== undefined);
  if (!isRecorded && measuring.has(part.folder)) return undefined;
  return words.erosionOf(reached(part).findLast((turn) => words.erosionOf(turn) !== undefined));
}

function troubleAt(part: ProblemRun): Turn | undefined {
  return part.turns.find((turn) => turn.verdict === "infrastructure");
}

function agentTroubleAt(part: ProblemRun): Turn | undefined {
  return part.turns.find(({ verdict }) => verdict === "agent-error" || verdict === "agent-timeout");
}

function troubleWords(turn: Turn | undefined): string {
  if (turn?.verdict === undefined) return "";
  const what =
    turn.verdict === "infrastructure" ? l10n.t("infrastructure") : words.verdictWords(turn.verdict);
  return l10n.t("{0} at {1}", what, words.checkpointWords(turn.checkpoint));
}

/**
 * Erosion, trouble, state and time of a run in one line. A narrow side bar cuts its end; that a run is not isolated is
 * seen always.
 */
export function runDescription(run: Run, part: ProblemRun, measuring: LibraryState["measuring"]): string {
  const taken = reached(part);
  const isolation = run.isolation === "local" ? l10n.t("not isolated") : "";
  if (run.state === "running")
    return [isolation, l10n.t("{0} of {1}", taken.length, part.turns.length), attemptWords(run.attempt)]
      .filter(Boolean)
      .join(" · ");
  const erosion = lastErosion(part, measuring);
  const trouble = troubleWords(troubleAt(part) ?? agentTroubleAt(part));
  return [
    erosion === undefined ? "" : ratio(erosion),
    measuredWords(measuring.get(part.folder)),
    isolation,
    trouble,
    run.state === "finished" ? "" : words.stateWords(run.state),
    runPolicyWords(run),
    words.startWords(run.startedAt),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

/** `3 of 6 measured`. */
function measuredWords(count: MeasureCount | undefined): string {
  return count === undefined ? "" : l10n.t("{0} of {1} measured", count.done, count.all);
}

function runIcon(run: Run, part: ProblemRun): NodeIcon {
  if (run.state === "running") return ICONS.running;
  if (troubleAt(part) !== undefined) return ICONS.trouble;
  const last = reached(part)
    .filter((turn) => turn.verdict !== undefined)
    .at(-1);
  return last === undefined || run.state !== "finished" ? ICONS.none : verdictIcon(last);
}

function runTooltip(run: Run): string {
  return [
    run.folder,
    [run.agent.type, run.agent.version, run.agent.model].filter(Boolean).join(" "),
    run.agent.detail ?? "",
    run.environment === undefined ? "" : l10n.t("Environment {0}", run.environment),
    words.isolationWords(run.isolation),
    ...policyLines(run),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function spokenState(run: Run, part: ProblemRun, { measuring }: LibraryState): string[] {
  const state = words.stateWords(run.state);
  return run.state === "running" ? [state] : [state, runDescription(run, part, measuring)];
}
