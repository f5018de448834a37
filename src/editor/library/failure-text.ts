import { l10n } from "vscode";
import type { TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";
import { milliseconds } from "../../core/report/format.js";
import { listed, statusWords, turnWords } from "../words.js";

/** What a failed test's document says. @param outcome with its details, as `TurnFiles.outcome` has them */
export function failureText(turn: Turn, outcome: TestOutcome): string {
  const { file, line, group, durationMs } = outcome;
  const where = line === undefined ? file : l10n.t("{0}, line {1}", file, line);
  return [
    outcome.id,
    l10n.t("{0} at {1}", statusWords(outcome.status), turnWords(turn)),
    listed([
      l10n.t("{0} test of {1}", group, where),
      durationMs === undefined ? "" : milliseconds(durationMs),
    ]),
    "",
    outcome.message ?? l10n.t("The files of this run hold no message for this test."),
    "",
  ].join("\n");
}
