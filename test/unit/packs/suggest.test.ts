import { describe, expect, it } from "vitest";
import { nearestWord, suggestion } from "../../../src/core/problem/suggest.js";

describe("nearestWord", () => {
  it.each([
    ["dokcer", ["local", "docker"], "docker"],
    ["eror", ["error", "core"], "error"],
    ["cluade", ["codex", "claude-code"], "claude-code"],
    ["exept-pass", ["except-bare-reraise", "except-pass-silence"], "except-pass-silence"],
    ["fail_stop", ["any", "fail-stop"], "fail-stop"],
    ["Local", ["docker", "local"], "local"],
    ["nowhere", ["empty", "reference"], undefined],
    ["checkpoint_9", ["checkpoint_1", "checkpoint_2"], undefined],
    ["checkpont_2", ["checkpoint_1", "checkpoint_2"], "checkpoint_2"],
    ["x", ["any", "fail-stop"], undefined],
    ["", ["any"], undefined],
  ])("of %j among %j is %j", (word, known, expected) => {
    expect(nearestWord(word, known)).toBe(expected);
  });

  it("is told as the end of a sentence", () => {
    expect(suggestion("lcoal", ["local"])).toBe('; did you mean "local"?');
    expect(suggestion("cloud", ["local"])).toBe("");
  });
});
