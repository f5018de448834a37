/** Rows of a checkpoint and what lies in it: spec, prompt, snapshot, groups of hidden tests. */
import path from "node:path";
import { l10n } from "vscode";
import { integer, ratio } from "../../core/report/format.js";
import { GROUPS } from "../../core/model/problem.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS, NODE_TRAITS } from "../ids.js";
import {
  hasSnapshot,
  isEdited,
  isPlayed,
  liveBasis,
  partOf,
  progressKey,
  type LibraryState,
} from "../library/state.js";
import type { SnapshotFile, TurnFiles } from "../library/turn-files.js";
import { phaseWords } from "../../core/report/phase-words.js";
import * as words from "../words.js";
import type { ViewOptions } from "./view-options.js";
import { node, type CheckpointTarget, type NodeIcon, type TreeNode } from "./node.js";
import { groupRow, ICONS } from "./test-rows.js";

/** What rows need besides the state: looks into the folders of turns. */
export interface RowSources {
  readonly state: LibraryState;
  readonly files: Pick<TurnFiles, "promptBytes" | "snapshot" | "outcomes">;
  /** Asks for turns to be measured that are not; the rows come again when they are. */
  readonly measure: (turns: readonly Turn[]) => void;
  /** Asks whether a turn's snapshot is as its run left it; the rows come again when it is not. */
  readonly check: (turn: Turn) => void;
  readonly options: ViewOptions;
}

/** The row of one checkpoint. @param prefix id of the row above */
export function checkpointRow(prefix: string, target: CheckpointTarget, sources: RowSources): TreeNode {
  const id = `${prefix}/${target.name}`;
  const label = words.checkpointLabel(target.name);
  return node({
    id,
    label,
    description: description(target, sources.state),
    tooltip: tooltip(target, sources.state),
    icon: isPlayed(sources.state, target.run, target.turn) ? ICONS.played : checkpointIcon(target),
    spoken: spoken(label, target, sources.state),
    contextValue: traits(target).join(" "),
    children: () => contents(id, target, sources),
    target,
    basis: basisOf(target, sources),
  });
}

function basisOf({ run, turn, previous, checkpoint }: CheckpointTarget, sources: RowSources): unknown[] {
  const { state, options } = sources;
  const part = run === undefined || turn === undefined ? undefined : partOf(run, turn);
  return [run, part, turn, previous, checkpoint, options, ...liveBasis(state, run)];
}

/** Which icon a finished, running or missing turn has. */
export function checkpointIcon({ run, turn }: CheckpointTarget): NodeIcon {
  if (turn === undefined || turn.verdict === "not-reached") {
    return run === undefined || run.state === "running" ? ICONS.queued : ICONS.none;
  }
  if (turn.verdict === undefined) return run?.state === "running" ? ICONS.running : ICONS.none;
  return verdictIcon(turn);
}

/** The icon of a closed turn's verdict. */
export function verdictIcon(turn: Turn): NodeIcon {
  if (turn.verdict === "passed") return ICONS.passed;
  if (turn.verdict === "infrastructure") return ICONS.trouble;
  if (turn.verdict !== "failed") return ICONS.none;
  const { passed, failed } = turn.counts.Core;
  return failed === 0 && passed > 0 ? ICONS.partly : ICONS.failed;
}

function description(target: CheckpointTarget, state: LibraryState): string {
  const { turn, run, previous } = target;
  if (turn === undefined) return run === undefined ? "" : words.verdictWords("not-reached");
  if (turn.verdict === "not-reached") {
    return run?.state === "running" ? l10n.t("not reached yet") : words.verdictWords(turn.verdict);
  }
  // A narrow side bar cuts the end: the change of erosion goes first, then erosion, and never how the turn stands.
  return [
    standing(target, state),
    isEdited(state, turn) ? l10n.t("snapshot edited") : "",
    words.erosionWords(turn, previous),
    words.tryWords(turn.candidate),
  ]
    .filter((part) => part !== "")
    .join("\u2002");
}

/** How a turn stands: its counts, its verdict where that says more, or what it does now. */
function standing({ turn, run }: CheckpointTarget, state: LibraryState): string {
  if (turn === undefined) return "";
  if (turn.verdict === undefined) {
    return run?.state === "running" ? doing(run, turn, state) : words.stateWords("interrupted");
  }
  if (turn.verdict !== "passed" && turn.verdict !== "failed") return words.verdictWords(turn.verdict);
  return words.countWords(words.totalCount(turn.counts));
}

