/** The texts that users read, as sources write them and as translations have them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";

/** @typedef {Readonly<Record<string, string>>} Texts */

const folder = "l10n";

/** Where texts stand: the editor's host, the words that it shares with the command, and the pages. */
const sources = ["src/editor", "src/core/report", "webview"];

/** The list of all texts in English, which translators begin with. VS Code itself needs none for English. */
export const englishFile = `${folder}/bundle.l10n.json`;

/**
 * All texts that sources hand to `l10n.t`, sorted.
 * @returns {Promise<Texts>} each by its key, which is the English text itself
 */
export async function textsInSources() {
  const files = sources.flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      .map((name) => ({ extension: ".ts", contents: readFileSync(path.join(place, name), "utf8") })),
  );
  const found = Object.entries(await getL10nJson(files));
  return Object.fromEntries(
    found
      .map(([key, text]) => [key, typeof text === "string" ? text : text.message])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );
}

/** The languages that come with the extension besides English, by the names that VS Code has for them. */
export function languages() {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? []);
}

/** @param {string} language */
export function translationOf(language) {
  return readTexts(`${folder}/bundle.l10n.${language}.json`);
}

/** @param {string} language undefined for English */
export function manifestTexts(language = "") {
  return readTexts(language === "" ? "package.nls.json" : `package.nls.${language}.json`);
}

/**
 * @param {string} file
 * @returns {Texts}
 */
export function readTexts(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * What is wrong with a translation: texts that it lacks, that nobody shows any more, that are empty, or whose
 * placeholders, commands and settings are not those of the English text.
 * @param {Texts} english
 * @param {Texts} translated
 * @returns {string[]} as sentences, empty when all is well
 */
export function faultsOf(english, translated) {
  const lacking = Object.keys(english).filter((key) => translated[key] === undefined);
  const unused = Object.keys(translated).filter((key) => english[key] === undefined);
  const both = Object.entries(english).filter(([key]) => translated[key] !== undefined);
  return [
    ...lacking.map((key) => `lacks: ${key}`),
    ...unused.map((key) => `is shown by nobody: ${key}`),
    ...both.filter(([key]) => translated[key]?.trim() === "").map(([key]) => `is empty: ${key}`),
    ...both
      .filter(([key, text]) => fixedParts(text) !== fixedParts(translated[key] ?? ""))
      .map(([key]) => `has other placeholders, links or code: ${key}`),
  ];
}

/**
 * What a translation must keep: `{0}`, the targets of links, icons and code, in any order.
 * @param {string} text
 */
function fixedParts(text) {
  return (text.match(/\{\w+\}|\]\([^)]*\)|\$\([\w~-]+\)|`[^`]*`/g) ?? []).sort().join("\n");
}
