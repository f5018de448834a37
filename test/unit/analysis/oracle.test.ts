import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toScbReport } from "../../../src/core/report/scb-report.js";
import { inlineAnalyzer, options } from "./support.js";

const snippets = join(import.meta.dirname, "snippets");
/** What scb-check 0.1.3 printed for each snippet; null where it found nothing that it could parse. */
const oracle = JSON.parse(await readFile(join(snippets, "oracle.json"), "utf8")) as Record<
  string,
  Record<string, number> | null
>;

describe("every number of scb-check 0.1.3", () => {
  const analyzer = inlineAnalyzer();

  it.each(Object.entries(oracle))("%s", async (name, expected) => {
    const report = await analyzer.analyzePaths([join(snippets, name)], options, new AbortController().signal);
    if (expected === null) {
      expect(report.totals.filesScanned).toBe(0);
      expect(report.skipped).toEqual([{ path: name, reason: "syntax error" }]);
    } else {
      expect(toScbReport(report)).toMatchObject(expected);
      expect(Object.keys(toScbReport(report)).slice(0, Object.keys(expected).length)).toEqual(
        Object.keys(expected),
      );
    }
  });
});
