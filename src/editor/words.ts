/** The product's sentences about runs, turns and tests, the same in tree, status bar and notifications. */
import { env, l10n } from "vscode";
import { change, dateWords, ratio } from "../core/report/format.js";
import type { GroupCount, GroupCounts, TestOutcome, TestStatus } from "../core/model/outcome.js";
import { GROUPS } from "../core/model/problem.js";
import type { Isolation, Run } from "../core/model/run.js";
import type { Candidate, Turn, TurnProgress } from "../core/model/turn.js";

export { verdictWords } from "../core/report/verdict-words.js";

const STATUS_WORDS: Readonly<Record<TestStatus, string>> = {
  passed: l10n.t("passed"),
  failed: l10n.t("failed"),
  error: l10n.t("error"),
  skipped: l10n.t("skipped"),
};

const STATE_WORDS: Readonly<Record<Run["state"], string>> = {
  running: l10n.t("in progress"),
  finished: l10n.t("finished"),
  cancelled: l10n.t("cancelled"),
  interrupted: l10n.t("interrupted"),
};

/** How a test ended, as it is written. */
export function statusWords(status: TestStatus): string {
  return STATUS_WORDS[status];
}

/** How a run stands, as it is written. */
export function stateWords(state: Run["state"]): string {
  return STATE_WORDS[state];
}

/** Sum over all groups. */
export function totalCount(counts: GroupCounts): GroupCount {
  return GROUPS.reduce(
    (sum, group) => ({
      passed: sum.passed + counts[group].passed,
      failed: sum.failed + counts[group].failed,
      skipped: sum.skipped + counts[group].skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** Passed, failed and skipped among outcomes; an error counts as failed. */
export function countOutcomes(outcomes: readonly TestOutcome[]): GroupCount {
  const count = (wanted: (outcome: TestOutcome) => boolean): number => outcomes.filter(wanted).length;
  return {
    passed: count(({ status }) => status === "passed"),
    failed: count(({ status }) => status === "failed" || status === "error"),
    skipped: count(({ status }) => status === "skipped"),
  };
}

/** `12 passed`, `1 failed`; empty without tests. */
export function countWords({ passed, failed }: GroupCount): string {
  if (failed > 0) return l10n.t("{0} failed", failed);
  return passed > 0 ? l10n.t("{0} passed", passed) : "";
}

/** `14 of 29 tests, 2 failed` while the tests run. */
export function testProgressWords(turn: Turn, progress: TurnProgress): string {
  const done = turn.outcomes.length;
  const total = done + progress.queued.length + (progress.running === undefined ? 0 : 1);
  const { failed } = countOutcomes(turn.outcomes);
  return failed > 0
    ? l10n.t("{0} of {1} tests, {2} failed", done, total, failed)
    : l10n.t("{0} of {1} tests", done, total);
}

/** Erosion of a turn's snapshot, or what an imported run recorded; undefined while nothing is measured. */
export function erosionOf(turn: Turn | undefined): number | undefined {
  return turn?.quality?.totals.erosion ?? turn?.recorded?.erosion;
}

/** Erosion of the turn before as far as the same tool measured it: figures of two tools are not compared. */
export function comparableErosion(turn: Turn, previous: Turn | undefined): number | undefined {
  return turn.quality === undefined ? previous?.recorded?.erosion : previous?.quality?.totals.erosion;
}

/** `0.83 ▲ 0.42`; empty while nothing is measured. */
export function erosionWords(turn: Turn, previous: Turn | undefined): string {
  const now = erosionOf(turn);
  if (now === undefined) return "";
  return [ratio(now), change(now, comparableErosion(turn, previous))].filter((part) => part !== "").join(" ");
}

/** `try 1 of 4` at a checkpoint that is tried several times; otherwise empty. */
export function tryWords(candidate: Candidate | undefined): string {
  return candidate === undefined ? "" : l10n.t("try {0} of {1}", candidate.index, candidate.of);
}

/** `docker` as users read it; local runs always say that they are not isolated. */
export function isolationWords(isolation: Isolation): string {
  if (isolation === "docker") return "Docker";
  return isolation === "local" ? l10n.t("local, not isolated") : "";
}

/** `test_move_is_alias[x]` as `move is alias [x]`. */
export function testLabel(id: string): string {
  const [, name = id, parameters = ""] = /^([^[]*)(\[.*\])?$/s.exec(id) ?? [];
  const words = (name.split("::").at(-1) ?? name)
    .replace(/^test_+/, "")
    .replaceAll("_", " ")
    .trim();
  return parameters === "" ? words : `${words} ${parameters}`;
}

/** `2 Jun 20:28` in local time; empty when the time is not known. */
export function startWords(iso: string | undefined): string {
  return dateWords(iso, env.language);
}

/** `checkpoint_2` as `Checkpoint 2`; other names stay as they are. */
export function checkpointLabel(name: string): string {
  const number = /^checkpoint_(\d+)$/.exec(name)?.[1];
  return number === undefined ? name : l10n.t("Checkpoint {0}", number);
}

/** The same within a sentence, `checkpoint 2`. */
export function checkpointWords(name: string): string {
  return checkpointLabel(name).toLowerCase();
}

/** `shelf, checkpoint 2`. */
export function turnWords({ problem, checkpoint }: Pick<Turn, "problem" | "checkpoint">): string {
  return l10n.t("{0}, {1}", problem, checkpointWords(checkpoint));
}

/** `3 checkpoints`, `1 checkpoint`. */
export function checkpointCount(count: number): string {
  return count === 1 ? l10n.t("1 checkpoint") : l10n.t("{0} checkpoints", count);
}

/** `3 runs`, `1 run`. */
export function runCount(count: number): string {
  return count === 1 ? l10n.t("1 run") : l10n.t("{0} runs", count);
}

/** `12 of 14 tests passed`. */
export function passedOf(passed: number, all: number): string {
  return l10n.t("{0} of {1} tests passed", passed, all);
}

/** `from checkpoint 1`. */
export function fromWords(checkpoint: string): string {
  return l10n.t("from {0}", checkpointWords(checkpoint));
}

/** Parts of a sentence that stand in a row: `Core, 3 of 5 tests passed`. */
export function listed(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(l10n.t(", "));
}
