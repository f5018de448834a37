import * as vscode from "vscode";
import type { TestOutcome } from "../../core/model/outcome.js";
import type { Turn } from "../../core/model/turn.js";
import { COMMANDS, FAILURE_SCHEME } from "../ids.js";
import { failureText } from "../library/failure-text.js";
import type { Feature } from "../services.js";
import { registerCommands } from "./commands.js";
import { targetOf } from "./targets.js";

const MOST_KEPT = 200;

/** Shows the whole message of a failed test in a read-only document. */
export const failures: Feature = ({ errors, turnFiles }) => {
  const texts = new Map<string, string>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(FAILURE_SCHEME, {
    provideTextDocumentContent: (uri) =>
      texts.get(uri.toString()) ?? vscode.l10n.t("This message is no longer known."),
  });
  const show = async (turn: Turn, test: TestOutcome): Promise<void> => {
    const outcome = (await turnFiles.outcome(turn, test)) ?? test;
    const uri = failureUri(turn, outcome);
    texts.set(uri.toString(), failureText(turn, outcome));
    const [oldest] = texts.keys();
    if (texts.size > MOST_KEPT && oldest !== undefined) texts.delete(oldest);
    await vscode.window.showTextDocument(uri, { preview: true });
  };
  const commands = registerCommands(errors, {
    [COMMANDS.showFailure]: async (value) => {
      const target = targetOf(value);
      if (target?.kind === "test" && target.outcome !== undefined) await show(target.turn, target.outcome);
    },
    [COMMANDS.copyMessage]: async (value) => {
      const target = targetOf(value);
      const text =
        target?.kind === "test"
          ? (await turnFiles.outcome(target.turn, target.test))?.message
          : target?.kind === "queueItem" && target.reason;
      if (typeof text === "string") await vscode.env.clipboard.writeText(text);
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
