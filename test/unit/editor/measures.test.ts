import path from "node:path";
import { describe, expect, it } from "vitest";
import { SHIPPED_RULES, type Analyzer } from "../../../src/core/analysis/analysis.js";
import { SlopLensError } from "../../../src/core/model/errors.js";
import type { Turn } from "../../../src/core/model/turn.js";
import { erosionSeries } from "../../../src/core/report/erosion-series.js";
import { Library } from "../../../src/editor/library/library.js";
import { Measures } from "../../../src/editor/library/measures.js";
import { readRun } from "../../../src/editor/reading.js";
import { inlineAnalyzer } from "../analysis/support.js";
import * as make from "./support.js";

const IMPORTED = path.resolve(import.meta.dirname, "../../fixtures/editor-runs/imported");

function shelves(): Library {
  return new Library({
    ...make.NO_DISK,
    runs: async () => [await readRun(IMPORTED)],
    run: readRun,
  });
}

function turnsOf(library: Library): readonly Turn[] {
  return library.state.runs.flatMap(({ problems }) => problems.flatMap(({ turns }) => turns));
}

/** Measures with what they told, over an analyzer that can be any. */
function measuring(library: Library, analyzePaths: Analyzer["analyzePaths"]) {
  const noted: string[] = [];
  const measures = new Measures({
    analyzer: () => Promise.resolve({ analyzePaths }),
    profile: () => "scb-0.2.0",
    rules: () => SHIPPED_RULES,
    keep: (turn, quality) => {
      library.keepMeasured(turn, quality);
    },
    note: (_, where) => noted.push(path.relative(IMPORTED, where.replace("Measuring ", ""))),
  });
  return { measures, noted };
}

describe("a run that did not measure its snapshots", () => {
  it("is measured when asked for, for tree and plot alike, and stays so when the disk is read again", async () => {
    const library = shelves();
    await library.load(["/a"]);
    expect(turnsOf(library).map(({ quality }) => quality)).toEqual([undefined, undefined, undefined]);
    const analyzer = inlineAnalyzer();
    const { measures, noted } = measuring(library, (...all) => analyzer.analyzePaths(...all));
    measures.ask(turnsOf(library));
    await measures.settled();
    const points = () => erosionSeries("desk", library.state.runs).series[0]?.points;
    const [first, second] = points() ?? [];
    expect(first).toMatchObject({ checkpoint: "checkpoint_1", erosion: 0, maxCc: 2 });
    expect(second).toMatchObject({ checkpoint: "checkpoint_2", erosion: 1, maxCc: 12 });
    expect(second?.heaviest).toMatchObject([{ name: "main", share: 1 }]);
    expect(erosionSeries("desk", library.state.runs).series[0]?.profile).toBe("scb-0.2.0");
    const before = points();
    await library.load(["/a"]);
    expect(points()).toEqual(before);
    expect(noted).toEqual([]);
  });

  it("is measured one snapshot at a time, each once", async () => {
    const library = shelves();
    await library.load(["/a"]);
    let [atOnce, most, calls] = [0, 0, 0];
    const { measures } = measuring(library, async () => {
      atOnce += 1;
      calls += 1;
      most = Math.max(most, atOnce);
      await new Promise(setImmediate);
      atOnce -= 1;
      return make.report();
    });
    measures.ask(turnsOf(library));
    measures.ask(turnsOf(library));
    await measures.settled();
    measures.ask(turnsOf(library));
    await measures.settled();
    expect([most, calls]).toEqual([1, 2]);
  });

  it("notes trouble once, goes on with the next, and says nothing of a snapshot without code", async () => {
    const library = shelves();
    await library.load(["/a"]);
    const { measures, noted } = measuring(library, ([folder]) =>
      Promise.reject(
        folder?.includes("checkpoint_1") === true
          ? new SlopLensError("internal", "The analysis ended")
          : new SlopLensError("bad-input", "No file"),
      ),
    );
    measures.ask(turnsOf(library));
    await measures.settled();
    measures.ask(turnsOf(library));
    await measures.settled();
    expect(noted).toEqual(["desk/checkpoint_1/snapshot"]);
  });

  it("is given up on without a word, and can be asked for again", async () => {
    const library = shelves();
    await library.load(["/a"]);
    const closing = new AbortController();
    let calls = 0;
    const { measures, noted } = measuring(library, () => {
      calls += 1;
      if (calls > 1) return Promise.resolve(make.report());
      closing.abort();
      return Promise.reject(new SlopLensError("cancelled", "Cancelled"));
    });
    measures.ask(turnsOf(library), closing.signal);
    await measures.settled();
    expect(turnsOf(library).every(({ quality }) => quality === undefined)).toBe(true);
    expect([calls, noted]).toEqual([1, []]);
    measures.ask(turnsOf(library));
    await measures.settled();
    expect(turnsOf(library).filter(({ quality }) => quality !== undefined)).toHaveLength(2);
  });
});
