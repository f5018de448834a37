import * as vscode from "vscode";
import { milliseconds } from "../../core/report/format.js";
import type { TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS, FAILURE_SCHEME } from "../ids.js";
import type { Feature } from "../services.js";
import { checkpointLabel } from "../tree/test-rows.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

const MOST_KEPT = 200;

/** Shows the whole message of a failed test in a read-only document. */
export const failures: Feature = ({ errors }) => {
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(FAILURE_SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? "This message is no longer known.",
  });
  const show = async (turn: Turn, outcome: TestOutcome): Promise<void> => {
    const uri = failureUri(turn, outcome);
    texts.set(uri.toString(), failureText(turn, outcome));
    const [oldest] = texts.keys();
    if (texts.size > MOST_KEPT && oldest !== undefined) texts.delete(oldest);
    await vscode.window.showTextDocument(uri, { preview: true });
  };
  const commands = registerCommands(errors, {
    [COMMANDS.showFailure]: async (value) => {
      const target = targetOf(value);
      if (target?.kind === "test") await show(target.turn, target.outcome);
    },
    [COMMANDS.copyMessage]: async (value) => {
      const target = targetOf(value);
      if (target?.kind === "test") await vscode.env.clipboard.writeText(target.outcome.message ?? "");
    },
  });
  return vscode.Disposable.from(provider, commands);
};

/** One document a test and turn; its name is what the tab shows. */
function failureUri(turn: Turn, outcome: TestOutcome): vscode.Uri {
  const name = `${outcome.id.replaceAll("/", " ")}.txt`;
  return vscode.Uri.from({
    scheme: FAILURE_SCHEME,
    path: `/${turn.problem}/${turn.checkpoint}/${outcome.checkpoint}/${name}`,
    query: `${turn.folder}\n${turn.finishedAt ?? ""}`,
  });
}

function failureText(turn: Turn, outcome: TestOutcome): string {
  const where = outcome.line === undefined ? outcome.file : `${outcome.file}, line ${outcome.line}`;
  return [
    outcome.id,
    `${outcome.status} at ${turn.problem}, ${checkpointLabel(turn.checkpoint)}`,
    `${outcome.group} test of ${where}${outcome.durationMs === undefined ? "" : `, ${milliseconds(outcome.durationMs)}`}`,
    "",
    outcome.message ?? "The files of this run hold no message for this test.",
    "",
  ].join("\n");
}
