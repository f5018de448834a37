/** pytest's words on a failure as one line: what came and what was expected. */
import { l10n } from "vscode";

const SHORT = 90;
const OPENING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * The line that says what went wrong, without its decoration. A comparison is told as `1, expected 0`, and as
 * `exit code 1, expected 0` where pytest names the value; after words of the test's own it follows in brackets.
 * @param message pytest's words, as an outcome keeps them
 * @returns empty without a message, else at most 90 characters
 */
export function shortMessage(message: string | undefined): string {
  if (message === undefined) return "";
  const lines = message.split("\n").map((line) => line.trim());
  const told = lines.flatMap((line) => /^E\s+(\S.*)$/.exec(line)?.[1] ?? []);
  const first = (told[0] ?? lines.find((line) => line !== "") ?? "").replace(/^AssertionError:\s*/, "");
  const comparison = comparisonIn(told);
  if (comparison === undefined) return shorten(expectedIn(first));
  if (/^assert\s/.test(first)) return shorten(comparison);
  const both = l10n.t("{0} ({1})", first, comparison);
  return both.length > SHORT ? shorten(first) : both;
}

function expectedIn(line: string): string {
  const expected = /^assert\s+(.*)$/s.exec(line)?.[1];
  return expected === undefined ? line : l10n.t("expected {0}", expected);
}

/** `1, expected 0` out of `assert 1 == 0`; undefined where nothing was compared for equality. */
function comparisonIn(lines: readonly string[]): string | undefined {
  const assertion = lines.map((line) => line.replace(/^AssertionError:\s*/, "")).find(isAssertion);
  const sides = assertion === undefined ? undefined : splitAtEquals(assertion.replace(/^assert\s+/, ""));
  if (sides === undefined) return undefined;
  const [got, expected] = sides;
  return l10n.t("{0}, expected {1}", named(got, lines), expected);
}

function isAssertion(line: string): boolean {
  return /^assert\s/.test(line);
}

/** pytest adds `where 1 = run(...).returncode`: the last name tells what the value is. */
function named(value: string, lines: readonly string[]): string {
  const start = `where ${value} = `;
  const origin = lines.find((line) => line.replace(/^\+\s+/, "").startsWith(start));
  const name = origin === undefined ? undefined : /\.([a-z_]+)$/.exec(origin)?.[1];
  if (name === undefined) return value;
  return name === "returncode" ? l10n.t("exit code {0}", value) : `${name} ${value}`;
}

/** The two sides of the only ` == ` that stands in no bracket and no string. */
function splitAtEquals(text: string): readonly [string, string] | undefined {
  const places = placesOfEquals(text);
  const [place] = places;
  if (place === undefined || places.length > 1) return undefined;
  return [text.slice(0, place).trim(), text.slice(place + 4).trim()];
}

function placesOfEquals(text: string): number[] {
  const places: number[] = [];
  const closing: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === '"' || sign === "'") at = endOfString(text, at);
    else if (OPENING[sign] !== undefined) closing.push(OPENING[sign]);
    else if (sign === closing.at(-1)) closing.pop();
    else if (closing.length === 0 && text.startsWith(" == ", at)) places.push(at);
  }
  return places;
}

/** Place of the quote that ends the string; the end of the text where it was cut off. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[start]) return at;
  }
  return text.length;
}

function shorten(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text;
}
