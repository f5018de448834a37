/** Two trajectories, or two evaluations of a snapshot, side by side as Markdown tables. */
import { l10n } from "vscode";
import type { TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";
import { ratio } from "../../core/report/format.js";
import { outcomeDifferences, type OutcomeDifference } from "../../core/report/outcome-differences.js";
import { runLabel } from "../../core/report/run-label.js";
import { isFinished, type RunPart } from "../library/state.js";
import * as words from "../words.js";

/** Differing tests that a table lists at most. */
const MOST_LISTED = 200;

/** What two runs of a problem have in common and where they part, checkpoint by checkpoint. */
export function runComparison(a: RunPart, b: RunPart): string {
  const names = [...new Set([...a.part.turns, ...b.part.turns].map(({ checkpoint }) => checkpoint))];
  const pairs = names.map((name) => ({ name, a: turnOf(a, name), b: turnOf(b, name) }));
  return [
    `# ${l10n.t("{0}: {1} and {2}", a.part.problem, runLabel(a.run), runLabel(b.run))}`,
    "",
    `- ${l10n.t("**A** is {0}.", described(a))}`,
    `- ${l10n.t("**B** is {0}.", described(b))}`,
    "",
    ...table(
      [l10n.t("Checkpoint"), "A", "B", l10n.t("Erosion of A"), l10n.t("Erosion of B")],
      pairs.map((pair) => [
        words.checkpointLabel(pair.name),
        standing(pair.a),
        standing(pair.b),
        ratio(words.erosionOf(pair.a)),
        ratio(words.erosionOf(pair.b)),
      ]),
    ),
    ...pairs.flatMap((pair) =>
      pair.a === undefined || pair.b === undefined || !isFinished(pair.a) || !isFinished(pair.b)
        ? []
        : checkpointSection(pair.name, pair.a, pair.b),
    ),
    "",
  ].join("\n");
}

function described({ run }: RunPart): string {
  const started = words.startWords(run.startedAt);
  const [label, folder] = [plain(runLabel(run)), plain(run.folder)];
  return started === ""
    ? l10n.t("{0}, in {1}", label, folder)
    : l10n.t("{0}, started {1}, in {2}", label, started, folder);
}

function turnOf({ part }: RunPart, checkpoint: string): Turn | undefined {
  return part.turns.find((turn) => turn.checkpoint === checkpoint);
}

function standing(turn: Turn | undefined): string {
  if (turn?.verdict === undefined) return turn === undefined ? "–" : words.stateWords("running");
  const { passed, failed } = words.totalCount(turn.counts);
  const counted = passed + failed === 0 ? "" : l10n.t("{0} of {1} passed", passed, passed + failed);
  const scored = turn.verdict === "passed" || turn.verdict === "failed";
  return words.listed([scored ? "" : words.verdictWords(turn.verdict), counted]);
}

function checkpointSection(name: string, a: Turn, b: Turn): string[] {
  const differences = outcomeDifferences(a.outcomes, b.outcomes);
  const heading = `## ${words.checkpointLabel(name)}`;
  if (differences.length === 0) return ["", heading, "", l10n.t("Every test ends alike.")];
  const both = differences.filter(({ stored, now }) => stored !== undefined && now !== undefined);
  const onlyA = differences.filter(({ now }) => now === undefined).length;
  const onlyB = differences.filter(({ stored }) => stored === undefined).length;
  const told = words.listed([
    both.length === 1
      ? l10n.t("1 test of both ends differently")
      : l10n.t("{0} tests of both end differently", both.length),
    onlyA === 0 ? "" : l10n.t("{0} only in A", onlyA),
    onlyB === 0 ? "" : l10n.t("{0} only in B", onlyB),
  ]);
  return [
    "",
    heading,
    "",
    l10n.t("{0}.", told),
    "",
    ...differenceTable([l10n.t("Test"), "A", "B"], differences),
  ];
}

/**
 * What became of a snapshot's tests when they were run again.
 * @param reason why the new evaluation may not be scored, where it may not
 */
export function validationText(turn: Turn, now: readonly TestOutcome[], reason: string | undefined): string {
  const differences = outcomeDifferences(turn.outcomes, now);
  return [
    `# ${l10n.t("{0}: evaluated again", words.turnWords(turn))}`,
    "",
    ...(reason === undefined ? [] : [l10n.t("Not scored: {0}", plain(reason)), ""]),
    validationWords(turn, now),
    "",
    ...(differences.length === 0
      ? []
      : differenceTable([l10n.t("Test"), l10n.t("Stored"), l10n.t("Now")], differences)),
    "",
  ].join("\n");
}

/** `29 tests end as stored.`, or how many do not. */
export function validationWords(turn: Turn, now: readonly TestOutcome[]): string {
  const differing = outcomeDifferences(turn.outcomes, now).length;
  const all = now.length;
  if (differing === 0) {
    return all === 1 ? l10n.t("1 test ends as stored.") : l10n.t("{0} tests end as stored.", all);
  }
  if (all === 1) return l10n.t("{0} of 1 test does not end as stored.", differing);
  return differing === 1
    ? l10n.t("1 of {0} tests does not end as stored.", all)
    : l10n.t("{0} of {1} tests do not end as stored.", differing, all);
}

function differenceTable(titles: readonly string[], differences: readonly OutcomeDifference[]): string[] {
  const rows = differences
    .slice(0, MOST_LISTED)
    .map(({ id, checkpoint, stored, now }) => [
      l10n.t("{0} ({1})", words.testLabel(id), words.checkpointWords(checkpoint)),
      stored === undefined ? "–" : words.statusWords(stored),
      now === undefined ? "–" : words.statusWords(now),
    ]);
  const left = differences.length - rows.length;
  return [...table(titles, rows), ...(left === 0 ? [] : ["", l10n.t("And {0} more.", left)])];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(plain).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)];
}

/** Names that agents and packs chose must neither break a table nor be read as Markdown or HTML. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|~]/g, "\\$&");
}
