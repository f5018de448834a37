import { describe, expect, it } from "vitest";
import { readMemory, type PlayMemory } from "../../../src/editor/play/memory.js";

const MEMORY: PlayMemory = {
  source: {
    run: "c:\\runs 100%\\one",
    problem: "shelf",
    order: 3,
    callable: { order: 6, id: "shelf.py#main" },
    mode: "file",
  },
  visible: true,
};

describe("what is kept of playing", () => {
  it("comes back as it was written", () => {
    expect(readMemory(JSON.parse(JSON.stringify(MEMORY)))).toEqual(MEMORY);
  });

  it.each([
    undefined,
    null,
    "shelf",
    {},
    { source: { run: 1, problem: "shelf" } },
    { source: { run: "/r" } },
  ])("is nothing where another release kept %j", (kept) => {
    expect(readMemory(kept)).toBeUndefined();
  });

  it("leaves out what cannot be read", () => {
    const odd = { source: { run: "/r", problem: "shelf", order: "3", callable: { id: 1 }, mode: "x" } };
    expect(readMemory(odd)).toEqual({
      source: { run: "/r", problem: "shelf", order: undefined, callable: undefined, mode: "changes" },
      visible: false,
    });
  });
});
