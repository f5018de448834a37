import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { loadAstGrep } from "../../../src/core/analysis/native.js";
import { loadRules } from "../../../src/core/analysis/rules/engine.js";
import type { RuleSource } from "../../../src/core/analysis/rules/rule-file.js";
import { applied, suppressionFor } from "../../../src/core/analysis/rules/suppress.js";
import type { LanguageId, RuleMatch } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";
import { nativeMatches, parse, rulesIn, scan, tryParse } from "./support.js";

const all = rulesIn(productFiles.rules);
const fixed = all.filter(({ fix }) => fix !== undefined);
const astGrep = loadAstGrep(productFiles.dist);
const engine = await loadRules(SHIPPED_RULES, productFiles);

/** Code that a rule must match. */
function badExamples({ metadata }: RuleSource): readonly string[] {
  return z.looseObject({ examples: z.looseObject({ bad: z.array(z.string()).min(1) }) }).parse(metadata)
    .examples.bad;
}

async function matchesOf({ id }: RuleSource, language: LanguageId, text: string): Promise<RuleMatch[]> {
  const { matches } = await scan(engine, "example", language, text);
  return matches.filter(({ rule }) => rule === id);
}

/** A text in which the first match is replaced by what the rule proposes, until nothing matches. */
async function fixAll(rule: RuleSource, language: LanguageId, text: string): Promise<string> {
  const [match] = await matchesOf(rule, language, text);
  if (match === undefined) return text;
  const fix = (await engine.rulesFor(language))?.fixOf(match, await parse(language, text));
  if (fix === undefined) throw new Error(`no fix of ${text}`);
  const now = applied(text, fix);
  expect(now.length, now).toBeLessThan(text.length);
  return fixAll(rule, language, now);
}

describe("the fixes of the shipped rules", () => {
  it("are there", () => {
    expect(fixed.filter(({ languages: [first] }) => first === "python").length).toBeGreaterThanOrEqual(7);
  });

  it.each(fixed.map((rule) => [`${path.basename(path.dirname(rule.file))} ${rule.id}`, rule] as const))(
    "%s leaves code that parses and that the rule does not match",
    async (_name, rule) => {
      for (const language of rule.languages) {
        for (const bad of badExamples(rule)) {
          const now = await fixAll(rule, language, bad);
          expect(now).not.toBe(bad);
          const root = astGrep.parse(language, now).root();
          expect(root.find({ rule: { kind: "ERROR" } }), now).toBeNull();
          expect(nativeMatches([rule], language, now), now).toEqual([]);
        }
      }
    },
  );
});

describe("a suppression comment", () => {
  /** Rules with a match that no comment can stand beside, because it looks at its neighbours. */
  const alone = new Set<string>();

  it.each(all.map((rule) => [`${path.basename(path.dirname(rule.file))} ${rule.id}`, rule] as const))(
    "of %s takes the matches on one line out, and nothing else",
    async (name, rule) => {
      for (const language of rule.languages) {
        for (const bad of badExamples(rule)) {
          const [match] = await matchesOf(rule, language, bad);
          const rules = await engine.rulesFor(language);
          if (match === undefined || rules === undefined) throw new Error(`no match in ${bad}`);
          const tree = await parse(language, bad);
          const before = rules.scan("example", tree);
          const comment = suppressionFor(match, tree, rules, await tryParse(language));
          if (comment === undefined) alone.add(name);
          const start = tree.source.rowStarts[match.start - 1] ?? 0;
          const put = comment ?? {
            start,
            end: start,
            text: `${tree.grammar.language.comments.line} a word\n`,
          };
          const after = await scan(engine, "example", language, applied(bad, put));
          const isMeant = ({ rule: id, start: line }: RuleMatch): boolean =>
            id === rule.id && line === match.start;
          const gone = before.matches.filter(isMeant).length;
          expect(after.matches.length, bad).toBeLessThanOrEqual(before.matches.length - gone);
          const told = after.suppressed.length - before.suppressed.length;
          expect(told, bad).toBe(comment === undefined ? 0 : gone);
        }
      }
    },
  );

  it("can nearly always be had", () => {
    expect(alone.size, [...alone].join(", ")).toBeLessThanOrEqual(12);
  });
});

describe("a suppression comment beside others", () => {
  const suppressed = async (text: string, rule: string, language: LanguageId = "python"): Promise<string> => {
    const { matches } = await scan(engine, "a", language, text);
    const match = matches.find(({ rule: id }) => id === rule);
    const rules = await engine.rulesFor(language);
    if (match === undefined || rules === undefined) throw new Error("no match");
    const comment = suppressionFor(match, await parse(language, text), rules, await tryParse(language));
    return comment === undefined ? "none" : applied(text, comment);
  };

  it("stands on a line of its own, as far in as the code", async () => {
    expect(await suppressed("def f(a):\n    b = list([1])\n    return a\n", "list-wrap-list")).toBe(
      "def f(a):\n    # ast-grep-ignore: list-wrap-list\n    b = list([1])\n    return a\n",
    );
  });

  it("joins a list that is there", async () => {
    const text = "# ast-grep-ignore: other-rule\nb = list([1])\n";
    expect(await suppressed(text, "list-wrap-list")).toBe(
      "# ast-grep-ignore: other-rule, list-wrap-list\nb = list([1])\n",
    );
    expect(await suppressed("b = list([1])  # ast-grep-ignore: other-rule\n", "list-wrap-list")).toBe(
      "b = list([1])  # ast-grep-ignore: other-rule, list-wrap-list\n",
    );
  });

  it("stands behind the code where the line before goes on", async () => {
    expect(await suppressed("a = 1 + \\\n    len(list([1]))\n", "list-wrap-list")).toBe(
      "a = 1 + \\\n    len(list([1]))  # slop-lens-ignore[list-wrap-list]\n",
    );
  });

  it("is none where there is no room for one", async () => {
    expect(await suppressed('a = f"""\n{list([1])}\n"""\n', "list-wrap-list")).toBe("none");
  });
});
