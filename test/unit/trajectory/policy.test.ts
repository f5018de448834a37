import { describe, expect, it } from "vitest";
import type { GroupCounts } from "../../../src/core/model/outcome.js";
import { PASS_POLICIES, type PassPolicy } from "../../../src/core/model/policy.js";
import { meetsPolicy } from "../../../src/core/trajectory/policy.js";

const none = { passed: 0, failed: 0, skipped: 0 };

function counts(part: Partial<GroupCounts>): GroupCounts {
  return { Core: none, Functionality: none, Error: none, Regression: none, ...part };
}

function met(outcome: GroupCounts): PassPolicy[] {
  return PASS_POLICIES.filter((policy) => meetsPolicy(policy, outcome));
}

describe("pass policies", () => {
  it("are all met when every test passes", () => {
    expect(met(counts({ Core: { ...none, passed: 2 }, Error: { ...none, passed: 1 } }))).toEqual([
      ...PASS_POLICIES,
    ]);
  });

  it("tell a failed error case from a failed core case", () => {
    const errorFails = counts({ Core: { ...none, passed: 2 }, Error: { passed: 1, failed: 1, skipped: 0 } });
    expect(met(errorFails)).toEqual([
      "any",
      "any-case",
      "all-non-error-cases",
      "core-cases",
      "any-core-cases",
      "all-core-cases",
    ]);
    const coreFails = counts({ Core: { passed: 1, failed: 1, skipped: 0 }, Error: { ...none, passed: 2 } });
    expect(met(coreFails)).toEqual(["any", "any-case", "any-core-cases"]);
  });

  it("take a checkpoint without core tests as core passed, but not as one core case passed", () => {
    const noCore = counts({ Functionality: { passed: 0, failed: 3, skipped: 0 } });
    expect(met(noCore)).toEqual(["any", "core-cases", "all-core-cases"]);
  });

  it("count a failed regression against everything that asks for all cases", () => {
    const regressed = counts({
      Core: { ...none, passed: 1 },
      Regression: { passed: 9, failed: 1, skipped: 0 },
    });
    expect(meetsPolicy("all-cases", regressed)).toBe(false);
    expect(meetsPolicy("all-non-error-cases", regressed)).toBe(false);
    expect(meetsPolicy("core-cases", regressed)).toBe(true);
  });

  it("leave skipped tests out", () => {
    const skipped = counts({ Core: { passed: 0, failed: 0, skipped: 4 } });
    expect(meetsPolicy("all-cases", skipped)).toBe(true);
    expect(meetsPolicy("any-case", skipped)).toBe(false);
  });
});
