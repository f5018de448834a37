import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { loadRules } from "../../../src/core/analysis/rules/engine.js";
import { readRuleFile, type RuleSource } from "../../../src/core/analysis/rules/rule-file.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import { LANGUAGE_IDS, type LanguageId } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";
import { nativeMatches, placeOf, scan } from "./support.js";

const snippets = z.array(z.string().min(1)).min(1);
const metadata = z.looseObject({
  family: z.string(),
  examples: z.strictObject({ bad: snippets, good: snippets, also: snippets.optional() }),
});

const readings = LANGUAGE_IDS.flatMap((language) => {
  const folder = path.join(productFiles.rules, language);
  const families = existsSync(folder) ? readdirSync(folder) : [];
  return families.map((name) => {
    const file = path.join(folder, name);
    return {
      language,
      family: path.basename(name, ".yaml"),
      ...readRuleFile(file, readFileSync(file, "utf8")),
    };
  });
});
const all = readings.flatMap((reading) => reading.rules);
/** As on a platform for which ast-grep's own library does not exist. */
const engine = await loadRules(
  SHIPPED_RULES,
  { ...productFiles, dist: path.join(productFiles.dist, "nowhere") },
  new Parsers(productFiles.dist),
);

/** Ids of the rules that match a text; of the rule in question, ast-grep's own library must find the same. */
async function matchedRules(rule: RuleSource, language: LanguageId, text: string): Promise<string[]> {
  const { matches } = await scan(engine, "example", language, text);
  const own = matches.filter(({ rule: id }) => id === rule.id);
  expect(own.map(placeOf).sort(), text).toEqual(nativeMatches([rule], language, text));
  return matches.map(({ rule: id }) => id);
}

describe("the shipped rules", () => {
  it("load without a fault", async () => {
    expect(readings.flatMap((reading) => reading.faults)).toEqual([]);
    const { name, count, faults } = await engine.describe(LANGUAGE_IDS);
    expect(faults).toBeUndefined();
    expect(name).toBe("slop-lens");
    expect(count).toBe(all.length);
    expect(all.filter(({ languages }) => languages.includes("python")).length).toBeGreaterThanOrEqual(137);
  });

  for (const { language, family, rules } of readings) {
    describe(`${language}: ${family}`, () => {
      it.each(rules.map((rule) => [rule.id, rule] as const))("%s keeps its examples", async (id, rule) => {
        const { family: named, examples } = metadata.parse(rule.metadata);
        expect(named).toBe(family);
        expect(rule.languages[0]).toBe(language);
        expect(rule.message).toMatch(/\.$/);
        expect(rule.note).toMatch(/\.$/);
        for (const each of rule.languages) {
          const found = new Set([id]);
          for (const bad of examples.bad) {
            const matched = await matchedRules(rule, each, bad);
            expect(matched, bad).toContain(id);
            for (const other of matched) found.add(other);
          }
          expect(found, "the rules that the bad examples match").toEqual(
            new Set([id, ...(examples.also ?? [])]),
          );
          for (const good of examples.good)
            expect(await matchedRules(rule, each, good), good).not.toContain(id);
        }
      });
    });
  }
});
