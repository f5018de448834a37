import { describe, expect, it } from "vitest";
import { overspent, priced, pricesOf } from "../../../src/core/agent/program/budget.js";
import { parseDefinition } from "../../../src/core/agent/program/definition-file.js";
import type { AgentDefinition } from "../../../src/core/agent/program/definition.js";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";
import { DEFAULT_LIMITS } from "../../../src/core/model/policy.js";

function defined(prices: string): AgentDefinition {
  const { definition, faults } = parseDefinition(`command: x\nprices: ${prices}\n`, "mine.yaml");
  expect(faults).toEqual([]);
  if (definition === undefined) throw new Error("the agent's file does not read");
  return definition;
}

const FLAT = "{ input: 2, output: 10, cache_read: 0.5 }";
const flat = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 2 };
const USAGE = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 400_000 };

describe("an agent's prices", () => {
  it("are those of every model, or of those named", () => {
    expect(pricesOf(defined(FLAT), undefined)).toEqual(flat);
    expect(pricesOf(defined(FLAT), "big")).toEqual(flat);
    const named = defined(`{ big-1.5: ${FLAT}, "a/small": { input: 1, output: 1 } }`);
    expect(pricesOf(named, "big-1.5")).toEqual(flat);
    expect(pricesOf(named, "a/small")).toMatchObject({ input: 1, cacheRead: 1 });
    expect(pricesOf(named, "other")).toBeUndefined();
    expect(pricesOf(named, undefined)).toBeUndefined();
  });

  it("can be told for one model and for all others", () => {
    const both = defined("{ input: 3, output: 3, big: { input: 9, output: 9 } }");
    expect(pricesOf(both, "big")).toMatchObject({ input: 9 });
    expect(pricesOf(both, "other")).toMatchObject({ input: 3 });
  });

  it("tell what is misspelt or missing in them", () => {
    const faults = (prices: string) =>
      parseDefinition(`command: x\nprices: ${prices}\n`, "m.yaml").faults.map(({ message }) => message);
    expect(faults("{ big: { input: 1, outptu: 2 } }")[0]).toContain('did you mean "output"?');
    expect(faults("{ input: 1 }").join(" ")).toContain("output");
  });

  it("count what came from a cache once, whether the input holds it or not", () => {
    expect(priced(USAGE, flat, true).costUsd).toBeCloseTo(0.6 * 2 + 0.1 * 10 + 0.4 * 0.5);
    expect(priced(USAGE, flat, false).costUsd).toBeCloseTo(1 * 2 + 0.1 * 10 + 0.4 * 0.5);
  });

  it("stand back for the agent's own figure, and make a limit hold", () => {
    expect(priced({ ...USAGE, costUsd: 7 }, flat, true).costUsd).toBe(7);
    const limits = { ...DEFAULT_LIMITS, costUsd: 2 };
    expect(overspent(USAGE, limits)).toBeUndefined();
    expect(overspent(priced(USAGE, flat, true), limits)).toContain("its limit of $2");
  });
});
