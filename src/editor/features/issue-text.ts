import { l10n } from "vscode";

/** What a report tells of the place where something went wrong. */
export interface IssueFacts {
  /** Release of Slop Lens. */
  readonly extension: string;
  readonly editor: string;
  /** Where VS Code runs: desktop or web, remote or not, and its language. */
  readonly host: string;
  readonly system: string;
  /** Names of settings; their values may hold paths and addresses, which are not told. */
  readonly changedSettings: readonly string[];
}

/** The report as Markdown, with room for what only the user can tell. */
export function issueText({ extension, editor, host, system, changedSettings }: IssueFacts): string {
  const settings = changedSettings.length === 0 ? "–" : changedSettings.map((key) => `\`${key}\``).join(", ");
  return [
    `## ${l10n.t("What happened")}`,
    "",
    l10n.t("What did you do, what did you expect, what came instead?"),
    "",
    `## ${l10n.t("Versions")}`,
    "",
    `- Slop Lens ${extension}`,
    `- ${editor} (${host})`,
    `- ${system}`,
    `- ${l10n.t("Changed settings: {0}", settings)}`,
    "",
    `## ${l10n.t("Log")}`,
    "",
    l10n.t("The lines around the trouble from the output channel Slop Lens. Take out what is private."),
    "",
    "```",
    "",
    "```",
    "",
  ].join("\n");
}
