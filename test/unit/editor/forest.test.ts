import { describe, expect, it } from "vitest";
import { Forest } from "../../../src/editor/tree/forest.js";
import { node, type TreeNode } from "../../../src/editor/tree/node.js";

interface Shape {
  readonly description?: string;
  readonly below?: Readonly<Record<string, Shape>>;
}

function rows(shape: Readonly<Record<string, Shape>>): TreeNode[] {
  return Object.entries(shape).map(([id, { description = "", below }]) =>
    node({ id, label: id, description, ...(below === undefined ? {} : { children: () => rows(below) }) }),
  );
}

/** A tree whose rows were all shown once. */
async function grown(shape: Readonly<Record<string, Shape>>) {
  let now = shape;
  const forest = new Forest(() => rows(now));
  const open = async (handle: Parameters<Forest["children"]>[0]): Promise<void> => {
    for (const child of await forest.children(handle)) await open(child);
  };
  await open(undefined);
  const change = async (next: typeof now): Promise<string[] | "all"> => {
    now = next;
    return (await forest.refresh())?.map((handle) => handle.node.id) ?? "all";
  };
  return { forest, change };
}

const SHELF = { shelf: { below: { one: { description: "a" }, two: { below: { deep: {} } } } }, other: {} };

describe("Forest", () => {
  it("repaints nothing when nothing changed", async () => {
    const { change } = await grown(SHELF);
    expect(await change(SHELF)).toEqual([]);
  });

  it("repaints only the row that changed, and keeps its handle", async () => {
    const { forest, change } = await grown(SHELF);
    const before = forest.find("one");
    const shelf = { below: { ...SHELF.shelf.below, one: { description: "b" } } };
    expect(await change({ ...SHELF, shelf })).toEqual(["one"]);
    expect(forest.find("one")).toBe(before);
    expect(before?.node.description).toBe("b");
  });

  it("repaints the row above when rows come, go or move", async () => {
    const { forest, change } = await grown(SHELF);
    const deep = forest.find("deep");
    const two = { below: { fresh: {}, deep: {} } };
    expect(await change({ ...SHELF, shelf: { below: { ...SHELF.shelf.below, two } } })).toEqual(["two"]);
    expect(forest.find("deep")).toBe(deep);
    expect(forest.find("fresh")?.parent).toBe(forest.find("two"));
  });

  it("repaints everything when the top changed", async () => {
    const { change } = await grown(SHELF);
    expect(await change({ shelf: SHELF.shelf })).toBe("all");
  });

  it("does not build what nobody has looked into", async () => {
    let built = 0;
    const forest = new Forest(() => [
      node({
        id: "a",
        label: "a",
        children: () => {
          built += 1;
          return [];
        },
      }),
    ]);
    await forest.children(undefined);
    await forest.refresh();
    expect(built).toBe(0);
  });

  it("does not look below a row whose basis is the same, and does below one whose basis changed", async () => {
    let built = 0;
    let basis = [{}];
    const forest = new Forest(() => [
      node({
        id: "a",
        label: "a",
        basis,
        children: () => {
          built += 1;
          return [];
        },
      }),
    ]);
    const [top] = await forest.children(undefined);
    await forest.children(top);
    await forest.refresh();
    expect(built).toBe(1);
    basis = [{}];
    await forest.refresh();
    expect(built).toBe(2);
  });
});