function doing(run: Run, turn: Turn, state: LibraryState): string {
  const progress = state.progress.get(progressKey(run.folder, turn.id));
  if (progress === undefined) return "";
  const testing = progress.phase === "testing" && turn.outcomes.length + progress.queued.length > 0;
  return testing ? words.testProgressWords(turn, progress) : phaseWords(progress.phase);
}

function tooltip({ turn, name }: CheckpointTarget, state: LibraryState): string {
  if (turn === undefined) return name;
  const head = turn.verdict === undefined ? name : l10n.t("{0}: {1}", name, words.verdictWords(turn.verdict));
  return [head, turn.reason ?? "", editedLine(turn, state), triedLine(turn), measuredLine(turn)]
    .filter((line) => line !== "")
    .join("\n");
}

function editedLine(turn: Turn, state: LibraryState): string {
  if (!isEdited(state, turn)) return "";
  return l10n.t("The snapshot was edited after the run: its outcomes and figures are those of other code");
}

function triedLine({ candidate }: Turn): string {
  if (candidate === undefined) return "";
  return l10n.t("Of {0} tries, number {1} counts", candidate.of, candidate.index);
}

function measuredLine({ quality }: Turn): string {
  if (quality === undefined) return "";
  const { erosion, verbosity } = quality.totals;
  return l10n.t("Erosion {0}, verbosity {1}, profile {2}", ratio(erosion), ratio(verbosity), quality.profile);
}

function spoken(label: string, target: CheckpointTarget, state: LibraryState): string {
  const { turn, previous } = target;
  if (turn === undefined || turn.verdict === "not-reached")
    return words.listed([label, description(target, state) || l10n.t("not run")]);
  const { passed, failed } = words.totalCount(turn.counts);
  const parts = [label];
  if (turn.verdict === undefined) parts.push(standing(target, state));
  else if (passed + failed > 0) parts.push(words.passedOf(passed, passed + failed));
  else parts.push(words.verdictWords(turn.verdict));
  if (isEdited(state, turn)) parts.push(l10n.t("snapshot edited"));
  const now = words.erosionOf(turn);
  if (now !== undefined)
    parts.push(l10n.t("erosion {0}", ratio(now)), spokenChange(now, words.comparableErosion(turn, previous)));
  return words.listed(parts);
}

function spokenChange(now: number, before: number | undefined): string {
  if (before === undefined) return "";
  const difference = Number(now.toFixed(2)) - Number(before.toFixed(2));
  if (Math.abs(difference) < 0.005) return l10n.t("unchanged");
  const size = Math.abs(difference).toFixed(2);
  return difference > 0 ? l10n.t("up {0}", size) : l10n.t("down {0}", size);
}

function traits(target: CheckpointTarget): string[] {
  const { problem, checkpoint, turn } = target;
  const list: string[] = [NODE_TRAITS.checkpoint];
  if (checkpoint !== undefined) list.push(NODE_TRAITS.spec);
  if (checkpoint !== undefined && checkpoint !== problem?.checkpoints[0]) list.push(NODE_TRAITS.earlierSpec);
  if (turn === undefined || turn.verdict === "not-reached") return list;
  return [...list, ...turnTraits(target, turn)];
}

function turnTraits({ checkpoint, previous }: CheckpointTarget, turn: Turn): string[] {
  const list: string[] = [NODE_TRAITS.folder, NODE_TRAITS.prompt];
  if (turn.origin === "agent" || turn.origin === "import") list.push(NODE_TRAITS.transcript);
  if (turn.quality !== undefined) list.push(NODE_TRAITS.measured);
  if (!hasSnapshot(turn)) return list;
  list.push(NODE_TRAITS.snapshot);
  if (previous !== undefined) list.push(NODE_TRAITS.previous);
  if (checkpoint !== undefined && turn.verdict !== undefined) list.push(NODE_TRAITS.validatable);
  return list;
}

async function contents(id: string, target: CheckpointTarget, sources: RowSources): Promise<TreeNode[]> {
  const { turn, run } = target;
  const rows = specRows(id, target);
  if (turn === undefined || turn.verdict === "not-reached") return rows;
  sources.measure(measuredWith(turn, partOf(run, turn)));
  rows.push(...(await promptRows(id, target, sources.files)));
  if (hasSnapshot(turn)) rows.push(snapshotRow(id, target, sources));
  if (turn.reason !== undefined && turn.verdict !== "passed") rows.push(reasonRow(id, turn));
  const { files, options, state } = sources;
  const part = partOf(run, turn);
  const progress = state.progress.get(progressKey(run?.folder ?? "", turn.id));
  const tests = { turn, part, progress, frozen: state.frozen, files, options };
  const groups = GROUPS.map((group) => groupRow(id, group, tests));
  return [...rows, ...groups.filter((row) => row !== undefined)];
}

