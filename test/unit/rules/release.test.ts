import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../src/core/analysis/analysis.js";
import { loadRules } from "../../../src/core/analysis/rules/engine.js";
import { productFiles } from "./product-files.js";
import { nativeMatches, placeOf, rulesIn, scan } from "./support.js";

const pattern = (context: string, strictness: string) =>
  `rule:\n  pattern:\n    context: ${JSON.stringify(context)}\n    strictness: ${strictness}\n`;
const plain = (source: string) => `rule:\n  pattern: ${JSON.stringify(source)}\n`;
const COMMENTED = ["f(  # why\n    1)", "f(1  # why\n)", "f(1,  # why\n  2)", "f(1)"].join("\n");
const CONTINUED = ["f(1 + \\\n  2)", "x = 1 \\\n  + 2", "x = 1 + 2"].join("\n");

/** Where releases of ast-grep differ from each other: rule, text, number of matches in release 0.42.1. */
const CASES: readonly (readonly [string, string, number])[] = [
  [pattern("f($A)", "cst"), COMMENTED, 1],
  [pattern("f($A)", "smart"), COMMENTED, 1],
  [pattern("f($A)", "ast"), COMMENTED, 1],
  [pattern("f($A)", "relaxed"), COMMENTED, 3],
  [pattern("f($A)", "signature"), COMMENTED, 3],
  [pattern("f($A, $B)", "smart"), COMMENTED, 0],
  [pattern("f($A, $B)", "ast"), COMMENTED, 2],
  [pattern("f($A, $B)", "relaxed"), COMMENTED, 1],
  [pattern("f($A, $B)", "signature"), COMMENTED, 1],
  [plain("$A + $B"), CONTINUED, 2],
  [pattern("$A + $B", "cst"), CONTINUED, 1],
  [pattern("$A + $B", "ast"), CONTINUED, 1],
  [pattern("$A + $B", "relaxed"), CONTINUED, 1],
  [pattern("$A + $B", "signature"), CONTINUED, 1],
  [plain("$COMMENT"), "x = 1  # why\n", 6],
  [pattern("$COMMENT", "relaxed"), "x = 1  # why\n", 5],
  [plain("$$$ALL"), "x = 1\n", 6],
  [plain("f($$$A, g($B), $B)"), "f(h(1), g(1), 1)\nf(g(1), g(2), 2)\n", 1],
  [
    "rule:\n  kind: integer\n  nthChild:\n    position: 2\n    ofRule:\n      pattern: $S\n",
    "[1, 2, 3]\n[1, 1]\n",
    1,
  ],
  [
    "rule:\n  pattern: f($A)\n  inside:\n    stopBy: end\n    not:\n      pattern: g($A)\n",
    "g(f(1))\ng(h(f(1)))\n",
    2,
  ],
];

describe("compiled rules match as the release of ast-grep that scb-check brings", () => {
  it.each(CASES)("%j in %j", async (body, text, count) => {
    const folder = await mkdtemp(path.join(tmpdir(), "slop-lens-rules-"));
    try {
      await writeFile(path.join(folder, "a.yaml"), `id: x\nlanguage: python\n${body}`);
      const engine = await loadRules({ ...SHIPPED_RULES, folders: [folder] }, productFiles);
      const { matches } = await scan(engine, "a.py", "python", text);
      const native = nativeMatches(rulesIn(folder), "python", text);
      expect(matches.map(placeOf).sort()).toEqual(native);
      expect(matches).toHaveLength(count);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
