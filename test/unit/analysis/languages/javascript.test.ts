import { expect, it } from "vitest";
import { javascript } from "../../../../src/core/analysis/languages/javascript.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(javascript, {
  callable: ["function f(x) {", "  if (x > 0) {", "    return 1;", "  }", "  return 0;", "}"],
  comments: ["// one\n/* two\n\n three */\n", "#!/usr/bin/env node\n", "<!-- old\n"],
  body: ["function f(x) {\n  return ", "\n}"],
  nested: {
    parentheses: ["(", "x", ")", 0],
    arrays: ["[", "x", "]", 0],
    operators: ["x && ", "x", "", 1],
    choices: ["x ? 1 : ", "2", "", 1],
    closures: ["() => ", "1", "", 0],
  },
});

it("measures 5,000 levels of blocks", async () => {
  const text = `function f() { ${"if (x) {".repeat(5000)}${"}".repeat(5000)} }`;
  expect((await measureAs(javascript, text)).callables.map(({ cc }) => cc)).toEqual([5001]);
});

it("names functions by their declaration, or by what holds them", async () => {
  const lines = [
    "function plain() {}",
    "export default function () {}",
    "const arrow = x => x, wrapped = (() => 1);",
    "exports.api = function inner() {};",
    "this.handler = () => {};",
    "const { fallback = () => 1 } = options;",
    "class Shelf {",
    "  #count = () => 0;",
    "  constructor() { this.onOpen = () => {}; }",
    "  get size() { return 1; }",
    '  static "odd name"() {}',
    "  *[Symbol.iterator]() {}",
    "}",
    "const table = { row() {}, cell: () => 1, [key]: function () {} };",
    "list.map((x) => x);",
    "(function () { function inside() {} })();",
    "const Panel = memo(forwardRef((props) => { function draw() {} }));",
    "function outer() { const total = list.reduce((a, b) => a + b); }",
  ];
  expect(await callablesOf(javascript, lines, ({ kind, start }) => [kind, start])).toEqual({
    plain: ["function", 1],
    default: ["function", 2],
    arrow: ["function", 3],
    wrapped: ["function", 3],
    inner: ["function", 4],
    handler: ["function", 5],
    fallback: ["function", 6],
    "Shelf.#count": ["method", 8],
    "Shelf.constructor": ["method", 9],
    "Shelf.constructor.onOpen": ["function", 9],
    "Shelf.size": ["method", 10],
    "Shelf.odd name": ["method", 11],
    "Shelf.[Symbol.iterator]": ["method", 12],
    "table.row": ["method", 14],
    "table.cell": ["method", 14],
    "table.[key]": ["method", 14],
    inside: ["function", 16],
    Panel: ["function", 17],
    "Panel.draw": ["function", 17],
    outer: ["function", 18],
  });
});

it("counts branches, loops, cases, handlers and operators that choose", async () => {
  expect(
    await decisionsOf(
      javascript,
      "function f(a, b = 1 || 2) {",
      "  if (a && b) {}",
      "  else if (a) {}",
      "  else {}",
      "  for (;;) {}",
      "  for (const x of a) {}",
      "  for (const x in a) {}",
      "  while (a) {}",
      "  do {} while (a);",
      "  switch (a) {",
      "    case 1:",
      "    case 2: break;",
      "    default:",
      "  }",
      "  try {} catch {} finally {}",
      "  a ??= b ?? 1;",
      "  a ||= b;",
      "  a &&= b;",
      "  return a?.b?.[0]?.()",
      "    ? 1",
      "    : list.filter((x) => x || a);",
      "}",
    ),
  ).toEqual([
    ["||", 1],
    ["if", 2],
    ["&&", 2],
    ["else if", 3],
    ["for", 5],
    ["for", 6],
    ["for", 7],
    ["while", 8],
    ["do while", 9],
    ["case", 11],
    ["case", 12],
    ["catch", 15],
    ["??=", 16],
    ["??", 16],
    ["||=", 17],
    ["&&=", 18],
    ["? :", 20],
    ["||", 21],
  ]);
});

it("gives a named closure its own decisions and lines, and an unnamed one's to the function around", async () => {
  const lines = [
    "function outer(rows) {",
    "  const check = (row) => {",
    "    // says no",
    "    if (row) return false;",
    "    return true;",
    "  };",
    "  rows.forEach((row) => {",
    "    if (check(row)) rows.pop();",
    "  });",
    "}",
  ];
  expect(await callablesOf(javascript, lines, ({ cc, sloc, start, end }) => [cc, sloc, start, end])).toEqual({
    // Its own are lines 1, 2, 7 and 8; what closes a bracket is no code.
    outer: [2, 4, 1, 10],
    "outer.check": [2, 3, 2, 6],
  });
});

it("tells lines of code from comments, brackets and blanks, and takes strings as they are", async () => {
  const { sloc } = await measureAs(
    javascript,
    "import a from 'a'; // why",
    "",
    "/* a */ b(); /* c",
    "  d */",
    "f({",
    "  [`e",
    "",
    "  // text`]: 1,",
    "}, [",
    "]);",
    "};",
  );
  expect(sloc).toEqual([1, 3, 5, 6, 8]);
});

it("reads cognitive complexity as in Python", async () => {
  const lines = [
    "function chain(a) { if (a) {} else if (b) {} else if (c) { if (d) {} } else { if (e) {} } }",
    "function jumps(a) { for (;;) { if (a && b) continue; } }",
    "function cases(a) { switch (a) { case 1: { f(); break; } case 2: if (b) break; default: } }",
    "function apart(a) { if (a) { const g = () => { if (b) {} }; list.map(() => { if (c) {} }); } }",
  ];
  expect(await callablesOf(javascript, lines, ({ cognitive }) => cognitive)).toEqual({
    // if 1, else if 2, else if 2, inner if 3, else 2, inner if 3
    chain: 13,
    // for 1, if 2, && 1, continue 1
    jumps: 5,
    // if 1, and the break inside it 1; those that end a case nothing
    cases: 2,
    // if 1, the unnamed closure's 2
    apart: 3,
    "apart.g": 1,
  });
});

it("finds clones whatever the names, literals, comments and semicolons", async () => {
  const { cloneCandidates } = await measureAs(
    javascript,
    "for (const a of b) {",
    "  c(a, 'one');",
    "  d.e(a);",
    "}",
    "for (const x of y) { // same",
    "  c(x, `two`)",
    "  d.e(x)",
    "}",
    "for (const x of y) {",
    "  c(x, 1);",
    "  d.e(x);",
    "}",
  );
  const [one, two, other] = cloneCandidates;
  expect(cloneCandidates).toHaveLength(3);
  expect(two?.key).toBe(one?.key);
  expect(other?.key).not.toBe(one?.key);
});

it("measures what could be parsed, and tells how many lines could not", async () => {
  const { callables, lostLines } = await measureAs(
    javascript,
    "function good(a) { return a ? 1 : 2; }",
    "const = = 5;",
    "function also(a) { if (a) { return 1; } }",
  );
  expect(callables.map(({ name, cc }) => [name, cc])).toEqual([
    ["good", 2],
    ["also", 2],
  ]);
  expect(lostLines).toBe(1);
});
