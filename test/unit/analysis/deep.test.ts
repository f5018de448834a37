import { expect, it } from "vitest";
import { measure } from "./support.js";

const LEVELS = 5000;

it.each([
  ["parentheses", `${"(".repeat(LEVELS)}x${")".repeat(LEVELS)}`, 0],
  ["lists", `${"[".repeat(LEVELS)}x${"]".repeat(LEVELS)}`, 0],
  ["calls", `${"f(".repeat(LEVELS)}x${")".repeat(LEVELS)}`, 0],
  ["boolean operators", `${"(x and ".repeat(LEVELS)}x${")".repeat(LEVELS)}`, LEVELS],
  ["a chain of operators", `x${" or x".repeat(LEVELS)}`, LEVELS],
  ["comprehensions", `${"[".repeat(LEVELS)}x${" for x in x]".repeat(LEVELS)}`, LEVELS],
  ["ternaries", `${"x if x else ".repeat(LEVELS)}x`, LEVELS],
])("measures 5,000 levels of %s", async (_, expression, decisions) => {
  const { callables } = await measure("def f(x):", `    return ${expression}`, "", "", "y = f(1)");
  expect(callables).toHaveLength(1);
  expect(callables[0]?.cc).toBe(1 + decisions);
  expect(callables[0]?.decisions).toHaveLength(decisions);
});

it("measures 300 levels of blocks, each of them a clone candidate", async () => {
  const indent = (level: number) => " ".repeat(level);
  const levels = Array.from({ length: 300 }, (_, level) => level + 1);
  const { callables, cloneCandidates } = await measure(
    "def f(x):",
    ...levels.map((level) => `${indent(level)}if x:`),
    `${indent(301)}y = 1`,
    `${indent(301)}z = 1`,
  );
  expect(callables[0]?.cc).toBe(301);
  expect(callables[0]?.cognitive).toBe((300 * 301) / 2);
  expect(cloneCandidates).toHaveLength(301);
});
