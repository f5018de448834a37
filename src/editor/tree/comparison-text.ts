/** Two trajectories, or two evaluations of a snapshot, side by side as Markdown tables. */
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
    `# ${a.part.problem}: ${runLabel(a.run)} and ${runLabel(b.run)}`,
    "",
    `- **A** is ${described(a)}.`,
    `- **B** is ${described(b)}.`,
    "",
    ...table(
      ["Checkpoint", "A", "B", "Erosion of A", "Erosion of B"],
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
  return `${plain(runLabel(run))}${started === "" ? "" : `, started ${started}`}, in ${plain(run.folder)}`;
}

function turnOf({ part }: RunPart, checkpoint: string): Turn | undefined {
  return part.turns.find((turn) => turn.checkpoint === checkpoint);
}

function standing(turn: Turn | undefined): string {
  if (turn?.verdict === undefined) return turn === undefined ? "–" : "in progress";
  const { passed, failed } = words.totalCount(turn.counts);
  const counted = passed + failed === 0 ? "" : `${passed} of ${passed + failed} passed`;
  const scored = turn.verdict === "passed" || turn.verdict === "failed";
  return [scored ? "" : words.verdictWords(turn.verdict), counted].filter((part) => part !== "").join(", ");
}

function checkpointSection(name: string, a: Turn, b: Turn): string[] {
  const differences = outcomeDifferences(a.outcomes, b.outcomes);
  const heading = `## ${words.checkpointLabel(name)}`;
  if (differences.length === 0) return ["", heading, "", "Every test ends alike."];
  const both = differences.filter(({ stored, now }) => stored !== undefined && now !== undefined);
  const onlyA = differences.filter(({ now }) => now === undefined).length;
  const onlyB = differences.filter(({ stored }) => stored === undefined).length;
  return [
    "",
    heading,
    "",
    [
      `${words.plural(both.length, "test")} of both ${both.length === 1 ? "ends" : "end"} differently`,
      ...(onlyA === 0 ? [] : [`${onlyA} only in A`]),
      ...(onlyB === 0 ? [] : [`${onlyB} only in B`]),
    ].join(", ") + ".",
    "",
    ...differenceTable(["Test", "A", "B"], differences),
  ];
}

/**
 * What became of a snapshot's tests when they were run again.
 * @param reason why the new evaluation may not be scored, where it may not
 */
export function validationText(turn: Turn, now: readonly TestOutcome[], reason: string | undefined): string {
  const differences = outcomeDifferences(turn.outcomes, now);
  return [
    `# ${turn.problem}, ${words.checkpointLabel(turn.checkpoint)}: evaluated again`,
    "",
    ...(reason === undefined ? [] : [`Not scored: ${plain(reason)}`, ""]),
    validationWords(turn, now),
    "",
    ...(differences.length === 0 ? [] : differenceTable(["Test", "Stored", "Now"], differences)),
    "",
  ].join("\n");
}

/** `29 tests end as stored.`, or how many do not. */
export function validationWords(turn: Turn, now: readonly TestOutcome[]): string {
  const differing = outcomeDifferences(turn.outcomes, now).length;
  const all = words.plural(now.length, "test");
  if (differing === 0) return `${all} ${now.length === 1 ? "ends" : "end"} as stored.`;
  return `${differing} of ${all} ${differing === 1 ? "does" : "do"} not end as stored.`;
}

function differenceTable(titles: readonly string[], differences: readonly OutcomeDifference[]): string[] {
  const rows = differences
    .slice(0, MOST_LISTED)
    .map(({ id, checkpoint, stored, now }) => [
      `${words.testLabel(id)} (${words.checkpointLabel(checkpoint).toLowerCase()})`,
      stored ?? "–",
      now ?? "–",
    ]);
  const left = differences.length - rows.length;
  return [...table(titles, rows), ...(left === 0 ? [] : ["", `And ${left} more.`])];
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(plain).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)];
}

/** Names that agents and packs chose must neither break a table nor be read as Markdown or HTML. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|~]/g, "\\$&");
}
