import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { NapiConfig, SgNode } from "@ast-grep/napi";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { loadAstGrep } from "../../../src/core/analysis/native.js";
import type { LanguageId } from "../../../src/core/model/quality.js";
import { productFiles } from "./product-files.js";

const part = z.record(z.string(), z.unknown());
const fixedRule = z.looseObject({
  id: z.string(),
  language: z.custom<LanguageId>(),
  rule: part,
  constraints: part.optional(),
  utils: part.optional(),
  fix: z.string(),
  metadata: z.looseObject({ examples: z.looseObject({ bad: z.array(z.string()).min(1) }) }),
});
type FixedRule = z.infer<typeof fixedRule>;

const names = readdirSync(productFiles.rules, { recursive: true, encoding: "utf8" });
const rules = names
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => [...parseAllDocuments(readFileSync(path.join(productFiles.rules, name), "utf8"))])
  .flatMap((document) => fixedRule.safeParse(document.toJS()).data ?? []);
const astGrep = loadAstGrep(productFiles.dist);

/** The text with the first match of the rule rewritten; undefined when nothing matches. */
function fixOnce(rule: FixedRule, text: string): string | undefined {
  const root = astGrep.parse(rule.language, text).root();
  const match = root.find(configOf(rule));
  return match === null ? undefined : root.commitEdits([match.replace(fill(rule.fix, match, text))]);
}

function configOf({ rule, constraints, utils }: FixedRule): NapiConfig {
  const config: unknown = { rule, ...(constraints && { constraints }), ...(utils && { utils }) };
  return config as NapiConfig;
}

/** Puts what the variables stand for into a template: `$NAME` one node, `$$$NAME` the text from first to last. */
function fill(template: string, match: SgNode, text: string): string {
  return template.replace(/(\$\$\$|\$)([A-Z_][A-Z0-9_]*)/g, (_whole, dollars: string, name: string) => {
    if (dollars === "$") return match.getMatch(name)?.text() ?? "";
    const nodes = match.getMultipleMatches(name);
    return text.slice(nodes[0]?.range().start.index ?? 0, nodes.at(-1)?.range().end.index ?? 0);
  });
}

describe("the fixes of the shipped rules", () => {
  it("are there", () => {
    expect(rules.filter(({ language }) => language === "python").length).toBeGreaterThanOrEqual(7);
  });

  it.each(rules.map((rule) => [`${rule.language} ${rule.id}`, rule] as const))(
    "%s leaves code that parses and that the rule does not match",
    (_name, rule) => {
      for (const bad of rule.metadata.examples.bad) {
        const fixed = fixOnce(rule, bad);
        expect(fixed, bad).toBeDefined();
        if (fixed === undefined) return;
        const root = astGrep.parse(rule.language, fixed).root();
        expect(root.find({ rule: { kind: "ERROR" } }), fixed).toBeNull();
        expect(root.find(configOf(rule)), fixed).toBeNull();
      }
    },
  );
});
