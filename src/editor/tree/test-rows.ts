/** Rows of hidden tests below a group: failed, passed (folded when many), running, queued. */
import { l10n } from "vscode";
import { milliseconds } from "../../core/report/format.js";
import type { TestIdentity, TestOutcome } from "../../core/model/outcome.js";
import type { Group } from "../../core/model/problem.js";
import type { ProblemRun } from "../../core/model/run.js";
import type { Turn, TurnProgress } from "../../core/model/turn.js";
import { COMMANDS, NODE_TRAITS } from "../ids.js";
import type { TurnFiles } from "../library/turn-files.js";
import { countOutcomes, fromWords, listed, passedOf, statusWords, testLabel } from "../words.js";
import { shortMessage } from "./failure-words.js";
import { node, type NodeIcon, type TreeNode } from "./node.js";
import { keepsGroup, keepsOutcome } from "./outcome-filter.js";
import { hasChanged, historyWords, testHistory, type TestRecord } from "./test-history.js";
import type { ViewOptions } from "./view-options.js";

const FOLD_ABOVE = 5;
/** Context value of a row that holds what was folded away. */
export const FOLD = "fold";

export const ICONS = {
  passed: { codicon: "pass", color: "testing.iconPassed" },
  failed: { codicon: "error", color: "testing.iconFailed" },
  partly: { codicon: "circle-large-outline", color: "testing.iconQueued" },
  trouble: { codicon: "warning", color: "problemsWarningIcon.foreground" },
  none: { codicon: "circle-slash", color: "testing.iconSkipped" },
  queued: { codicon: "circle-outline", color: "testing.iconSkipped" },
  played: { codicon: "debug-stackframe", color: "textLink.foreground" },
  running: { codicon: "loading~spin", color: "progressBar.background" },
} as const satisfies Record<string, NodeIcon>;

interface GroupTests {
  readonly outcomes: readonly TestOutcome[];
  readonly running: TestIdentity | undefined;
  readonly queued: readonly TestIdentity[];
}

function testsOf(turn: Turn, progress: TurnProgress | undefined, group: Group): GroupTests {
  const here = (test: TestIdentity): boolean => test.group === group;
  const running = progress?.running;
  return {
    outcomes: turn.outcomes.filter(here),
    running: running !== undefined && here(running) ? running : undefined,
    queued: (progress?.queued ?? []).filter(here),
  };
}

/** What the rows of a turn's tests need. */
export interface TestSources {
  readonly turn: Turn;
  /** The run's part that the turn belongs to; tells how tests ended before. */
  readonly part: ProblemRun | undefined;
  /** Of a turn in progress. */
  readonly progress: TurnProgress | undefined;
  /** Row ids in the order that must stay, by group row id. */
  readonly frozen: ReadonlyMap<string, readonly string[]>;
  /** Tells messages and durations when a group is unfolded. */
  readonly files: Pick<TurnFiles, "outcomes">;
  readonly options: ViewOptions;
}

/**
 * The row of a group; undefined when the turn has no test in it, or none that the filter keeps.
 * @param prefix id of the row above
 */
export function groupRow(prefix: string, group: Group, sources: TestSources): TreeNode | undefined {
  const { turn, options } = sources;
  const tests = testsOf(turn, sources.progress, group);
  const total = tests.outcomes.length + tests.queued.length + (tests.running === undefined ? 0 : 1);
  if (total === 0 || !keepsGroup(options.filter, group)) return undefined;
  if (isEmptied(tests, sources)) return undefined;
  const id = `${prefix}/${group}`;
  const count = countOutcomes(tests.outcomes);
  return node({
    id,
    label: group,
    description: groupDescription(tests, total),
    icon: groupIcon(tests),
    spoken: listed([group, passedOf(count.passed, total - count.skipped), ...groupSpokenRest(tests)]),
    contextValue: "group",
    children: async () => {
      const outcomes = (await sources.files.outcomes(turn)).filter((test) => test.group === group);
      return testRows(id, { ...tests, outcomes }, sources);
    },
  });
}

/** Whether the filter leaves nothing of a group's tests. */
function isEmptied({ outcomes }: GroupTests, { turn, part, options: { filter } }: TestSources): boolean {
  if (filter.outcomes === "all") return false;
  return !outcomes.some((outcome) => keepsOutcome(filter, part, turn, outcome));
}

function groupDescription({ outcomes, running, queued }: GroupTests, total: number): string {
  const { passed, failed, skipped } = countOutcomes(outcomes);
  const parts = [l10n.t("{0} of {1}", passed, total - skipped)];
  if (failed > 0) parts.push(l10n.t("{0} failed", failed));
  if (skipped > 0) parts.push(l10n.t("{0} skipped", skipped));
  if (running !== undefined) parts.push("running");
  else if (queued.length > 0 && outcomes.length === 0) parts.push("queued");
  return parts.join(", ");
}

function groupSpokenRest({ outcomes, running, queued }: GroupTests): string[] {
  const { failed } = countOutcomes(outcomes);
  const waiting = queued.length + (running === undefined ? 0 : 1);
  return [failed > 0 ? l10n.t("{0} failed", failed) : "", waiting > 0 ? l10n.t("{0} to go", waiting) : ""];
}

