import path from "node:path";
import { describe, expect, it } from "vitest";
import { CloneMemory } from "../../../src/core/analysis/clone-memory.js";
import type { FileMeasures } from "../../../src/core/analysis/measure.js";
import { NO_STRUCTURE } from "../../../src/core/analysis/measures/structural.js";

const ROOT = path.resolve("/work");
const inRoot = (name: string): string => path.join(ROOT, name);

/** Places that all have one key, three lines each. */
const places = (key: string, count: number): FileMeasures["cloneCandidates"] =>
  Array.from({ length: count }, (_, index) => ({ key, start: 3 * index + 1, end: 3 * index + 3 }));

function file(
  name: string,
  cloneCandidates: FileMeasures["cloneCandidates"],
): {
  readonly path: string;
  readonly measures: FileMeasures;
} {
  const rest = { structure: NO_STRUCTURE, matches: [], suppressed: [] };
  return { path: name, measures: { sloc: [], callables: [], syntaxNodes: 0, cloneCandidates, ...rest } };
}

describe("CloneMemory", () => {
  it("tells where a key stands in other files, as their documents now are", () => {
    const memory = new CloneMemory();
    memory.remember(ROOT, [file("a.py", places("k", 1)), file("b.py", places("k", 2))]);
    expect(memory.update(inRoot("a.py"), places("k", 1))("k")).toEqual({
      instances: [
        { path: inRoot("b.py"), start: 1, end: 3 },
        { path: inRoot("b.py"), start: 4, end: 6 },
      ],
      more: 0,
    });
    memory.update(inRoot("b.py"), places("other", 1));
    expect(memory.update(inRoot("a.py"), places("k", 1))("k")).toEqual({ instances: [], more: 0 });
    expect(memory.update(path.resolve("/elsewhere/a.py"), places("other", 1))("other").instances).toEqual([]);
  });

  it("names a few of tens of thousands and counts the others, edit after edit", () => {
    const memory = new CloneMemory();
    const many = places("k", 60_000);
    memory.remember(ROOT, [file("a.py", many), file("b.py", many)]);
    for (let edit = 0; edit < 3; edit++) {
      const { instances, more } = memory.update(inRoot("a.py"), many)("k");
      expect([instances.length, more]).toEqual([50, 59_950]);
      expect(new Set(instances.map((one) => one.path))).toEqual(new Set([inRoot("b.py")]));
    }
  });
});
