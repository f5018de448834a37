import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { AnalysisOptions } from "../../../../src/core/analysis/analysis.js";
import { loadShippedRules } from "../../../../src/core/analysis/analyzer.js";
import { CloneMemory } from "../../../../src/core/analysis/clone-memory.js";
import { applyChanges } from "../../../../src/core/analysis/document/change.js";
import { heldTrees } from "../../../../src/core/analysis/document/document-tree.js";
import { Documents } from "../../../../src/core/analysis/document/documents.js";
import type { DocumentAnswer, DocumentReading } from "../../../../src/core/analysis/document/reading.js";
import { Measurer } from "../../../../src/core/analysis/measurer.js";
import { options, productFiles } from "../support.js";
import { ownText, pythonText, Random, randomEdit } from "./editing.js";

afterAll(() => {
  expect(heldTrees()).toBe(0);
});

/** One open document, asked directly. */
class Opened {
  version = 1;
  text: string;

  constructor(
    private readonly documents: Documents,
    text: string,
  ) {
    this.text = text;
  }

  edit(changes: Parameters<typeof applyChanges>[1]): Promise<DocumentAnswer> {
    this.text = applyChanges(this.text, changes);
    const base = this.version++;
    return this.documents.answer({ ask: "edit", document: 1, base, version: this.version, changes });
  }

  step(ask: "rules" | "rest" | "clones"): Promise<DocumentAnswer> {
    return this.documents.answer({ ask, document: 1, version: this.version });
  }
}

async function open(
  text: string,
  {
    languageId = "python",
    path = "/w/a.py",
    measurer = new Measurer(productFiles, loadShippedRules),
    with: how = options,
  } = {},
): Promise<{ document: Opened; first: DocumentReading; fresh: (text: string) => Promise<unknown> }> {
  const documents = new Documents(measurer, new CloneMemory());
  const document = new Opened(documents, text);
  onTestFinished(async () => {
    await documents.answer({ ask: "close", document: 1 });
  });
  const first = await documents.answer({
    ask: "open",
    document: 1,
    path,
    languageId,
    version: 1,
    text,
    options: how,
  });
  return {
    document,
    first: reading(first),
    fresh: (now) => freshReport(measurer, { languageId, path, how }, now),
  };
}

/** The report of a document that is opened with a text. */
async function freshReport(
  measurer: Measurer,
  { languageId, path, how }: { languageId: string; path: string; how: AnalysisOptions },
  text: string,
): Promise<unknown> {
  const documents = new Documents(measurer, new CloneMemory());
  const answer = await documents.answer({
    ask: "open",
    document: 2,
    path,
    languageId,
    version: 1,
    text,
    options: how,
  });
  const { report } = reading(answer);
  const whole =
    report === undefined ? undefined : await documents.answer({ ask: "rules", document: 2, version: 1 });
  await documents.answer({ ask: "close", document: 2 });
  return whole === undefined || whole === "overtaken" ? report : reading(whole).report;
}

function reading(answer: DocumentAnswer): DocumentReading {
  if (typeof answer === "string") throw new Error(answer);
  return answer;
}

describe("a document that is edited at random", () => {
  it.each([
    ["made-up Python", "python", "/w/a.py", pythonText(new Random(5), 160), 11],
    ["made-up Python, other edits", "python", "/w/a.py", pythonText(new Random(6), 90), 12],
    [
      "Python with carriage returns",
      "python",
      "/w/a.py",
      pythonText(new Random(7), 60).replaceAll("\n", "\r\n"),
      13,
    ],
    ["Python of this project", "python", "/w/a.py", ownText("harness/supervisor.py"), 14],
  ])("always has the report of its text: %s", async (_, languageId, path, text, seed) => {
    const random = new Random(seed);
    const { document, fresh } = await open(text, { languageId, path });
    const good = [document.text];
    let isBroken = false;
    let compared = 0;
    for (let round = 0; round < 120; round++) {
      const first = reading(await document.edit(randomEdit(random, document.text, good, isBroken)));
      const expected = await fresh(document.text);
      isBroken = first.report === undefined;
      if (isBroken) {
        expect(expected, `round ${round}`).toBeUndefined();
        continue;
      }
      const second = reading(await document.step("rules"));
      expect(second.report, `round ${round}`).toEqual(expected);
      good.push(document.text);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
  });
});
