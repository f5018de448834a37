/** The Runs view: problem → run → checkpoint, with verdict, erosion and its change. */
import path from "node:path";
import { ratio } from "../../core/report/format.js";
import { runLabel } from "../../core/report/run-label.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { INTERNAL_COMMANDS, NODE_TRAITS } from "../ids.js";
import { previousTurn, problemNamed, runsOf, type RunPart } from "../library/state.js";
import * as words from "../words.js";
import { checkpointRow, verdictIcon, type RowSources } from "./checkpoint-rows.js";
import { node, type NodeIcon, type TreeNode } from "./node.js";
import { sentence } from "./problem-rows.js";
import { ICONS } from "./test-rows.js";

/** The rows at the top of the Runs view, the problem with the newest run first. */
export function runRows(sources: RowSources): TreeNode[] {
  const { state } = sources;
  const problems = [...new Set(state.runs.flatMap((run) => run.problems.map((part) => part.problem)))];
  const unread = state.runs.filter((run) => run.problems.length === 0);
  return [
    ...problems.map((problem, index) => problemRow(problem, index === 0, sources)),
    ...unread.map((run) => emptyRunRow(run)),
  ];
}

function problemRow(problem: string, newest: boolean, sources: RowSources): TreeNode {
  const parts = runsOf(sources.state, problem);
  return node({
    id: problemRowId(problem),
    label: problem,
    description: words.plural(parts.length, "run"),
    icon: { codicon: "folder" },
    expand: newest ? "expanded" : "collapsed",
    contextValue: "runs",
    children: () => parts.map((entry, index) => runRow(entry, newest && index === 0, sources)),
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
  const problem = problemNamed(sources.state, part.problem);
  const traits = [
    NODE_TRAITS.run,
    NODE_TRAITS.folder,
    run.state === "running" ? "live" : NODE_TRAITS.finished,
  ];
  return node({
    id,
    label: runLabel(run),
    description: runDescription(run, part),
    tooltip: runTooltip(run),
    icon: runIcon(run, part),
    spoken: `${runLabel(run)} on ${part.problem}, ${spokenState(run, part)}`,
    expand: newest ? "expanded" : "collapsed",
    contextValue: traits.join(" "),
    target: { kind: "run", run, part },
    children: () => [
      ...part.turns.map((turn) =>
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

function emptyRunRow(run: Run): TreeNode {
  const id = `run:${run.folder}`;
  return node({
    id,
    label: path.basename(run.folder),
    description: "cannot be read",
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
      label: `${path.basename(fault.file)}: ${sentence(fault)}`,
      tooltip: fault.file,
      icon: { codicon: "warning" },
      action: {
        command: INTERNAL_COMMANDS.openFault,
        title: "Open",
        arguments: [fault.file, fault.line, fault.column],
      },
    }),
  );
}

function reached(part: ProblemRun): readonly Turn[] {
  return part.turns.filter((turn) => turn.verdict !== "not-reached");
}

function troubleAt(part: ProblemRun): Turn | undefined {
  return part.turns.find((turn) => turn.verdict === "infrastructure");
}

function runDescription(run: Run, part: ProblemRun): string {
  const taken = reached(part);
  const isolation = words.isolationWords(run.isolation);
  if (run.state === "running")
    return [isolation, `${taken.length} of ${part.turns.length}`].filter(Boolean).join(" · ");
  const measured = taken.filter((turn) => words.erosionOf(turn) !== undefined).at(-1);
  const trouble = troubleAt(part);
  return [
    measured === undefined ? "" : ratio(words.erosionOf(measured)),
    trouble === undefined ? "" : `infrastructure at ${trouble.checkpoint.replace("_", " ")}`,
    run.state === "finished" ? "" : run.state,
    run.isolation === "local" ? isolation : "",
    words.startWords(run.startedAt),
  ]
    .filter((text) => text !== "")
    .join(" · ");
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
    run.environment === undefined ? "" : `Environment ${run.environment}`,
    words.isolationWords(run.isolation),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function spokenState(run: Run, part: ProblemRun): string {
  return run.state === "running" ? "in progress" : `${run.state}, ${runDescription(run, part)}`;
}
