import { expect, it } from "vitest";
import { java } from "../../../../src/core/analysis/languages/java.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(java, {
  callable: ["int f(int x) {", "  if (x > 0) {", "    return 1;", "  }", "  return 0;", "}"],
  comments: ["// one\n/* two\n\n three */\n/** four */"],
  body: ["class A { Object f(boolean x) {\n  return ", ";\n} }"],
  nested: {
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    choices: ["x ? 1 : ", "2", "", 1],
  },
});

it("finds methods and constructors with a body, and lambdas that are held", async () => {
  const lines = [
    "class Shelf {",
    "  Runnable field = () -> {};",
    "  Shelf() { this.on = (a, b) -> a; }",
    "  @Override",
    '  @Deprecated(since = "1")',
    "  public List<String> names() throws IOException {",
    "    Function<A, B> local = (Function<A, B>) x -> x;",
    "    return run(() -> 1);",
    "  }",
    "  abstract void none();",
    "  static { setUp(); }",
    "  Object made = new Object() { public String toString() { return null; } };",
    "}",
    "enum Size { BIG { int of() { return 2; } }; int of() { return 1; } }",
    "record Point(int x) { Point { check(x); } }",
    "interface I { default void given() {} void wanted(); }",
  ];
  expect(await callablesOf(java, lines, ({ kind, start, end }) => [kind, start, end])).toEqual({
    "Shelf.field": ["method", 2, 2],
    "Shelf.Shelf": ["method", 3, 3],
    "Shelf.Shelf.on": ["function", 3, 3],
    "Shelf.names": ["method", 6, 9],
    "Shelf.names.local": ["function", 7, 7],
    "Shelf.toString": ["method", 12, 12],
    "Size.of": ["method", 14, 14],
    "Point.Point": ["method", 15, 15],
    "I.given": ["method", 16, 16],
  });
});

it("counts labels of a switch in both its forms, guards, and what chooses", async () => {
  expect(
    await decisionsOf(
      java,
      "class A { int f(Object o) {",
      "  if (a && b || c) {} else if (d) {} else {}",
      "  for (;;) {}",
      "  for (int i : is) {}",
      "  while (a) {}",
      "  do {} while (a);",
      "  switch (x) { case 1: case 2, 3: break; default: }",
      "  int y = switch (o) { case Foo f when f.on() -> 1; case null, default -> { yield 2; } };",
      "  try (var z = open()) {} catch (A | B e) {} finally {}",
      '  assert a : "no";',
      "  Map<? extends K, ?> m = null;",
      "  return a ? 1 : sum(v -> v > 0 && a);",
      "} }",
    ),
  ).toEqual([
    ["if", 2],
    ["&&", 2],
    ["||", 2],
    ["if", 2],
    ["for", 3],
    ["for", 4],
    ["while", 5],
    ["do while", 6],
    ["case", 7],
    ["case", 7],
    ["case", 8],
    ["case guard", 8],
    ["case", 8],
    ["catch", 9],
    ["? :", 12],
    ["&&", 12],
  ]);
});

it("gives what stands in an anonymous class to its methods", async () => {
  const lines = [
    "class A {",
    "  void f() {",
    "    run(new Runnable() {",
    "      public void run() {",
    "        if (a) return;",
    "      }",
    "    });",
    "  }",
    "}",
  ];
  expect(await callablesOf(java, lines, ({ cc, sloc }) => [cc, sloc])).toEqual({
    "A.f": [1, 2],
    "A.f.run": [2, 2],
  });
});

it("reads cognitive complexity as in Python", async () => {
  const lines = [
    "class A {",
    "  void chain() { if (a) {} else if (b) {} else { if (c) {} } }",
    "  void jumps() { for (;;) { if (a || b) break; } switch (x) { case 1: break; } }",
    "}",
  ];
  expect(await callablesOf(java, lines, ({ cognitive }) => cognitive)).toEqual({
    // if 1, else if 2, else 2, inner if 3
    "A.chain": 8,
    // for 1, if 2, || 1, break 1; the break of the case nothing
    "A.jumps": 5,
  });
});

it("finds clones whatever the names, literals and comments", async () => {
  const body = (type: string, name: string, text: string) => [
    `  ${type} ${name}(${type} it) {`,
    `    it.call(${text});`,
    "    return it; // done",
    "  }",
  ];
  const { cloneCandidates } = await measureAs(
    java,
    "class A {",
    ...body("Foo", "a", '"one"'),
    ...body("Bar", "b", '"two"'),
    ...body("Foo", "c", "3"),
    "}",
  );
  const [one, two, other] = cloneCandidates;
  expect(two?.key).toBe(one?.key);
  expect(other?.key).not.toBe(one?.key);
});
