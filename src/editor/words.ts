/** The product's sentences about runs, turns and tests, the same in tree, status bar and notifications. */
import { change, ratio } from "../core/report/format.js";
import type { GroupCount, GroupCounts, TestOutcome, Verdict } from "../core/model/outcome.js";
import { GROUPS } from "../core/model/problem.js";
import type { Isolation } from "../core/model/run.js";
import type { Candidate, Turn, TurnProgress } from "../core/model/turn.js";

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: "passed",
  failed: "failed",
  "agent-error": "agent error",
  "agent-timeout": "agent timeout",
  infrastructure: "infrastructure, not scored",
  "not-reached": "not reached",
  skipped: "skipped",
};

/** A verdict as it is written. */
export function verdictWords(verdict: Verdict): string {
  return VERDICT_WORDS[verdict];
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
  if (failed > 0) return `${failed} failed`;
  return passed > 0 ? `${passed} passed` : "";
}

/** `14 of 29 tests, 2 failed` while the tests run. */
export function testProgressWords(turn: Turn, progress: TurnProgress): string {
  const done = turn.outcomes.length;
  const total = done + progress.queued.length + (progress.running === undefined ? 0 : 1);
  const { failed } = countOutcomes(turn.outcomes);
  return `${done} of ${total} tests${failed > 0 ? `, ${failed} failed` : ""}`;
}

/** Erosion of a turn's snapshot, or what an imported run recorded; undefined while nothing is measured. */
export function erosionOf(turn: Turn | undefined): number | undefined {
  return turn?.quality?.totals.erosion ?? turn?.recorded?.erosion;
}

/** `0.83 ▲ 0.42`; empty while nothing is measured. */
export function erosionWords(turn: Turn, previous: Turn | undefined): string {
  const now = erosionOf(turn);
  if (now === undefined) return "";
  return [ratio(now), change(now, erosionOf(previous))].filter((part) => part !== "").join(" ");
}

/** `try 1 of 4` at a checkpoint that is tried several times; otherwise empty. */
export function tryWords(candidate: Candidate | undefined): string {
  return candidate === undefined ? "" : `try ${candidate.index} of ${candidate.of}`;
}

/** `docker` as users read it; local runs always say that they are not isolated. */
export function isolationWords(isolation: Isolation): string {
  if (isolation === "docker") return "Docker";
  return isolation === "local" ? "local, not isolated" : "";
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

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2 Jun 20:28` in local time; empty when the time is not known. */
export function startWords(iso: string | undefined): string {
  if (iso === undefined) return "";
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getDate()} ${MONTHS[at.getMonth()] ?? ""} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `checkpoint_2` as `Checkpoint 2`; other names stay as they are. */
export function checkpointLabel(name: string): string {
  const number = /^checkpoint_(\d+)$/.exec(name)?.[1];
  return number === undefined ? name : `Checkpoint ${number}`;
}

/** `3 checkpoints`, `1 checkpoint`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
