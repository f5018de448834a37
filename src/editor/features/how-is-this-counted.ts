import * as vscode from "vscode";
import { countingTables } from "../product.js";
import type { ReportDocuments } from "./report-documents.js";

const TITLE = vscode.l10n.t("How Slop Lens counts");

/** Each figure with what it means. */
const FIGURES = [
  [
    "CC",
    vscode.l10n.t(
      "Cyclomatic complexity: 1 plus one for each decision of the callable. The hover lists every decision.",
    ),
  ],
  [
    "SLOC",
    vscode.l10n.t("Lines of the callable that hold code, without blank lines, comments and docstrings."),
  ],
  [vscode.l10n.t("Mass"), vscode.l10n.t("CC × √SLOC of one callable.")],
  [vscode.l10n.t("High"), vscode.l10n.t("A callable with a CC above 10.")],
  [
    vscode.l10n.t("Erosion"),
    vscode.l10n.t("Mass of the high callables divided by the mass of all callables, 0 to 1."),
  ],
  [vscode.l10n.t("Clone lines"), vscode.l10n.t("Lines whose code has the same shape as lines elsewhere.")],
  [
    vscode.l10n.t("Verbosity"),
    vscode.l10n.t("SLOC that a rule matches or that are clone lines, divided by all SLOC, 0 to 1."),
  ],
] as const;

function howCounted(): string {
  return [
    `# ${TITLE}`,
    "",
    vscode.l10n.t(
      "The numbers follow a profile, a release of the definitions of SlopCodeBench's own checker; the setting `slopLens.profile` chooses it, and it stands beside the numbers.",
    ),
    "",
    `| ${vscode.l10n.t("Figure")} | ${vscode.l10n.t("Meaning")} |`,
    "|:--|:--|",
    ...FIGURES.map(([figure, meaning]) => `| ${figure} | ${meaning} |`),
    "",
    vscode.l10n.t(
      "For comparison: a panel of 473 human repositories has a mean erosion of 0.34 and a mean verbosity of 0.19.",
    ),
    "",
  ].join("\n");
}

/** Shows what the figures mean, and what adds to the complexity in the language of the active editor. */
export async function howIsThisCounted(documents: ReportDocuments): Promise<void> {
  const languageId = vscode.window.activeTextEditor?.document.languageId ?? "";
  const tables = await countingTables(languageId);
  await documents.show(TITLE, languageId, `${howCounted()}\n${tables}`);
}
