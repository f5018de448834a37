import { describe, expect, it } from "vitest";
import { fileName } from "../../../src/core/store/run-drafts.js";

/** What no file of Windows may have in its name. */
const FORBIDDEN = /[<>:"/\\|?*\s%#]|[\p{Cc}]/u;

describe("a word in the name of a run folder", () => {
  it.each([
    ["shelf", "shelf"],
    ["shelf v1.2", "shelf-v1.2"],
    ['a<b>:"c"', "a-b-c-"],
    ["C:\\packs\\shelf", "C-packs-shelf"],
    ["100% #1", "100-1"],
    ["ünï\tcode", "-n-code"],
  ])("%j becomes %j", (word, expected) => {
    expect(fileName(word)).toBe(expected);
    expect(fileName(word)).not.toMatch(FORBIDDEN);
  });
});
