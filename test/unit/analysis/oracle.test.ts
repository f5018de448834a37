import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROFILES, type Profile } from "../../../src/core/model/quality.js";
import { toScbReport } from "../../../src/core/report/scb-report.js";
import { inlineAnalyzer, options } from "./support.js";

const snippets = join(import.meta.dirname, "snippets");
/** What the profile's release printed for each snippet; null where it found nothing that it could parse. */
const oracle = JSON.parse(await readFile(join(snippets, "oracle.json"), "utf8")) as Record<
  Profile,
  Record<string, Record<string, unknown> | null>
>;

describe.each(PROFILES)("every number of the release of %s", (profile) => {
  const analyzer = inlineAnalyzer();

  it.each(Object.entries(oracle[profile]))("%s", async (name, expected) => {
    const paths = [join(snippets, name)];
    const report = await analyzer.analyzePaths(paths, { ...options, profile }, new AbortController().signal);
    if (expected === null) {
      expect(report.totals.filesScanned).toBe(0);
      expect(report.skipped).toEqual([{ path: name, reason: "syntax error" }]);
    } else {
      const ours = Object.entries(toScbReport(report));
      expect(ours.slice(0, Object.keys(expected).length)).toEqual(Object.entries(expected));
    }
  });
});
