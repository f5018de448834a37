/** The Problems view: problem → checkpoint → spec, prompt, snapshot, groups → tests. */
import path from "node:path";
import { l10n } from "vscode";
import type { Fault, PackReading, Problem } from "../../core/model/problem.js";
import { runLabel } from "../../core/report/run-label.js";
import { INTERNAL_COMMANDS, NODE_TRAITS } from "../ids.js";
import { liveBasis, previousTurn, shownRun } from "../library/state.js";
import { checkpointCount, listed } from "../words.js";
import { checkpointRow, type RowSources } from "./checkpoint-rows.js";
import { node, type CheckpointTarget, type TreeNode } from "./node.js";
import { keepsPart, keepsTurn } from "./outcome-filter.js";
import { ICONS } from "./test-rows.js";
import { isFiltering } from "./view-options.js";

/** The rows at the top of the Problems view. */
export function problemRows(sources: RowSources): TreeNode[] {
  const { state, options } = sources;
  return state.packs.flatMap((pack) => {
    if (pack.problem === undefined) return isFiltering(options.filter) ? [] : [brokenRow(pack)];
    return isKept(pack.problem, sources) ? [problemRow(pack, pack.problem, sources)] : [];
  });
}

function isKept(problem: Problem, { state, options }: RowSources): boolean {
  if (!isFiltering(options.filter)) return true;
  const shown = shownRun(state, problem);
  return shown !== undefined && keepsPart(options.filter, shown.part);
}

/** Id of a pack's row. */
export function packRowId({ folder }: Pick<PackReading, "folder">): string {
  return `problem:${folder}`;
}

function problemRow(pack: PackReading, problem: Problem, sources: RowSources): TreeNode {
  const id = packRowId(pack);
  const counts = listed([checkpointCount(problem.checkpoints.length), ...faultCounts(pack)]);
  const shown = shownRun(sources.state, problem);
  const outcomesOf = shown === undefined ? "" : ` · ${runLabel(shown.run)}`;
  return node({
    id,
    label: problem.name,
    description: `${counts}${outcomesOf}`,
    tooltip: [
      problem.description,
      pack.folder,
      shown === undefined ? "" : l10n.t("Outcomes of the run {0}", shown.run.folder),
    ]
      .filter((part) => part !== "")
      .join("\n"),
    icon: { codicon: "package" },
    contextValue: `${NODE_TRAITS.problem} ${NODE_TRAITS.folder}`,
    children: () => [
      ...checkpointTargets(problem, sources).map((target) => checkpointRow(id, target, sources)),
      ...pack.faults.map((fault, index) => faultRow(id, fault, index)),
    ],
    target: { kind: "problem", pack, problem },
    basis: [pack, shown?.run, shown?.part, sources.options, ...liveBasis(sources.state, shown?.run)],
  });
}

/** `1 error`, `2 warnings`; of what is not there nothing. */
function faultCounts({ faults }: PackReading): string[] {
  const count = (severity: Fault["severity"]): number =>
    faults.filter((fault) => fault.severity === severity).length;
  return [errorCount(count("error")), warningCount(count("warning"))];
}

function errorCount(count: number): string {
  if (count === 0) return "";
  return count === 1 ? l10n.t("1 error") : l10n.t("{0} errors", count);
}

function warningCount(count: number): string {
  if (count === 0) return "";
  return count === 1 ? l10n.t("1 warning") : l10n.t("{0} warnings", count);
}

function checkpointTargets(problem: Problem, { state, options }: RowSources): CheckpointTarget[] {
  const shown = shownRun(state, problem);
  return problem.checkpoints.flatMap((checkpoint): CheckpointTarget[] => {
    const turn = shown?.part.turns.find((candidate) => candidate.checkpoint === checkpoint.name);
    if (!keepsTurn(options.filter, shown?.part, turn)) return [];
    const target: CheckpointTarget = {
      kind: "checkpoint",
      name: checkpoint.name,
      problem,
      checkpoint,
      run: shown?.run,
      turn,
      previous: shown === undefined || turn === undefined ? undefined : previousTurn(shown.part, turn),
    };
    return [target];
  });
}

function brokenRow(pack: PackReading): TreeNode {
  const id = packRowId(pack);
  const [first] = pack.faults;
  return node({
    id,
    label: pack.name,
    description: first === undefined ? l10n.t("cannot be read") : place(first),
    tooltip: [pack.folder, ...pack.faults.map(sentence)].join("\n"),
    icon: ICONS.trouble,
    spoken: listed([pack.name, l10n.t("cannot be read"), first === undefined ? "" : sentence(first)]),
    contextValue: `${NODE_TRAITS.broken} ${NODE_TRAITS.folder}`,
    children: () => pack.faults.map((fault, index) => faultRow(id, fault, index)),
    target: { kind: "pack", pack },
  });
}

function faultRow(id: string, fault: Fault, index: number): TreeNode {
  return node({
    id: `${id}/fault:${index}`,
    label: sentence(fault),
    // Most stand in the configuration; of others the line alone would not say where.
    description: path.basename(fault.file) === "config.yaml" ? "" : path.basename(fault.file),
    tooltip: `${fault.file}\n${sentence(fault)}`,
    icon: { codicon: fault.severity === "error" ? "error" : "warning" },
    action: {
      command: INTERNAL_COMMANDS.openFault,
      title: l10n.t("Open {0}", path.basename(fault.file)),
      arguments: [fault.file, fault.line, fault.column],
    },
  });
}

function place(fault: Fault): string {
  const name = path.basename(fault.file);
  return fault.line === undefined ? name : l10n.t("{0}, line {1}", name, fault.line);
}

/** `Line 14, column 3: unknown key …`. */
export function sentence(fault: Fault): string {
  const { line, column, message } = fault;
  if (line === undefined) return message;
  return column === undefined
    ? l10n.t("Line {0}: {1}", line, message)
    : l10n.t("Line {0}, column {1}: {2}", line, column, message);
}
