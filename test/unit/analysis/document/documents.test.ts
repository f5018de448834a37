import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { AnalysisOptions } from "../../../../src/core/analysis/analysis.js";
import { loadShippedRules } from "../../../../src/core/analysis/analyzer.js";
import { CloneMemory } from "../../../../src/core/analysis/clone-memory.js";
import { applyChanges } from "../../../../src/core/analysis/document/change.js";
import { heldTrees } from "../../../../src/core/analysis/document/document-tree.js";
import { Documents } from "../../../../src/core/analysis/document/documents.js";
import type {
  DocumentAnswer,
  DocumentReading,
  Remedy,
  RemedyKind,
} from "../../../../src/core/analysis/document/reading.js";
import { Measurer } from "../../../../src/core/analysis/measurer.js";
import type { RuleMatch } from "../../../../src/core/model/quality.js";
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

  remedy(kind: RemedyKind, match: RuleMatch, version = this.version): Promise<Remedy | undefined> {
    return this.documents.remedy({ document: 1, version, kind, match });
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
): Promise<{
  document: Opened;
  first: DocumentReading;
  fresh: (text: string) => Promise<unknown>;
  ask: Documents["answer"];
}> {
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
    ask: (request) => documents.answer(request),
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

describe("the columns of a match", () => {
  it.each([
    ["emoji before it", "x = '😀👩‍👩‍👧' + str(list([a]))\n"],
    ["tabs before it", "def f(a):\n\treturn\t(list([a]))\n"],
    ["carriage returns", "def f(a):\r\n    b = '😀'; return list([a])\r\n"],
    ["lone carriage returns", "def f(a):\r    b = 1; return list([a])\r"],
    ["form feeds", "\f\nx = 1\f\ny = ('é', list([a]))\n"],
    ["a byte order mark", "\ufeffz = 'ü'; y = list([a])\n"],
    ["a cookie of another encoding", "# -*- coding: latin-1 -*-\ny = '\ufffd\ufffd', list([a])\n"],
  ])("are those of the editor's text: %s", async (_, text) => {
    const { document } = await open(text);
    const { report } = reading(await document.step("rules"));
    const match = report?.matches.find(({ rule }) => rule === "list-wrap-list");
    const line = text.split(/\r\n|\r|\n/)[(match?.start ?? 0) - 1] ?? "";
    expect(line.slice((match?.startColumn ?? 0) - 1, (match?.endColumn ?? 0) - 1)).toBe("list([a])");
  });
});

describe("a document that is edited at random", () => {
  it.each([
    ["made-up Python", "python", pythonText(new Random(5), 120), 11],
    ["made-up Python, other edits", "python", pythonText(new Random(6), 60), 12],
    ["Python with carriage returns", "python", pythonText(new Random(7), 60).replaceAll("\n", "\r\n"), 13],
    ["Python of this project", "python", ownText("harness/supervisor.py"), 14],
    ["TypeScript of this project", "typescript", ownText("src/core/analysis/document/session.ts"), 15],
    ["JavaScript of this project", "javascript", ownText("scripts/demo.mjs"), 16],
  ])("always has the report of its text: %s", async (_, languageId, text, seed) => {
    const random = new Random(seed);
    const { document, fresh } = await open(text, { languageId });
    const good = [document.text];
    let isBroken = false;
    let compared = 0;
    for (let round = 0; round < 60; round++) {
      const first = reading(await document.edit(randomEdit(random, document.text, good, isBroken)));
      isBroken = first.report === undefined;
      // Other languages are measured with errors, too, once typing pauses.
      if (isBroken && languageId !== "python") continue;
      const expected = await fresh(document.text);
      if (isBroken) {
        expect(expected, `round ${round}`).toBeUndefined();
        continue;
      }
      const second = reading(await document.step("rules"));
      expect(second.report, `round ${round}`).toEqual(expected);
      good.push(document.text);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });
});

describe("a text in a language that is measured with syntax errors", () => {
  it("keeps its marks while it is half written, and is measured once typing pauses", async () => {
    const whole = "function a(x) {\n  return x ? 1 : 2;\n}\n".repeat(6);
    const { document, first, fresh } = await open(whole, { languageId: "javascript" });
    expect(first.report?.functions).toHaveLength(6);
    const half = reading(await document.edit([{ offset: 0, length: 0, text: "const = ;\n" }]));
    expect(half).toMatchObject({ report: undefined, rules: "earlier" });
    const rested = reading(await document.step("rest"));
    expect(rested.report?.incomplete).toHaveLength(1);
    expect(rested.report).toEqual(await fresh(document.text));
    const next = reading(await document.edit([{ offset: document.text.length, length: 0, text: "a(1);\n" }]));
    expect(next.report?.functions).toHaveLength(6);
  });
});

describe("the first of two readings", () => {
  it("has the rule matches of before, moved with the edit, without those that were edited away", async () => {
    const { document } = await open("if len(a) == 0:\n    b()\nif len(c) == 0:\n    d()\n");
    const before = reading(await document.step("rules")).report?.matches ?? [];
    expect(before.map(({ start }) => start)).toEqual([1, 3]);
    const moved = reading(await document.edit([{ offset: 0, length: 0, text: "x = 1\n\n" }]));
    expect(moved.rules).toBe("earlier");
    expect(moved.report?.matches).toEqual(
      before.map((match) => ({ ...match, start: match.start + 2, end: match.end + 2 })),
    );
    const gone = reading(
      await document.edit([{ offset: 7, length: "if len(a) == 0:".length, text: "if a:" }]),
    );
    expect(gone.report?.matches.map(({ start }) => start)).toEqual([5]);
  });
});

describe("a request", () => {
  it("about an older version is overtaken", async () => {
    const { document, ask } = await open("x = 1\n");
    await document.edit([{ offset: 0, length: 0, text: "y = 1\n" }]);
    const old = { document: 1, version: 1 } as const;
    expect(await ask({ ask: "rules", ...old })).toBe("overtaken");
    expect(await ask({ ask: "edit", base: 0, ...old, changes: [] })).toBe("overtaken");
  });

  it("that was overtaken before its turn has no reading, the last one has", async () => {
    const { document } = await open("x = 1\n");
    const answers = await Promise.all(
      [1, 2, 3].map((n) => document.edit([{ offset: 0, length: 0, text: `y = ${n}\n` }])),
    );
    expect(answers.slice(0, 2)).toEqual(["overtaken", "overtaken"]);
    expect(answers[2]).toMatchObject({ version: 4, report: { totals: { totalLoc: 4 } } });
  });

  it("made to another text than is known asks for the document to be opened again", async () => {
    const { ask } = await open("x = 1\n");
    const gap = { ask: "edit", document: 1, base: 7, version: 8, changes: [] } as const;
    expect(await ask(gap)).toBe("unknown");
    expect(heldTrees()).toBe(0);
    expect(await ask({ ...gap, base: 8, version: 9 })).toBe("unknown");
  });
});

describe("a remedy", () => {
  const text = "import os\r\n\r\ndef f(a):\r\n    b = list([1])\r\n    return b\r\n";

  it("is placed by lines and columns, whatever ends the lines", async () => {
    const { document } = await open(text);
    const { report } = reading(await document.step("rules"));
    const match = report?.matches.find(({ rule }) => rule === "list-wrap-list");
    if (match === undefined) throw new Error("no match");
    expect(await document.remedy("fix", match)).toEqual({
      start: { line: 4, column: 9 },
      end: { line: 4, column: 18 },
      text: "[1]",
    });
    expect(await document.remedy("suppression", match)).toEqual({
      start: { line: 4, column: 1 },
      end: { line: 4, column: 1 },
      text: "    # ast-grep-ignore: list-wrap-list\n",
    });
  });

  it("is none for another version, or a match that is gone", async () => {
    const { document } = await open(text);
    const { report } = reading(await document.step("rules"));
    const match = report?.matches.find(({ rule }) => rule === "list-wrap-list");
    if (match === undefined) throw new Error("no match");
    expect(await document.remedy("fix", match, 7)).toBeUndefined();
    await document.edit([{ offset: text.indexOf("list"), length: 4, text: "tuple" }]);
    expect(await document.remedy("fix", match)).toBeUndefined();
    expect(await document.remedy("suppression", match)).toBeUndefined();
  });
});
