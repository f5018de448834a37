import type { Source } from "../source.js";
import type { Subject } from "./match/subject.js";

/** A change that a rule proposes: the UTF-16 units from `start` up to `end` of the text give way to `text`. */
export interface Fix {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const VARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g;

/**
 * Fills the variables of a match into a rule's fix. Lines behind the first are indented as where they go.
 * @param template the rule's `fix`
 * @returns undefined for a fix that is more than a template, or names a variable that is made of others
 */
export function expandFix(template: unknown, node: number, subject: Subject): Fix | undefined {
  if (typeof template !== "string") return undefined;
  const { tree } = subject;
  const start = tree.start[node] ?? 0;
  const parts = [...template.matchAll(VARIABLE)];
  const spans = parts.map(([, list, single = ""]) =>
    list === undefined ? spanOf(subject, subject.bindings.node(single)) : listSpan(subject, list),
  );
  if (spans.includes(undefined)) return undefined;
  let next = 0;
  const filled = template.replace(VARIABLE, (_whole, _list, _single, at: number) => {
    const span = spans[next++];
    return span === undefined ? "" : moved(tree.source, span, indentBefore(template, at));
  });
  const text = filled.replaceAll("\n", `\n${indentBefore(tree.source.text, start)}`);
  return { start, end: tree.end[node] ?? 0, text };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spanOf({ tree }: Subject, first: number | undefined, last = first): Span | undefined {
  if (first === undefined || last === undefined) return undefined;
  return { start: tree.start[first] ?? 0, end: tree.end[last] ?? 0 };
}

/** From the first to the last of the nodes that `$$$NAME` stands for; an empty span for none. */
function listSpan(subject: Subject, name: string): Span | undefined {
  const nodes = subject.bindings.list(name);
  if (nodes?.length === 0) return { start: 0, end: 0 };
  return spanOf(subject, nodes?.[0], nodes?.at(-1));
}

/** The text of a span, its lines behind the first moved from their own indentation to `indent`. */
function moved(source: Source, { start, end }: Span, indent: string): string {
  const own = indentBefore(source.text, start);
  const [first = "", ...others] = source.text.slice(start, end).split("\n");
  return [first, ...others.map((line) => indent + withoutIndent(line, own.length))].join("\n");
}

function withoutIndent(line: string, width: number): string {
  return line.slice(Math.min(width, line.length - line.trimStart().length));
}

/** White space with which the line of a position begins. */
function indentBefore(text: string, position: number): string {
  const from = position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(from))?.[0] ?? "";
}
