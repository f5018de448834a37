import { expect, it } from "vitest";
import type { PageMessage, TranscriptHead } from "../../../src/core/report/transcript-page.js";
import { Told } from "../../../src/editor/transcript/told.js";

function head(messages: number): TranscriptHead {
  return {
    title: "shelf · Checkpoint 1",
    agent: [],
    totals: [],
    failure: undefined,
    notes: [],
    cues: [],
    messages,
  };
}

function message(text: string): PageMessage {
  return {
    ...{ source: "agent", helper: undefined, copied: false, time: undefined, model: undefined },
    ...{ usage: [], text, thinking: "", calls: [] },
  };
}

it("tells a transcript that grows from the first message on that is not as it was", () => {
  const told = new Told();
  const read = (texts: readonly string[], live = true): number | undefined => {
    const all = texts.map(message);
    const from = told.newsIn(head(all.length), live, (index) => all[index]);
    if (from !== undefined) told.add(all.slice(from));
    return from;
  };
  expect(read(["a", "b"])).toBe(0);
  expect(read(["a", "b"])).toBeUndefined();
  expect(read(["a", "b, whole now", "c"])).toBe(1);
  expect(read(["a", "b, whole now", "c", "d"])).toBe(3);
  expect(read(["a", "b, whole now"])).toBe(2);
  expect(read(["a", "b, whole now"], false)).toBe(2);
  told.forget();
  expect(read(["a"])).toBe(0);
});
