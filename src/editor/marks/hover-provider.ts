import * as vscode from "vscode";
import type { RuleMatch } from "../../core/model/quality.js";
import { COMMANDS, INTERNAL_COMMANDS } from "../ids.js";
import { turnOfFile, type LibraryState } from "../library/state.js";
import { addressOf, nameOf } from "./addresses.js";
import { commandLink } from "./command-link.js";
import type { MarkController } from "./controller.js";
import { hoverAt, suppressedHover, type HoverLinks } from "./hover.js";

/** The hovers of marks. */
export class MarkHovers implements vscode.HoverProvider {
  constructor(
    private readonly marks: MarkController,
    private readonly library: { readonly state: LibraryState },
  ) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const fixable = await this.fixable(document, position);
    const result = this.marks.result(document);
    if (result === undefined) return undefined;
    const line = position.line + 1;
    const { profile, suppressed } = result.report;
    const links = this.links(document, fixable);
    const parts = [
      hoverAt(result.marks, line, position.character + 1, profile, links),
      suppressedHover(suppressed, line),
    ].filter((part) => part !== undefined);
    if (parts.length === 0) return undefined;
    const markdown = new vscode.MarkdownString(parts.join("\n\n---\n\n"), true);
    markdown.supportHtml = true;
    markdown.isTrusted = { enabledCommands: [...LINKED] };
    return new vscode.Hover(markdown);
  }

  /** The matches at a position for which their rule proposes something. */
  private async fixable(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<ReadonlySet<RuleMatch>> {
    const here = this.marks.matchesIn(document, new vscode.Range(position, position));
    const fixes = await Promise.all(here.map((match) => this.marks.remedy(document, "fix", match)));
    return new Set(here.filter((_, index) => fixes[index] !== undefined));
  }

  private links(document: vscode.TextDocument, fixable: ReadonlySet<RuleMatch>): HoverLinks {
    const own = document.uri.toString();
    const inRun =
      document.uri.scheme === "file" ? turnOfFile(this.library.state, document.uri.fsPath) : undefined;
    const hasGrown = inRun !== undefined && inRun.part.turns[0]?.id !== inRun.turn.id;
    return {
      lines: (text, file, start, end) =>
        commandLink(text, INTERNAL_COMMANDS.revealLines, [
          file === undefined ? own : addressOf(document, file).toString(),
          ...[start, end],
        ]),
      hotspots: (text, { qualifiedName }) =>
        commandLink(text, INTERNAL_COMMANDS.showInHotspots, [own, qualifiedName]),
      growth: (text, { qualifiedName }) =>
        hasGrown ? commandLink(text, COMMANDS.followInPlot, [own, qualifiedName]) : undefined,
      howCounted: (text) => commandLink(text, INTERNAL_COMMANDS.howIsThisCounted, []),
      compare: (text, clones) =>
        commandLink(text, COMMANDS.compareClone, [own, [...new Set(clones.map(({ id }) => id))]]),
      quickFix: (text, match) =>
        fixable.has(match)
          ? commandLink(text, INTERNAL_COMMANDS.quickFix, [own, match.start, match.startColumn])
          : undefined,
      suppress: (text, { rule, start, startColumn }) =>
        commandLink(text, INTERNAL_COMMANDS.suppress, [own, rule, start, startColumn]),
      name: (file) => nameOf(addressOf(document, file)),
    };
  }
}

/** The commands that links of hovers call. */
const LINKED: readonly string[] = [
  COMMANDS.compareClone,
  COMMANDS.followInPlot,
  INTERNAL_COMMANDS.revealLines,
  INTERNAL_COMMANDS.showInHotspots,
  INTERNAL_COMMANDS.howIsThisCounted,
  INTERNAL_COMMANDS.quickFix,
  INTERNAL_COMMANDS.suppress,
];