function groupIcon({ outcomes, running, queued }: GroupTests): NodeIcon {
  const { failed, passed } = countOutcomes(outcomes);
  if (running !== undefined) return ICONS.running;
  if (queued.length > 0) return outcomes.length > 0 ? ICONS.running : ICONS.queued;
  if (failed > 0) return ICONS.failed;
  return passed > 0 ? ICONS.passed : ICONS.none;
}

function testRows(groupId: string, tests: GroupTests, sources: TestSources): TreeNode[] {
  const { turn, part, options } = sources;
  const kept = tests.outcomes.filter((outcome) => keepsOutcome(options.filter, part, turn, outcome));
  const outcomeRows = (wanted: (outcome: TestOutcome) => boolean): TreeNode[] =>
    kept.filter(wanted).map((outcome) => outcomeRow(testRowId(groupId, outcome), outcome, sources));
  const failed = outcomeRows(({ status }) => status === "failed" || status === "error");
  const passed = outcomeRows(({ status }) => status === "passed");
  const rest = [
    ...(options.filter.outcomes === "all" ? waitingRows(groupId, tests, turn) : []),
    ...outcomeRows(({ status }) => status === "skipped"),
  ];
  const frozen = sources.frozen.get(groupId);
  if (frozen !== undefined) return keepPlaces(frozen, [...failed, ...passed, ...rest]);
  return [...failed, ...fold(groupId, passed), ...rest];
}

/** Id of a test's row. @param groupId id of its group's row */
export function testRowId(groupId: string, { checkpoint, id }: TestIdentity): string {
  return `${groupId}/${checkpoint}/${id}`;
}

function waitingRows(groupId: string, { running, queued }: GroupTests, turn: Turn): TreeNode[] {
  const row = (test: TestIdentity, isRunning: boolean): TreeNode =>
    waitingRow(testRowId(groupId, test), turn, test, isRunning);
  return [...(running === undefined ? [] : [row(running, true)]), ...queued.map((test) => row(test, false))];
}

function fold(groupId: string, passed: readonly TreeNode[]): readonly TreeNode[] {
  if (passed.length <= FOLD_ABOVE) return passed;
  const label = l10n.t("{0} passed", passed.length);
  const icon = ICONS.passed;
  return [node({ id: `${groupId}/passed`, label, icon, contextValue: FOLD, children: () => passed })];
}

/** Rows that were there stay where they were; rows that are new come after them. */
function keepPlaces(order: readonly string[], rows: readonly TreeNode[]): TreeNode[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const placeOf = (row: TreeNode): number => place.get(row.id) ?? order.length;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}

function waitingRow(id: string, turn: Turn, test: TestIdentity, running: boolean): TreeNode {
  return node({
    id,
    label: testLabel(test.id),
    description: origin(turn, test),
    tooltip: test.id,
    icon: running ? ICONS.running : ICONS.queued,
    spoken: listed([testLabel(test.id), running ? l10n.t("running") : l10n.t("queued")]),
    contextValue: NODE_TRAITS.test,
    target: { kind: "test", turn, test, outcome: undefined },
  });
}

function outcomeRow(id: string, outcome: TestOutcome, { turn, part, options }: TestSources): TreeNode {
  const label = testLabel(outcome.id);
  const told = hasFailure(outcome) && !options.hideTests;
  const history = part === undefined ? [] : testHistory(part, turn, outcome);
  const changes = hasChanged(history) ? historyWords(history) : "";
  const result = resultWords(outcome, options.hideTests);
  return node({
    id,
    label,
    description: joined("  ", result, changes || origin(turn, outcome)),
    tooltip: outcomeTooltip(turn, outcome, history, options.hideTests),
    icon: outcomeIcon(outcome),
    spoken: listed([label, statusWords(outcome.status), result, changes]),
    contextValue: told ? `${NODE_TRAITS.test} ${NODE_TRAITS.message}` : NODE_TRAITS.test,
    action: told ? { command: COMMANDS.showFailure, title: l10n.t("Show Failure") } : undefined,
    target: { kind: "test", turn, test: outcome, outcome },
  });
}

/** What went wrong, or how long the test took where that is not known or nothing did. */
function resultWords(outcome: TestOutcome, hideTests: boolean): string {
  const message = hideTests || outcome.status === "passed" ? "" : shortMessage(outcome.message);
  return message === "" ? timeOf(outcome) : message;
}

function timeOf({ durationMs }: TestOutcome): string {
  return durationMs === undefined ? "" : milliseconds(durationMs);
}

function outcomeTooltip(
  turn: Turn,
  outcome: TestOutcome,
  history: readonly TestRecord[],
  hideTests: boolean,
): string {
  return joined(
    "\n\n",
    outcome.id,
    listed([statusWords(outcome.status), timeOf(outcome), origin(turn, outcome)]),
    historyWords(history),
    hideTests ? "" : (outcome.message ?? ""),
  );
}

function joined(separator: string, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(separator);
}

/** Whether there is something to show on a click: a reason, or a failure whose reason is still to be read. */
function hasFailure({ message, status }: TestOutcome): boolean {
  return message !== undefined || status === "failed" || status === "error";
}

function outcomeIcon({ status }: TestOutcome): NodeIcon {
  if (status === "passed") return ICONS.passed;
  return status === "skipped" ? ICONS.none : ICONS.failed;
}

/** Where a regression test comes from, for example `from checkpoint 1`. */
function origin(turn: Turn, test: TestIdentity): string {
  return test.checkpoint === turn.checkpoint ? "" : fromWords(test.checkpoint);
}
