/** What hovers say, as Markdown. Links are made by the host, because only it knows where a document lies. */
import { l10n } from "vscode";
import { integer, share } from "../../core/report/format.js";
import {
  HIGH_CC,
  type CallableMetrics,
  type Decision,
  type Profile,
  type RuleMatch,
} from "../../core/model/quality.js";
import type { CloneMark, FunctionMark, Marks, VerbosityMark } from "./marks.js";

/** Links to what can be done; one that cannot be done is undefined. */
export interface HoverLinks {
  /** To lines of a document of the report; undefined path means the hovered one. */
  readonly lines: (text: string, path: string | undefined, start: number, end: number) => string;
  readonly hotspots: (text: string, callable: CallableMetrics) => string;
  readonly growth: (text: string, callable: CallableMetrics) => string | undefined;
  readonly howCounted: (text: string) => string;
  readonly compare: (text: string, clones: readonly CloneMark[]) => string;
  readonly quickFix: (text: string, match: RuleMatch) => string | undefined;
  readonly suppress: (text: string, match: RuleMatch) => string;
  /** How a path of the report is shown. */
  readonly name: (path: string) => string;
}

/** The hover of a line, in the order complexity, clones, verbosity; undefined where nothing is marked. */
export function hoverAt(
  marks: Marks,
  line: number,
  column: number,
  profile: Profile,
  links: HoverLinks,
): string | undefined {
  const functions = marks.functions.filter((mark) => mark.line === line);
  const clones = marks.clones.filter((mark) => line >= mark.start && line <= mark.end);
  const inside = marks.clones.filter(
    (mark) => !clones.includes(mark) && functions.some(({ callable }) => isWithin(mark, callable)),
  );
  const verbosity = marks.verbosity.filter(
    (mark) => mark.line === line && column >= mark.startColumn && column <= mark.endColumn,
  );
  const actions = functions.map(({ callable }) =>
    functionActions(callable, [...clones, ...inside], profile, links),
  );
  const tables = functions.map(({ callable }) => decisionTable(callable.decisions, links));
  const isLong = functions.some(({ callable }) => callable.decisions.length > MOST_ABOVE_ACTIONS);
  const parts = [
    ...(isLong ? [...functions.map(functionHover), ...actions, ...tables] : []),
    ...(isLong ? [] : functions.map((mark, index) => `${functionHover(mark)}\n\n${tables[index] ?? ""}`)),
    cloneHovers(clones, inside, links),
    ...verbosity.map((mark) => verbosityHover(mark, links)),
    ...(isLong ? [] : actions),
  ];
  const told = parts.filter((part) => part !== "");
  return told.length === 0 ? undefined : told.join("\n\n---\n\n");
}

/** A longer table pushes what stands below it out of the hover, which is where the worst functions would end. */
const MOST_ABOVE_ACTIONS = 40;

function isWithin({ start, end }: CloneMark, callable: CallableMetrics): boolean {
  return start >= callable.start && end <= callable.end;
}

/** The hover of a line on which comments suppress matches; undefined where they do not. */
export function suppressedHover(suppressed: readonly RuleMatch[], line: number): string | undefined {
  const here = suppressed.filter(({ start }) => start === line);
  if (here.length === 0) return undefined;
  return here
    .map(({ rule, message }) =>
      l10n.t("{0} Suppressed here: {1} Rule {2}", "$(circle-slash)", prose(message), code(rule)),
    )
    .join("\n\n");
}

/** One line for each clone class, for its first instance here; the others are among the links. */
function cloneHovers(here: readonly CloneMark[], inside: readonly CloneMark[], links: HoverLinks): string {
  const isFirst = (mark: CloneMark, index: number, all: readonly CloneMark[]): boolean =>
    all.findIndex(({ id }) => id === mark.id) === index;
  const classes = [...here, ...inside].filter(isFirst);
  const lines = classes
    .slice(0, MOST_CLONES)
    .map((mark) => (here.includes(mark) ? cloneHover(mark, links) : cloneSentence(mark, links)));
  const more = classes.length - MOST_CLONES;
  if (more > 0) lines.push(more === 1 ? l10n.t("and 1 more clone") : l10n.t("and {0} more clones", more));
  return lines.join("\n\n");
}

const MOST_CLONES = 4;
const MOST_COPIES = 8;

function functionHover({ callable, share: part }: FunctionMark): string {
  const { qualifiedName, cc, sloc, mass, decisions } = callable;
  const complexity = l10n.t("cyclomatic complexity {0}", cc);
  const head = `**${code(qualifiedName)}** · **${complexity}** ${dim(l10n.t("(high: above {0})", HIGH_CC))}`;
  const formula = [
    decisions.length === 1 ? l10n.t("1 + 1 decision") : l10n.t("1 + {0} decisions", decisions.length),
    l10n.t("{0} SLOC", integer(sloc)),
    l10n.t("mass {0} × √{1} = {2}", cc, sloc, integer(mass)),
    l10n.t("{0} of the mass of this file", share(part)),
  ];
  return `${head}\n\n${dim(formula.join(" · "))}`;
}

