import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { CloneMemory } from "../../../../src/core/analysis/clone-memory.js";
import { applyChanges, type TextChange } from "../../../../src/core/analysis/document/change.js";
import { heldTrees } from "../../../../src/core/analysis/document/document-tree.js";
import { Documents } from "../../../../src/core/analysis/document/documents.js";
import { Measurer } from "../../../../src/core/analysis/measurer.js";
import { noRules, options, productFiles } from "../support.js";
import { pythonText, Random, randomEdit } from "./editing.js";

const EDITS = 5000;
/** The text is taken back to its beginning when it has grown to this. */
const LONGEST = 5000;

it("5,000 edits hold two trees at most, and no more memory at the end than at the beginning", async () => {
  const random = new Random(21);
  const first = pythonText(random, 40);
  const documents = new Documents(new Measurer(productFiles, noRules), new CloneMemory());
  const document = { document: 1, path: "/w/a.py", languageId: "python", options };
  await documents.answer({ ask: "open", ...document, version: 0, text: first });
  let text = first;
  let isBroken = false;
  let early: NodeJS.MemoryUsage | undefined;
  for (let edit = 0; edit < EDITS; edit++) {
    const changes = nextChanges(random, text, first, isBroken);
    text = applyChanges(text, changes);
    const answer = await documents.answer({
      ask: "edit",
      document: 1,
      base: edit,
      version: edit + 1,
      changes,
    });
    isBroken = typeof answer === "object" && answer.report === undefined;
    expect(heldTrees()).toBeLessThanOrEqual(2);
    if (edit === EDITS / 5) early = settledMemory();
  }
  const late = settledMemory();
  expect(late.external - (early?.external ?? 0)).toBeLessThan(2_000_000);
  expect(late.rss - (early?.rss ?? 0)).toBeLessThan(60_000_000);
  await documents.answer({ ask: "close", document: 1 });
  expect(heldTrees()).toBe(0);
});

function nextChanges(random: Random, text: string, first: string, isBroken: boolean): TextChange[] {
  if (text.length > LONGEST) return [{ offset: 0, length: text.length, text: first }];
  return randomEdit(random, text, [first], isBroken);
}

/** Memory in use once everything unreachable is gone. */
function settledMemory(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage();
}
