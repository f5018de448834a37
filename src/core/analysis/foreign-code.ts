import { basename } from "node:path";
import { REFERENCE_LANGUAGE } from "../model/quality.js";

/**
 * Tells code that nobody of the project writes by hand: copies of others' code, output of generators, minified text.
 * Python is left out: there the profile's release decides, and it measures all.
 */

const VENDORED_FOLDERS: ReadonlySet<string> = new Set([
  "vendor",
  "vendored",
  "third_party",
  "third-party",
  "thirdparty",
  "3rdparty",
  "bower_components",
  "jspm_packages",
  "Pods",
  "Carthage",
]);

/** Folders in which builds lay their output, with what stands beside them then. */
const BUILD_FOLDERS: ReadonlyMap<string, RegExp> = new Map([
  ["target", /^(?:Cargo\.toml|pom\.xml|build\.sbt)$/],
  ["obj", /\.(?:cs|vb|fs)proj$/],
  ["bin", /\.(?:cs|vb|fs)proj$/],
  ["out", /^(?:next\.config\.\w+|build\.gradle(?:\.kts)?)$/],
  [".next", /^package\.json$/],
  [".nuxt", /^package\.json$/],
  ["coverage", /^package\.json$/],
]);

const GENERATED_NAMES: readonly RegExp[] = [
  /[.-]min\.[cm]?js$/,
  /\.(?:bundle|chunk)\.[cm]?js$/,
  /\.designer\.cs$/i,
  /\.g(?:\.i)?\.cs$/,
  /\.pb\.(?:go|cc|h)$/,
  /_pb2?\.(?:[cm]?js|rb|d\.ts)$/,
  /[._]generated\.\w+$/,
];

/** What generators write into a comment near the top. */
const GENERATED_MARKS =
  /@generated\b|\bCode generated\b.*\bDO NOT EDIT\b|<auto-?generated\b|\b(?:this|the) (?:file|code|class) (?:is|was|has been) (?:auto(?:matically)?[- ]?)?generated\b|\bautomatically generated\b.*\bdo not (?:edit|modify|change)\b|\bdo not (?:edit|modify)\b.*\b(?:auto-?|automatically )generated\b/i;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#|<!--|--|;)/;
const HEAD_LINES = 40;

/** A text is minified when lines longer than this hold most of it, strings aside: pictures and data are kept in these. */
const LONG_LINE = 1000;
const SHORTEST_MINIFIED = 3000;

/**
 * @param folder name of a folder
 * @param beside names of the entries beside it
 * @returns why its files are not those of the project, or undefined
 */
export function foreignFolder(folder: string, beside: readonly string[]): string | undefined {
  if (VENDORED_FOLDERS.has(folder)) return "third-party code";
  const mark = BUILD_FOLDERS.get(folder);
  return mark !== undefined && beside.some((name) => mark.test(name)) ? "build output" : undefined;
}

/** @returns why a file is not written by hand by its name, or undefined */
export function foreignName(path: string, language: string): string | undefined {
  if (language === REFERENCE_LANGUAGE) return undefined;
  const name = basename(path);
  return GENERATED_NAMES.some((pattern) => pattern.test(name)) ? "generated, by its name" : undefined;
}

/** @returns why a text is not written by hand, or undefined */
export function foreignText(text: string, language: string): string | undefined {
  if (language === REFERENCE_LANGUAGE) return undefined;
  const head = text.split("\n", HEAD_LINES);
  const says = head.some((line) => COMMENT_LINE.test(line) && GENERATED_MARKS.test(line));
  if (says) return "generated, as a comment at its top says";
  return isMinified(text) ? "minified" : undefined;
}

/**
 * The same of one open file, where what lies beside its folders is not known.
 * @param path POSIX, below the folder that the user opened
 * @param language our id or the editor's; Python has the same in both
 * @returns why it is not written by hand, or undefined
 */
export function foreignDocument(path: string, text: string, language: string): string | undefined {
  if (language === REFERENCE_LANGUAGE) return undefined;
  const folder = path
    .split("/")
    .slice(0, -1)
    .map((name) => foreignFolder(name, []))
    .find((reason) => reason !== undefined);
  return folder ?? foreignName(path, language) ?? foreignText(text, language);
}

function isMinified(text: string): boolean {
  if (text.length < SHORTEST_MINIFIED) return false;
  let long = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (end - start > LONG_LINE) long += codeOf(text.slice(start, end)).length;
    start = end + 1;
  }
  return long > text.length / 2;
}

function codeOf(line: string): string {
  return line.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|`[^`\\]*(?:\\.[^`\\]*)*`/g, "");
}
