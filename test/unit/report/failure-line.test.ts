import { expect, it } from "vitest";
import { failureLine } from "../../../src/core/report/failure-line.js";

it("takes pytest's own E line", () => {
  const message = [
    "entrypoint_argv = ['python', 'shelf.py']",
    "",
    "    def test_add(entrypoint_argv):",
    ">       assert run(entrypoint_argv) == 0",
    "E       assert 1 == 0",
    "E        +  where 1 = run(['python', 'shelf.py'])",
    "",
    "test_checkpoint_1.py:7: AssertionError",
  ].join("\n");
  expect(failureLine(message)).toBe("assert 1 == 0");
});

it("takes the last line of anything else, shortened, and nothing of nothing", () => {
  expect(failureLine("first\nFixture not found\n\n")).toBe("Fixture not found");
  expect(failureLine("x".repeat(500))).toHaveLength(200);
  expect(failureLine(undefined)).toBe("");
});
