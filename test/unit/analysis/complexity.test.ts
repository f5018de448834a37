import { describe, expect, it } from "vitest";
import { measure } from "./support.js";

/** Label and line of each decision of the only callable. */
async function decisionsOf(...lines: string[]): Promise<[string, number][]> {
  const { callables } = await measure(...lines);
  expect(callables).toHaveLength(1);
  return callables.flatMap(({ decisions }) =>
    decisions.map(({ label, line }): [string, number] => [label, line]),
  );
}

describe("decisions", () => {
  it("name what they are, in source order", async () => {
    const decisions = await decisionsOf(
      "def f(rows):",
      "    if rows: pass",
      "    elif not rows: pass",
      "    else: pass",
      "    for row in rows: pass",
      "    while rows: pass",
      "    try: pass",
      "    except OSError: pass",
      "    assert rows",
      "    return [r for r in rows if r]",
    );
    expect(decisions).toEqual([
      ["if", 2],
      ["elif", 3],
      ["for", 5],
      ["while", 6],
      ["except", 8],
      ["assert", 9],
      ["comprehension", 10],
      ["comprehension if", 10],
    ]);
  });

  it("tell a guard of a case from a filter of a comprehension", async () => {
    expect(
      await decisionsOf(
        "def f(x):",
        "    match x:",
        "        case int() if x > 1:",
        "            return {x for x in x if x}",
      ),
    ).toEqual([
      ["case guard", 3],
      ["comprehension", 4],
      ["comprehension if", 4],
    ]);
  });

  it("show an operator on its own line", async () => {
    expect(
      await decisionsOf(
        "def f(a, b, c):",
        "    return (",
        "        a",
        "        and b",
        "        or c",
        "    )",
      ),
    ).toEqual([
      ["and, or", 5],
      ["and, or", 4],
    ]);
  });

  it("count defaults and annotations, not decorators", async () => {
    expect(await decisionsOf("@when(a or b)", "def f(x: a or b = 1 if a else 2): pass")).toEqual([
      ["and, or", 2],
      ["x if y else z", 2],
    ]);
  });

  it("of an inner function count for the outer one too", async () => {
    const { callables } = await measure(
      "def outer(xs):",
      "    def inner(x):",
      "        return x or 0",
      "    return [inner(x) for x in xs]",
    );
    expect(callables.map(({ qualifiedName, cc }) => [qualifiedName, cc])).toEqual([
      ["outer", 3],
      ["outer.inner", 2],
    ]);
  });

  it("are one less than the complexity, whatever the code", async () => {
    const { callables } = await measure(
      "class A:",
      "    async def m(self):",
      "        async for x in self: yield x",
      "        with a as b: return f'{x if y else z}' if b else (q := 1)",
    );
    for (const { cc, decisions } of callables) expect(decisions).toHaveLength(cc - 1);
    expect(callables[0]?.cc).toBe(4);
  });
});

describe("callables", () => {
  it("know their owner, their kind and their lines without decorators", async () => {
    const { callables } = await measure(
      "class Shelf:",
      "    @property",
      "    def size(self):",
      "        def count():",
      "            return 1",
      "        return count()",
      "    class Row:",
      "        def end(self): pass",
    );
    expect(callables.map(({ qualifiedName, kind, start, end }) => [qualifiedName, kind, start, end])).toEqual(
      [
        ["Shelf.size", "method", 3, 6],
        ["Shelf.size.count", "function", 4, 5],
        ["Shelf.Row.end", "method", 8, 8],
      ],
    );
  });

  it("are not those that are defined conditionally", async () => {
    const { callables } = await measure(
      "if x:",
      "    def a(): pass",
      "def b():",
      "    with x:",
      "        def c(): pass",
      "@decorated",
      "def d(): pass",
    );
    expect(callables.map(({ name }) => name)).toEqual(["b", "d"]);
  });

  it("nest cognitive complexity", async () => {
    const { callables } = await measure(
      "def f(a, b):",
      "    if a and b:",
      "        for x in a:",
      "            if x: continue",
      "    else:",
      "        return 1",
    );
    // if 1, and 1, for 2, inner if 3, continue 1, else 2
    expect(callables[0]?.cognitive).toBe(10);
  });
});
