/** What hovers say, as Markdown. Links are made by the host, because only it knows where a document lies. */
import { integer, share } from "../../core/report/format.js";
import { HIGH_CC, type Decision, type Profile, type RuleMatch } from "../../core/model/quality.js";
import type { CloneMark, FunctionMark, Marks, VerbosityMark } from "./marks.js";

export interface HoverLinks {
  /** To lines of a document of the report; undefined path means the hovered one. */
  readonly lines: (text: string, path: string | undefined, start: number, end: number) => string;
  readonly hotspots: (text: string) => string;
  readonly howCounted: (text: string) => string;
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
  const inside = (mark: CloneMark): boolean =>
    functions.some(({ callable }) => mark.start >= callable.start && mark.end <= callable.end);
  const clones = marks.clones.filter((mark) => (line >= mark.start && line <= mark.end) || inside(mark));
  const verbosity = marks.verbosity.filter(
    (mark) => mark.line === line && column >= mark.startColumn && column <= mark.endColumn,
  );
  const parts = [
    ...functions.map((mark) => functionHover(mark, links)),
    cloneHovers(clones, links),
    verbosity.map(verbosityHover).join("\n\n"),
    functions.length === 0 ? "" : functionActions(profile, links),
  ];
  const told = parts.filter((part) => part !== "");
  return told.length === 0 ? undefined : told.join("\n\n---\n\n");
}

/** The hover of a line on which comments suppress matches; undefined where they do not. */
export function suppressedHover(suppressed: readonly RuleMatch[], line: number): string | undefined {
  const here = suppressed.filter(({ start }) => start === line);
  if (here.length === 0) return undefined;
  return here
    .map(({ rule, message }) => `$(circle-slash) Suppressed here: ${escape(message)} Rule ${code(rule)}`)
    .join("\n\n");
}

/** One line for each clone class, for its first instance here; the others are among the links. */
function cloneHovers(marks: readonly CloneMark[], links: HoverLinks): string {
  const classes = marks.filter((mark, index) => marks.findIndex(({ id }) => id === mark.id) === index);
  const lines = classes.slice(0, MOST_CLONES).map((mark) => cloneHover(mark, links));
  if (classes.length > MOST_CLONES) lines.push(`and ${classes.length - MOST_CLONES} more clones`);
  return lines.join("\n\n");
}

const MOST_CLONES = 4;
const MOST_COPIES = 8;

function functionHover({ callable, share: part }: FunctionMark, links: HoverLinks): string {
  const { qualifiedName, cc, sloc, mass, decisions } = callable;
  const head = `**${code(qualifiedName)}** · **cyclomatic complexity ${cc}** (high: above ${HIGH_CC})`;
  const formula =
    `1 + ${decisions.length} decisions · ${integer(sloc)} SLOC · ` +
    `mass ${cc} × √${sloc} = ${integer(mass)} · ${share(part)} of the mass of this file`;
  return `${head}\n\n${formula}\n\n${decisionTable(decisions, links)}`;
}

function decisionTable(decisions: readonly Decision[], links: HoverLinks): string {
  const rows = groupDecisions(decisions).map(({ label, lines }) => {
    const linked = lines.map((line) => links.lines(String(line), undefined, line, line)).join(", ");
    return `| +${lines.length} | ${code(label)} | ${linked} |`;
  });
  return ["| Adds | Decision | Lines |", "|:--|:--|:--|", ...rows].join("\n");
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

function functionActions(profile: Profile, links: HoverLinks): string {
  return `${links.hotspots("Show in Hotspots")}\u2003${links.howCounted("How Is This Counted?")} (profile ${profile})`;
}

function cloneHover({ start, end, copies }: CloneMark, links: HoverLinks): string {
  const listed = copies.slice(0, MOST_COPIES).map((copy) => {
    const text = `${links.name(copy.path)} ${span(copy.start, copy.end)}`;
    return links.lines(escape(text), copy.path, copy.start, copy.end);
  });
  const more = copies.length > MOST_COPIES ? ` and ${copies.length - MOST_COPIES} more` : "";
  const others = copies.length === 1 ? "one other copy" : `${copies.length} other copies`;
  return `$(files) Clone lines ${span(start, end)} have ${others}: ${listed.join(", ")}${more}`;
}

function verbosityHover({ message, rule, note }: VerbosityMark): string {
  const told = `${escape(message)}\n\nRule ${code(rule)}`;
  return note === undefined ? told : `${told}\n\n${note}`;
}

function span(start: number, end: number): string {
  return start === end ? String(start) : `${start}–${end}`;
}

/** Text of others as inline code, whatever it holds. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replaceAll("\n", " ")}\``;
}

/** Text of others as plain Markdown. */
export function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$]/g, "\\$&");
}
