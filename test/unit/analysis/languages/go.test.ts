import { expect, it } from "vitest";
import { go } from "../../../../src/core/analysis/languages/go.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(go, {
  callable: ["func f(x int) int {", "\tif x > 0 {", "\t\treturn 1", "\t}", "\treturn 0", "}"],
  comments: ["// one\n/* two\n\n three */\n"],
  body: ["func f() {\n _ = 0;", "\n}"],
  nested: {
    blocks: ["if x {", "y()", "}", 1],
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
  },
});

it("names functions, methods with their receiver, and literals by what holds them", async () => {
  const lines = [
    "package p",
    "func plain() {}",
    "func generic[T any](x T) {}",
    "func (s Stack) Len() int { return 0 }",
    "func (s *Stack[T]) Push(x T) {}",
    "func (Stack) Anonymous() {}",
    "var first, second = func() {}, func() {}",
    "func outer() {",
    "\tf := func() {}",
    "\ts.field = func() {}",
    "\ts.byKey[0] = func() {}",
    "\t_ = func() {}",
    "\tt := T{Handler: func() {}}",
    "\tgo func() {}()",
    "}",
    "type I interface{ M() }",
    "func external()",
  ];
  expect(await callablesOf(go, lines, ({ kind, start }) => [kind, start])).toEqual({
    plain: ["function", 2],
    generic: ["function", 3],
    "Stack.Len": ["method", 4],
    "Stack.Push": ["method", 5],
    "Stack.Anonymous": ["method", 6],
    first: ["function", 7],
    second: ["function", 7],
    outer: ["function", 8],
    "outer.f": ["function", 9],
    "outer.field": ["function", 10],
    "outer.Handler": ["function", 13],
  });
});

it("counts what gocyclo counts", async () => {
  const decisions = await decisionsOf(
    go,
    "func f(x interface{}) int {",
    "\tif a := g(); a && b || c {",
    "\t} else if d {",
    "\t} else {",
    "\t}",
    "\tfor {",
    "\t}",
    "\tfor i := range xs {",
    "\t}",
    "\tswitch x := y.(type) {",
    "\tcase int, string:",
    "\tcase nil:",
    "\tdefault:",
    "\t}",
    "\tswitch {",
    "\tcase a == 1:",
    "\t\tfallthrough",
    "\tdefault:",
    "\t}",
    "\tselect {",
    "\tcase <-ch:",
    "\tcase ch <- 1:",
    "\tdefault:",
    "\t}",
    "\tdefer close()",
    "\tgo func() { if e { } }()",
    "\treturn 0",
    "}",
  );
  expect(decisions).toEqual([
    ["if", 2],
    ["&&", 2],
    ["||", 2],
    ["else if", 3],
    ["for", 6],
    ["for", 8],
    ["case", 11],
    ["case", 12],
    ["case", 16],
    ["select case", 21],
    ["select case", 22],
    ["if", 26],
  ]);
});

it("keeps what a named literal decides out of the function around it, and an unnamed one's in", async () => {
  const lines = [
    "func outer() {",
    "\tinner := func(x int) {",
    "\t\tif x > 0 && y {",
    "\t\t}",
    "\t}",
    "\trun(func() {",
    "\t\tfor {",
    "\t\t}",
    "\t})",
    "}",
  ];
  expect(await callablesOf(go, lines, ({ cc, sloc, cognitive }) => [cc, sloc, cognitive])).toEqual({
    outer: [2, 4, 1],
    "outer.inner": [3, 2, 2],
  });
});

it("counts the lines that hold more than brackets and comments", async () => {
  const { sloc } = await measureAs(
    go,
    "package p // comment", // 1
    "/* comment",
    "*/ import (",
    '\t"fmt"', // 4
    ")",
    "",
    "var s = `", // 7
    "// text",
    "`",
    "func f() {",
    "\t// comment",
    "}",
  );
  expect(sloc).toEqual([1, 3, 4, 7, 8, 9, 10]);
});

it("adds the nesting of branches, chains of else flat, to cognitive complexity", async () => {
  const lines = [
    "func f() {",
    "\tif a {", // 1
    "\t} else if b {", // 2
    "\t} else {", // 2
    "\t\tfor c || d {", // 1 + 2, 1
    "\t\t\tswitch e {",
    "\t\t\tcase 1:",
    "\t\t\t\tcontinue", // 1
    "\t\t\tcase 2:",
    "\t\t\t\tbreak",
    "\t\t\t}",
    "\t\t}",
    "\t}",
    "}",
  ];
  expect(await callablesOf(go, lines, ({ cognitive }) => cognitive)).toEqual({ f: 10 });
});

it("finds clones under other names and values, not under other structure", async () => {
  const text = (name: string, type: string, value: string, operator: string) => [
    `func ${name}(${name}s []${type}) {`,
    `\tfor _, one := range ${name}s {`,
    `\t\tone.field ${operator} ${value}`,
    `\t\tuse(one, ${name}s)`,
    "\t}",
    "}",
  ];
  const keys = async (...parameters: Parameters<typeof text>) =>
    (await measureAs(go, ...text(...parameters))).cloneCandidates.map(({ key }) => key);
  const original = await keys("alpha", "int", "1", "+=");
  expect(original).toHaveLength(2);
  expect(await keys("beta", "T", "22", "+=")).toEqual(original);
  expect(await keys("beta", "T", "`x`", "+=")).not.toEqual(original);
  expect(await keys("beta", "T", "22", "-=")).not.toEqual(original);
});

it("measures no text with syntax errors", async () => {
  await expect(measureAs(go, "func f( {")).rejects.toThrow("syntax error");
});
