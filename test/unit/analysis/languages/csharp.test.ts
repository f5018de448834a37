import { expect, it } from "vitest";
import { csharp } from "../../../../src/core/analysis/languages/csharp.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(csharp, {
  callable: ["int F(int x) {", "  if (x > 0) {", "    return 1;", "  }", "  return 0;", "}"],
  comments: ["// one\n/* two\n\n three */\n/// <summary/>"],
  body: ["class A { object F(bool x) {\n  return ", ";\n} }"],
  nested: {
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    defaults: ["x ?? ", "x", "", 1],
  },
});

it("names members of every kind, behind whatever type", async () => {
  const lines = [
    "class Shelf<T> : Base {",
    "  Func<int> field = () => 1;",
    "  public Shelf() : base(1) { this.On = (a, b) => a; }",
    "  ~Shelf() { }",
    "  [Obsolete]",
    "  public Foo Find<U>(int x) where U : new() { int Local(int q) => q; return null; }",
    "  Foo Size { get { return 1; } set => size = value; }",
    "  int Auto { get; set; } = 1;",
    "  int Short => 1;",
    "  Foo this[int i] { get { return i; } }",
    "  public static Foo operator +(Foo a, Foo b) { return a; }",
    "  event Handler Ev { add { } remove { } }",
    "  void I.Explicit() { Run(() => 1); }",
    "  abstract void None();",
    "  partial void Half();",
    "  Action Given { get; } = delegate { };",
    "}",
    "interface I { void Wanted(); void Default() { } }",
  ];
  expect(await callablesOf(csharp, lines, ({ kind, start }) => [kind, start])).toEqual({
    "Shelf.field": ["method", 2],
    "Shelf.Shelf": ["method", 3],
    "Shelf.Shelf.On": ["function", 3],
    "Shelf.~Shelf": ["method", 4],
    "Shelf.Find": ["method", 6],
    "Shelf.Find.Local": ["function", 6],
    "Shelf.Size.get": ["method", 7],
    "Shelf.Size.set": ["method", 7],
    "Shelf.Short": ["method", 9],
    "Shelf.this[].get": ["method", 10],
    "Shelf.operator +": ["method", 11],
    "Shelf.Ev.add": ["method", 12],
    "Shelf.Ev.remove": ["method", 12],
    "Shelf.Explicit": ["method", 13],
    "Shelf.Given": ["method", 16],
    "I.Default": ["method", 18],
  });
});

it("counts arms, guards, patterns and operators that choose", async () => {
  expect(
    await decisionsOf(
      csharp,
      "class A { int F(object o, string? s) {",
      "  if (a && b || c) {} else if (d) {} else {}",
      "  for (;;) {}",
      "  foreach (var i in s) {}",
      "  while (a) {}",
      "  do {} while (a);",
      "  switch (x) { case 1: case 2 when a: goto case 1; default: break; }",
      "  var y = x switch { 1 => 2, Foo f when f.On => 3, var z => 1, _ => 0 };",
      "  try {} catch (E e) when (a) {} finally {}",
      "  if (o is A or B and not C) {}",
      "  s ??= t ?? u;",
      "  s?.Run(s?[0]);",
      "  var q = from i in s where i > 0 select i;",
      "  return a ? 1 : Sum(v => v > 0 && a);",
      "} }",
    ),
  ).toEqual([
    ["if", 2],
    ["&&", 2],
    ["||", 2],
    ["if", 2],
    ["for", 3],
    ["foreach", 4],
    ["while", 5],
    ["do while", 6],
    ["case", 7],
    ["case", 7],
    ["case guard", 7],
    ["switch arm", 8],
    ["switch arm", 8],
    ["case guard", 8],
    ["catch", 9],
    ["catch when", 9],
    ["if", 10],
    ["or", 10],
    ["and", 10],
    ["??=", 11],
    ["??", 11],
    ["? :", 14],
    ["&&", 14],
  ]);
});

it("reads past an #if that parts a statement, and counts none of its conditions", async () => {
  const lines = [
    "class A {",
    "  int F(object o) {",
    "#if NET20 || NET35",
    "    int mask = 1;",
    "#else",
    "    int mask = 2;",
    "#endif",
    "    if (o is int) { return 1; }",
    "#if DATES",
    "    else if (o is DateTime) { return 2; }",
    "#endif",
    "    else { return mask; }",
    "  }",
    "}",
  ];
  expect(await callablesOf(csharp, lines, ({ cc, start, end }) => [cc, start, end])).toEqual({
    "A.F": [3, 2, 13],
  });
  expect((await measureAs(csharp, ...lines)).lostLines).toBeUndefined();
});

it("reads cognitive complexity as in Python", async () => {
  const lines = [
    "class A {",
    "  void Chain() { if (a) {} else if (b) {} else { if (c) {} } }",
    "  void Jumps() { foreach (var i in s) { if (a ?? b) continue; } switch (x) { case 1: break; } }",
    "}",
  ];
  expect(await callablesOf(csharp, lines, ({ cognitive }) => cognitive)).toEqual({
    "A.Chain": 8,
    // foreach 1, if 2, ?? 1, continue 1
    "A.Jumps": 5,
  });
});

it("finds clones whatever the names, literals and comments", async () => {
  const body = (name: string, text: string) => [
    `  void ${name}(int it) {`,
    `    Call(it, ${text});`,
    "    Done(it); // done",
    "  }",
  ];
  const { cloneCandidates } = await measureAs(
    csharp,
    "class A {",
    ...body("B", '"one"'),
    ...body("C", '@"two"'),
    ...body("D", "3"),
    "}",
  );
  const [one, two, other] = cloneCandidates;
  expect(two?.key).toBe(one?.key);
  expect(other?.key).not.toBe(one?.key);
});
