import { describe, expect, it } from "vitest";
import {
  faultsOf,
  languages,
  manifestTexts,
  textsInSources,
  translationOf,
} from "../../../scripts/lib/texts.mjs";

const english = await textsInSources();

describe("texts that are shown", () => {
  it("are found in the sources, and number their values from 0", () => {
    expect(Object.keys(english).length).toBeGreaterThan(100);
    for (const text of Object.values(english)) {
      const numbers = new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => Number(name)));
      expect([...numbers].sort(), text).toEqual([...numbers.keys()].map((_, index) => index));
      expect(text).not.toContain("!");
    }
  });

  it.each(languages())("are translated to %s, each with the same values, and no other is", (language) => {
    expect(faultsOf(english, translationOf(language))).toEqual([]);
  });

  it.each(languages())("are translated to %s where package.json names them", (language) => {
    expect(faultsOf(manifestTexts(), manifestTexts(language))).toEqual([]);
  });
});

describe("Simplified Chinese", () => {
  const texts = [...Object.values(translationOf("zh-cn")), ...Object.values(manifestTexts("zh-cn"))];

  it("has no western punctuation beside its characters", () => {
    expect(texts.filter((text) => /\p{Script=Han}[,;:?!()]|[,;:?!(]\p{Script=Han}/u.test(text))).toEqual([]);
  });

  it("has no second word for what the glossary names, and leaves the names of groups as they are", () => {
    const others =
      /未评分|已评分|(两|\} )次运行|核心(通过|失败|测试)|功能测试|插件|工作空间|代理(?!服务器)|规范/;
    expect(texts.filter((text) => others.test(text))).toEqual([]);
  });
});

describe("a translation", () => {
  it("is at fault when it lacks a text, keeps an old one, is empty, or loses a value, a link or code", () => {
    const text = { a: "{0} of {1}", b: "[Open](command:x) `docker`", c: "c", d: "d" };
    const told = faultsOf(text, { a: "{1} 个中的 {0} 个", b: "[打开](command:y) `docker`", c: " ", e: "e" });
    expect(told).toEqual([
      "lacks: d",
      "is shown by nobody: e",
      "is empty: c",
      "has other placeholders, links or code: b",
    ]);
    expect(faultsOf({ a: "{0} of {1}" }, { a: "{0}" })).toHaveLength(1);
  });
});
