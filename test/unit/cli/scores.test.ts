import path from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "./support.js";

const fixtures = path.resolve(import.meta.dirname, "../../fixtures");

describe("slop-lens scores", () => {
  it("prints a row for each agent found below the folders, each run once", async () => {
    const { code, out } = await cli(fixtures, ["scores", "editor-runs", "editor-runs/imported", "--k", "2"]);
    expect(code).toBe(0);
    const [table = "", notes = ""] = out.trimEnd().split("\n\n");
    const [titles = "", ...rows] = table.split("\n");
    // No problem was tried twice, so nothing is known of pass@2, and its column is left out.
    expect(titles).toMatch(/^agent +problems +attempts +strict .* MT@2 +completion .* consistency +spoiled$/);
    expect(rows.length).toBeGreaterThan(0);
    expect(notes).toContain("MT@2 and completion stand on 1 of 2 attempts at a problem");
    const json = await cli(fixtures, ["scores", "editor-runs", "--json"]);
    expect(JSON.parse(json.out)).toHaveLength(rows.length);
  });

  it("says what it wants when there is no run, or no sensible k", async () => {
    const none = await cli(fixtures, ["scores", "solutions"]);
    expect(none).toMatchObject({ code: 2, out: "" });
    expect(none.err).toContain("No run folder in solutions");
    expect((await cli(fixtures, ["scores", "editor-runs", "--k", "0"])).code).toBe(2);
  });
});