function decisionTable(decisions: readonly Decision[], links: HoverLinks): string {
  const rows = groupDecisions(decisions).map(({ label, lines }) => {
    const linked = lines.map((line) => links.lines(String(line), undefined, line, line)).join(", ");
    return `| +${lines.length} | ${code(label.replaceAll(" ", "\u00a0"))} | ${linked} |`;
  });
  const head = `| ${l10n.t("Adds")} | ${l10n.t("Decision")} | ${l10n.t("Lines")} |`;
  return [head, "|:--|:--|:--|", ...rows].join("\n");
}

/** Decisions by label, the label that adds most first; lines may repeat. */
export function groupDecisions(
  decisions: readonly Decision[],
): { readonly label: string; readonly lines: readonly number[] }[] {
  const groups = new Map<string, number[]>();
  for (const { label, line } of decisions) groups.set(label, [...(groups.get(label) ?? []), line]);
  return [...groups]
    .map(([label, lines]) => ({ label, lines }))
    .sort((a, b) => b.lines.length - a.lines.length);
}

function functionActions(
  callable: CallableMetrics,
  clones: readonly CloneMark[],
  profile: Profile,
  links: HoverLinks,
): string {
  const actions = [
    links.hotspots(l10n.t("Show in Hotspots"), callable),
    clones.length === 0 ? undefined : links.compare(l10n.t("Compare With Other Copy"), clones),
    links.growth(l10n.t("Growth Since Checkpoint 1"), callable),
    links.howCounted(l10n.t("How Is This Counted?")),
  ];
  return `${inRow(actions)} ${dim(l10n.t("(profile {0})", profile))}`;
}

/** On the lines of a clone: how many copies, how long, and where the others are. */
function cloneHover(mark: CloneMark, links: HoverLinks): string {
  const sizes = [mark, ...mark.copies].map(({ start, end }) => end - start + 1);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const all = integer(mark.count + 1);
  const told =
    least === most
      ? l10n.t("{0} copies, {1} lines each", all, least)
      : l10n.t("{0} copies, {1} to {2} lines", all, least, most);
  const compare = links.compare(l10n.t("Compare With Other Copy"), [mark]);
  return `${CLONE_ICON} ${told}: ${copyLinks(mark, links)}\n\n${compare}`;
}

/** On the signature of a function that the clone is a part of. */
function cloneSentence(mark: CloneMark, links: HoverLinks): string {
  const { start, end, count } = mark;
  const told =
    count === 1
      ? l10n.t("Clone lines {0} have one other copy: {1}", span(start, end), copyLinks(mark, links))
      : l10n.t(
          "Clone lines {0} have {1} other copies: {2}",
          span(start, end),
          integer(count),
          copyLinks(mark, links),
        );
  return `${CLONE_ICON} ${told}`;
}

const CLONE_ICON = '<span style="color:var(--vscode-slopLens-cloneGutter);">$(files)</span>';

function copyLinks({ copies, count }: CloneMark, links: HoverLinks): string {
  const listed = copies.slice(0, MOST_COPIES).map((copy) => {
    const text = `${links.name(copy.path)} ${span(copy.start, copy.end)}`;
    return links.lines(escape(text), copy.path, copy.start, copy.end);
  });
  const more = count - listed.length;
  return more > 0 ? l10n.t("{0} and {1} more", listed.join(", "), integer(more)) : listed.join(", ");
}

function verbosityHover({ message, rule, note, match }: VerbosityMark, links: HoverLinks): string {
  const told = [prose(message), l10n.t("Rule {0}", code(rule)), ...(note === undefined ? [] : [note])];
  if (match !== undefined) {
    told.push(
      inRow([links.quickFix(l10n.t("Quick Fix…"), match), links.suppress(l10n.t("Suppress…"), match)]),
    );
  }
  return told.join("\n\n");
}

function inRow(actions: readonly (string | undefined)[]): string {
  return actions.filter((action) => action !== undefined).join("\u2003");
}

/** Text of ours that steps back. */
function dim(text: string): string {
  return `<span style="color:var(--vscode-descriptionForeground);">${text}</span>`;
}

function span(start: number, end: number): string {
  return start === end ? String(start) : `${start}–${end}`;
}

/** Text of others as inline code, whatever it holds. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replaceAll("\n", " ")}\``;
}

/** Text of others in which only backticks mean something. */
function prose(text: string): string {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return escape(text);
  return parts.map((part, index) => (index % 2 === 0 ? escape(part) : code(part))).join("");
}

/** Text of others as plain Markdown. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$]/g, "\\$&");
}
