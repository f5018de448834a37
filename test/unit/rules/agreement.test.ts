import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { LANGUAGES, languageOfPath } from "../../../src/core/analysis/languages/languages.js";
import { loadRules } from "../../../src/core/analysis/rules/engine.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";
import { nativeMatches, placeOf, rulesIn, scan } from "./support.js";

const root = path.dirname(productFiles.dist);
const folders = ["examples", "harness", "scripts", "src", "test", "webview"];
const MOST_FILES = 50;
/** A path that no rule excludes. */
const ANYWHERE = "code";
/** Each example is compared for its own rule elsewhere. */
const EVERY = 4;

/** All code that the rules of a language are meant for, in texts without syntax errors. */
function badExamples(language: LanguageId): string[] {
  const shape = z.looseObject({ examples: z.object({ bad: z.array(z.string()) }) });
  const own = rules.filter(({ languages }) => languages.includes(language));
  return own.flatMap(({ metadata }) => shape.parse(metadata).examples.bad);
}

/** Code of this repository, spread evenly over what there is of a language. */
function corpus(language: LanguageId): string[] {
  const files = folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        path.join(root, folder, name),
      ),
    )
    .filter((file) => languageOfPath(file)?.id === language)
    .sort();
  const step = Math.max(1, files.length / MOST_FILES);
  return files.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

const rules = rulesIn(productFiles.rules);
const engine = await loadRules(SHIPPED_RULES, productFiles);

describe("compiled rules find what ast-grep finds, rule by rule", () => {
  const languages = LANGUAGES.map(({ id }) => id).filter((id) =>
    rules.some((rule) => rule.languages.includes(id)),
  );
  it.each(languages)("in the examples of all others, in %s", async (language) => {
    const texts = badExamples(language).filter((_, index) => index % EVERY === 0);
    for (const text of texts) {
      const { matches } = await scan(engine, "example", language, text);
      expect(matches.map(placeOf).sort(), text).toEqual(nativeMatches(rules, language, text));
    }
  });

  it.each(languages)("in code of this repository, in %s", async (language) => {
    const files = corpus(language);
    let count = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      const found = await scan(engine, ANYWHERE, language, text).catch(() => undefined);
      if (found === undefined) continue;
      const places = [...found.matches, ...found.suppressed].map(placeOf).sort();
      expect(places, file).toEqual(nativeMatches(rules, language, text));
      count += places.length;
    }
    // What this repository has of other languages is little, and clean; all rules' examples are compared elsewhere.
    if (language === "python") expect(count).toBeGreaterThan(30);
    if (language === "typescript") expect(files.length).toBeGreaterThan(30);
  });
});
