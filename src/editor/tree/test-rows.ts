/** Rows of hidden tests below a group: failed, passed (folded when many), running, queued. */
import { milliseconds } from "../../core/report/format.js";
import type { TestIdentity, TestOutcome } from "../../core/model/outcome.js";
import type { Group } from "../../core/model/problem.js";
import type { Turn, TurnProgress } from "../../core/model/turn.js";
import { COMMANDS, NODE_TRAITS } from "../ids.js";
import type { TurnFiles } from "../library/turn-files.js";
import { checkpointLabel, countOutcomes, plural, shortMessage, testLabel } from "../words.js";
import { node, type NodeIcon, type TreeNode } from "./node.js";

const FOLD_ABOVE = 5;

export const ICONS = {
  passed: { codicon: "pass", color: "testing.iconPassed" },
  failed: { codicon: "error", color: "testing.iconFailed" },
  partly: { codicon: "circle-large-outline", color: "testing.iconQueued" },
  trouble: { codicon: "warning", color: "problemsWarningIcon.foreground" },
  none: { codicon: "circle-slash", color: "testing.iconSkipped" },
  queued: { codicon: "circle-outline", color: "testing.iconSkipped" },
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

/**
 * The row of a group; undefined when the turn has no test in it.
 * @param prefix id of the row above
 * @param frozen row ids of this group in the order that must stay, by group row id
 * @param files tell messages and durations when the group is unfolded
 */
export function groupRow(
  prefix: string,
  turn: Turn,
  progress: TurnProgress | undefined,
  group: Group,
  frozen: ReadonlyMap<string, readonly string[]>,
  files: Pick<TurnFiles, "outcomes">,
): TreeNode | undefined {
  const tests = testsOf(turn, progress, group);
  const total = tests.outcomes.length + tests.queued.length + (tests.running === undefined ? 0 : 1);
  if (total === 0) return undefined;
  const id = `${prefix}/${group}`;
  const count = countOutcomes(tests.outcomes);
  return node({
    id,
    label: group,
    description: groupDescription(tests, total),
    icon: groupIcon(tests),
    spoken: `${group}, ${count.passed} of ${total - count.skipped} tests passed${groupSpokenRest(tests)}`,
    contextValue: "group",
    children: async () => {
      const outcomes = (await files.outcomes(turn)).filter((test) => test.group === group);
      return testRows(id, turn, { ...tests, outcomes }, frozen.get(id));
    },
  });
}

function groupDescription({ outcomes, running, queued }: GroupTests, total: number): string {
  const { passed, failed, skipped } = countOutcomes(outcomes);
  const parts = [`${passed} of ${total - skipped}`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (running !== undefined) parts.push("running");
  else if (queued.length > 0 && outcomes.length === 0) parts.push("queued");
  return parts.join(", ");
}

function groupSpokenRest({ outcomes, running, queued }: GroupTests): string {
  const { failed } = countOutcomes(outcomes);
  const waiting = queued.length + (running === undefined ? 0 : 1);
  return `${failed > 0 ? `, ${failed} failed` : ""}${waiting > 0 ? `, ${waiting} to go` : ""}`;
}

function groupIcon({ outcomes, running, queued }: GroupTests): NodeIcon {
  const { failed, passed } = countOutcomes(outcomes);
  if (running !== undefined) return ICONS.running;
  if (queued.length > 0) return outcomes.length > 0 ? ICONS.running : ICONS.queued;
  if (failed > 0) return ICONS.failed;
  return passed > 0 ? ICONS.passed : ICONS.none;
}

function testRows(
  groupId: string,
  turn: Turn,
  tests: GroupTests,
  frozen: readonly string[] | undefined,
): TreeNode[] {
  const id = (test: TestIdentity): string => `${groupId}/${test.checkpoint}/${test.id}`;
  const outcomeRows = (wanted: (outcome: TestOutcome) => boolean): TreeNode[] =>
    tests.outcomes.filter(wanted).map((outcome) => outcomeRow(id(outcome), turn, outcome));
  const failed = outcomeRows(({ status }) => status === "failed" || status === "error");
  const passed = outcomeRows(({ status }) => status === "passed");
  const rest = [
    ...(tests.running === undefined ? [] : [waitingRow(id(tests.running), turn, tests.running, true)]),
    ...tests.queued.map((test) => waitingRow(id(test), turn, test, false)),
    ...outcomeRows(({ status }) => status === "skipped"),
  ];
  if (frozen !== undefined) return keepPlaces(frozen, [...failed, ...passed, ...rest]);
  return [...failed, ...fold(groupId, passed), ...rest];
}

function fold(groupId: string, passed: readonly TreeNode[]): readonly TreeNode[] {
  if (passed.length <= FOLD_ABOVE) return passed;
  const label = `${passed.length} passed`;
  return [node({ id: `${groupId}/passed`, label, icon: ICONS.passed, children: () => passed })];
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
    spoken: `${testLabel(test.id)}, ${running ? "running" : "queued"}`,
    contextValue: NODE_TRAITS.test,
  });
}

function outcomeRow(id: string, turn: Turn, outcome: TestOutcome): TreeNode {
  const label = testLabel(outcome.id);
  const short = shortMessage(outcome.message);
  const time = outcome.durationMs === undefined ? "" : milliseconds(outcome.durationMs);
  const told = hasFailure(outcome);
  return node({
    id,
    label,
    description: [outcome.status === "passed" ? time : short || time, origin(turn, outcome)]
      .filter((part) => part !== "")
      .join("  "),
    tooltip: [outcome.id, `${outcome.status}${time === "" ? "" : `, ${time}`}`, outcome.message ?? ""]
      .filter((part) => part !== "")
      .join("\n\n"),
    icon: outcomeIcon(outcome),
    spoken: [label, outcome.status, short || time].filter((part) => part !== "").join(", "),
    contextValue: told ? `${NODE_TRAITS.test} ${NODE_TRAITS.message}` : NODE_TRAITS.test,
    action: told
      ? {
          command: COMMANDS.showFailure,
          title: "Show Failure",
          arguments: [{ kind: "test", turn, outcome }],
        }
      : undefined,
    target: { kind: "test", turn, outcome },
  });
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
  return test.checkpoint === turn.checkpoint ? "" : `from ${checkpointLabel(test.checkpoint).toLowerCase()}`;
}

/** `12 tests`. */
export function testsWords(count: number): string {
  return plural(count, "test");
}
