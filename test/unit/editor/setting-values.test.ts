import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { hasFormOf, unusableSettings, type StandingSetting } from "../../../src/editor/setting-values.js";

interface Declared {
  readonly default: unknown;
}

const declared: readonly [string, Declared][] = [manifest.contributes.configuration]
  .flat()
  .flatMap(({ properties }) => Object.entries<Declared>(properties));

function standing(key: string, value: unknown, byDefault: unknown): StandingSetting {
  return { key, value, byDefault, choices: undefined };
}

/** A value of each form that JSON has. */
const FORMS: readonly unknown[] = [null, true, 7, "text", ["a"], [1], { a: 1 }];

describe("the value of a setting", () => {
  it.each(declared)("%s is used as it is by default, and in no other form", (key, { default: byDefault }) => {
    expect(unusableSettings([standing(key, byDefault, byDefault)])).toEqual([]);
    const usable = FORMS.filter((value) => unusableSettings([standing(key, value, byDefault)]).length === 0);
    expect(usable).toHaveLength(1);
    expect(typeof usable[0]).toBe(typeof byDefault);
    expect(Array.isArray(usable[0])).toBe(Array.isArray(byDefault));
  });

  it("is no number below zero, or without end", () => {
    expect([0, 2.5, -1, NaN, Infinity].filter((value) => hasFormOf(value, 1))).toEqual([0, 2.5]);
  });

  it("is one of its choices where there are some", () => {
    const one = { ...standing("profile", "nope", "article"), choices: ["article"] };
    expect(unusableSettings([one, { ...one, value: "article" }])).toEqual(["profile"]);
  });
});
