import { describe, expect, it } from "vitest";
import { INITIAL_STATE } from "../../../webview/plot/selection.js";
import {
  commonOrders,
  comparableWith,
  comparedPair,
  verdictRows,
  verdictSentence,
} from "../../../webview/plot/verdicts.js";
import { point, series } from "./fixture.js";

/** A run of three checkpoints with so many of ten Core tests passed at each. */
function run(id: string, ...passed: readonly number[]) {
  const points = passed.map((count, index) => point(index + 1, 0.1, count, 10));
  return { ...series(id, points), checkpoints: 3 };
}

const good = run("good", 10, 10, 10);
const middling = run("middling", 10, 9, 7);
const bad = run("bad", 9, 6, 2);
const short = run("short", 10, 10);
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("the rows of the verdicts", () => {
  it("come by failed tests at the last common checkpoint, incomplete runs last", () => {
    const all = [short, bad, middling, good];
    expect(ids(verdictRows(all, INITIAL_STATE))).toEqual(["good", "middling", "bad", "short"]);
    expect(ids(verdictRows([short, run("shorter", 1)], INITIAL_STATE))).toEqual(["short", "shorter"]);
  });

  it("come newest first where that is asked, without those that are left out", () => {
    const state = { ...INITIAL_STATE, rows: "newest" as const, left: ["bad"] };
    expect(ids(verdictRows([good, bad, short], state))).toEqual(["short", "good"]);
  });

  it("put a run whose last turn the machinery spoiled behind those that are scored", () => {
    const spoiled = {
      ...good,
      id: "spoiled",
      points: [...good.points.slice(0, 2), { ...point(3, null), verdict: "infrastructure" as const }],
    };
    expect(ids(verdictRows([spoiled, bad], INITIAL_STATE))).toEqual(["bad", "spoiled"]);
  });
});

describe("the sentence above the verdicts", () => {
  it("counts checkpoints that pass whole, and runs whose core passes at the end", () => {
    expect(verdictSentence([good, bad, short])).toBe(
      "Checkpoints that pass whole: 5 of 8; core passes at the end in 1 of 3 runs",
    );
    expect(verdictSentence([bad])).toBe("No checkpoint passes whole; core passes at the end in 0 of 1 runs");
    expect(verdictSentence([series("empty", [])])).toBe("No checkpoint is scored yet");
  });

  it.each(["running", "cancelled", "interrupted"] as const)(
    "counts a run that is %s only where its end is scored",
    (state) => {
      expect(verdictSentence([good, { ...short, state }])).toContain("core passes at the end in 1 of 1 runs");
      expect(verdictSentence([good, { ...bad, state }])).toContain("core passes at the end in 1 of 2 runs");
    },
  );

  it("leaves out a run whose end has no verdict yet, or that the machinery spoiled", () => {
    const begun = { ...point(3, null), verdict: undefined };
    const live = { ...short, state: "running" as const, points: [...short.points, begun] };
    expect(verdictSentence([good, live])).toContain("core passes at the end in 1 of 1 runs");
    const spoiled = { ...point(3, null), verdict: "infrastructure" as const };
    expect(verdictSentence([good, { ...short, points: [...short.points, spoiled] }])).toContain(
      "in 1 of 1 runs",
    );
    expect(verdictSentence([{ ...short, state: "cancelled" as const }])).toBe(
      "Checkpoints that pass whole: 2 of 2",
    );
  });
});

describe("the two runs that stand head to head", () => {
  const none = { a: undefined, b: undefined, order: undefined };

  it("are the best and the worst that got as far, at the last checkpoint of both", () => {
    expect(comparedPair([good, middling, bad, short], none)).toEqual({ a: "good", b: "bad", order: 3 });
    expect(comparedPair([good, short], none)).toEqual({ a: "good", b: "short", order: 2 });
  });

  it("are those that were chosen, at the chosen checkpoint where both took it", () => {
    const rows = [good, middling, short];
    expect(comparedPair(rows, { a: "middling", b: "short", order: 1 })).toEqual({
      a: "middling",
      b: "short",
      order: 1,
    });
    expect(comparedPair(rows, { a: "middling", b: "short", order: 3 })?.order).toBe(2);
    expect(comparedPair(rows, { a: undefined, b: "good", order: undefined })).toMatchObject({
      a: "middling",
      b: "good",
    });
    expect(comparedPair(rows, { a: "gone", b: "gone", order: undefined })).toMatchObject({ a: "good" });
  });

  it("are never two runs without a checkpoint in common", () => {
    // A run that was gone on with elsewhere begins late.
    const late = { ...series("late", [point(3, 0.1, 1, 10)]), checkpoints: 3 };
    const rows = [short, late, good];
    expect(comparedPair(rows, { a: "short", b: "late", order: undefined })).toEqual({
      ...{ a: "good", b: "late", order: 3 },
    });
    expect(comparedPair(rows, { a: "late", b: undefined, order: undefined })).toMatchObject({ b: "good" });
    expect(comparedPair([short, late], none)).toBeUndefined();
    expect(ids(comparableWith(late, rows))).toEqual(["good"]);
    for (const a of rows) {
      for (const b of rows) {
        const pair = comparedPair(rows, { a: a.id, b: b.id, order: undefined });
        const found = [pair?.a, pair?.b].map((id) => rows.find((row) => row.id === id) ?? a);
        expect(commonOrders(found[0] ?? a, found[1] ?? b)).toContain(pair?.order);
        expect(pair?.a).not.toBe(pair?.b);
      }
    }
  });

  it("are none where there is nothing to compare", () => {
    expect(comparedPair([good], none)).toBeUndefined();
    expect(comparedPair([good, series("empty", [])], none)).toBeUndefined();
    expect(commonOrders(good, short)).toEqual([1, 2]);
  });
});
