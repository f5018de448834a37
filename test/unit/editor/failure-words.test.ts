import { describe, expect, it } from "vitest";
import { shortMessage } from "../../../src/editor/tree/failure-words.js";

describe("shortMessage", () => {
  it("finds the line that pytest marks, and takes its decoration off", () => {
    expect(shortMessage("def test():\n>   x\nE   AssertionError: the cup is listed\nE   more")).toBe(
      "the cup is listed",
    );
    expect(shortMessage("E   KeyError: 'name'")).toBe("KeyError: 'name'");
    expect(shortMessage("\n  plain words\nrest")).toBe("plain words");
    expect(shortMessage(undefined)).toBe("");
  });

  it("says what came and what was expected", () => {
    expect(shortMessage("E       assert 1 == 0")).toBe("1, expected 0");
    expect(shortMessage("E   AssertionError: assert '0042' == '42'\nE     \nE     - 42")).toBe(
      "'0042', expected '42'",
    );
    expect(shortMessage("E   assert ['b'] == ['a', 'c']\nE     At index 0 diff")).toBe(
      "['b'], expected ['a', 'c']",
    );
  });

  it("names the value where pytest does", () => {
    const where =
      "E   assert 1 == 0\nE    +  where 1 = CompletedProcess(args=['x'], returncode=1).returncode";
    expect(shortMessage(where)).toBe("exit code 1, expected 0");
    expect(shortMessage("E  assert 3 == 2\nE   +  where 3 = <Shelf object>.size")).toBe("size 3, expected 2");
  });

  it("puts the comparison behind the test's own words", () => {
    expect(shortMessage("E   AssertionError: it fell\nE   assert 'a == b' == 'c'")).toBe(
      "it fell ('a == b', expected 'c')",
    );
  });

  it("leaves alone what compares no two values", () => {
    expect(shortMessage("E   assert 'a' in 'bc'")).toBe("expected 'a' in 'bc'");
    expect(shortMessage("E   assert f(1 == 2)")).toBe("expected f(1 == 2)");
    expect(shortMessage("E   assert 1 == 1 == 2")).toBe("expected 1 == 1 == 2");
  });

  it("never gets longer than a row", () => {
    expect(shortMessage("x".repeat(500))).toHaveLength(90);
    expect(shortMessage(`E   assert '${"x".repeat(500)}' == 1`)).toHaveLength(90);
  });
});
