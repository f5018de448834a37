import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/core/model/problem.js";
import { RuleFaults } from "../../../src/editor/marks/rule-faults.js";

const fault: Fault = { file: "/rules/a.yaml", line: 3, column: 1, message: "rule x: no", severity: "error" };

describe("rules that cannot be used", () => {
  it("are told once for each set, with file and line", () => {
    const faults = new RuleFaults();
    const rules = { name: "mine", count: 1, hash: "1", faults: [fault, fault] };
    expect(faults.next(rules)).toMatchObject({
      code: "rules-invalid",
      message: "/rules/a.yaml, line 3: rule x: no (and 1 more)",
    });
    expect(faults.next(rules)).toBeUndefined();
    expect(faults.next({ ...rules, hash: "2" })).toBeDefined();
  });

  it("are not spoken of when there are none", () => {
    expect(new RuleFaults().next({ name: "slop-lens", count: 89, hash: "1" })).toBeUndefined();
  });
});