/** A turn, and after it those whose figures are another tool's until all are measured. */
function measuredWith(turn: Turn, part: ProblemRun | undefined): readonly Turn[] {
  const isRecorded = part?.turns.some(({ recorded }) => recorded !== undefined) === true;
  return isRecorded ? [turn, ...part.turns.filter((other) => other !== turn)] : [turn];
}

function specRows(id: string, target: CheckpointTarget): TreeNode[] {
  const { checkpoint } = target;
  if (checkpoint === undefined) return [];
  const file = path.basename(checkpoint.specPath);
  return [
    node({
      id: `${id}/spec`,
      label: l10n.t("Spec"),
      description: file,
      tooltip: checkpoint.specPath,
      icon: { codicon: "markdown" },
      contextValue: NODE_TRAITS.spec,
      action: { command: COMMANDS.openSpec, title: l10n.t("Open Spec") },
      target,
    }),
  ];
}

async function promptRows(
  id: string,
  target: CheckpointTarget,
  files: RowSources["files"],
): Promise<TreeNode[]> {
  const bytes = target.turn === undefined ? undefined : await files.promptBytes(target.turn);
  if (bytes === undefined) return [];
  return [
    node({
      id: `${id}/prompt`,
      label: l10n.t("Prompt"),
      description: size(bytes),
      icon: { codicon: "comment" },
      contextValue: NODE_TRAITS.prompt,
      action: { command: COMMANDS.openPrompt, title: l10n.t("Open Prompt") },
      target,
    }),
  ];
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** A trouble's reason is a row of its own, because a tooltip alone is easily missed. */
function reasonRow(id: string, turn: Turn): TreeNode {
  const [first = ""] = (turn.reason ?? "").split("\n");
  return node({
    id: `${id}/reason`,
    label: first,
    tooltip: turn.reason ?? "",
    icon: { codicon: "info" },
  });
}

function snapshotRow(id: string, target: CheckpointTarget, sources: RowSources): TreeNode {
  const { files, state, check } = sources;
  const totals = target.turn?.quality?.totals;
  const sloc = totals === undefined ? "" : `${integer(totals.totalLoc)} SLOC`;
  return node({
    id: `${id}/snapshot`,
    label: l10n.t("Snapshot"),
    description: [
      isEdited(state, target.turn) ? l10n.t("edited after the run") : "",
      totals === undefined ? "" : words.listed([fileCount(totals.filesScanned), sloc]),
    ]
      .filter((part) => part !== "")
      .join("\u2002"),
    icon: { codicon: "file-code" },
    contextValue: NODE_TRAITS.snapshot,
    children: () => {
      if (target.turn !== undefined) check(target.turn);
      return fileRows(`${id}/snapshot`, target, files);
    },
    target,
  });
}

function fileCount(count: number): string {
  return count === 1 ? l10n.t("1 file") : l10n.t("{0} files", count);
}

const CHANGE_WORDS: Readonly<Record<SnapshotFile["change"], string>> = {
  new: l10n.t("new"),
  changed: l10n.t("changed"),
  "": "",
};

async function fileRows(
  id: string,
  { turn, previous }: CheckpointTarget,
  files: RowSources["files"],
): Promise<TreeNode[]> {
  if (turn === undefined) return [];
  const listing = await files.snapshot(turn, previous);
  const rows = listing.files.map((file) =>
    node({
      id: `${id}/${file.path}`,
      label: path.posix.basename(file.path),
      description: [folderOf(file.path), CHANGE_WORDS[file.change]]
        .filter((part) => part !== "")
        .join("\u2002"),
      tooltip: file.path,
      icon: { file: file.absolute },
      action: { command: "vscode.open", title: l10n.t("Open"), arguments: [file.absolute] },
      contextValue: "file",
    }),
  );
  if (listing.left === 0) return rows;
  return [
    ...rows,
    node({ id: `${id}/…`, label: l10n.t("{0} more", integer(listing.left)), icon: { codicon: "ellipsis" } }),
  ];
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === "." ? "" : folder;
}
