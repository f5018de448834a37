import { suggestion } from "../../problem/suggest.js";

/** What a command may name in braces. */
export const PLACEHOLDERS = ["model", "thinking", "continue", "steps", "cost", "prompt_file"] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Shell text for each placeholder that has a value. */
export type PlaceholderValues = Partial<Readonly<Record<Placeholder, string>>>;

/** These stand for whole flags, so without a value they are simply nothing. */
const FLAGS: ReadonlySet<Placeholder> = new Set(["thinking", "continue"]);
/** `{name}`; `${name}` belongs to the shell. */
const PLACEHOLDER = /(?<!\$)\{(?<name>[a-z_]+)\}/gu;
/** A part in brackets, without brackets inside. */
const PART = /\[(?<inside>[^[\]]*)\]/gu;

/** The first thing that is wrong with a command, in words; undefined when nothing is. */
export function templateFault(command: string): string | undefined {
  for (const name of namesIn(command)) {
    if (!isPlaceholder(name)) return `Unknown placeholder {${name}}${suggestion(name, PLACEHOLDERS)}`;
  }
  return undefined;
}

/**
 * The shell command of a template. A part in brackets with a placeholder in it is left out when that has no value.
 * @returns the names that stand outside of brackets and have no value, when there are some
 */
export function fillTemplate(
  command: string,
  values: PlaceholderValues,
): { readonly command: string } | { readonly missing: readonly Placeholder[] } {
  const kept = command.replaceAll(PART, (part: string, inside: string) => {
    const names = namesIn(inside).filter(isPlaceholder);
    if (names.length === 0) return part;
    return names.every((name) => values[name] !== undefined) ? inside : "";
  });
  const missing = namesIn(kept)
    .filter(isPlaceholder)
    .filter((name) => values[name] === undefined && !FLAGS.has(name));
  if (missing.length > 0) return { missing };
  const filled = kept.replaceAll(PLACEHOLDER, (whole: string, name: string) =>
    isPlaceholder(name) ? (values[name] ?? "") : whole,
  );
  return { command: filled.replaceAll(/[ \t]+/gu, " ").trim() };
}

/** A value as one word of a POSIX shell. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/u.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match.groups?.["name"] ?? "");
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((known) => known === name);
}
