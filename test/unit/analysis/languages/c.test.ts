import { expect, it } from "vitest";
import { faultOf } from "../../../../src/core/analysis/measure.js";
import { C_REPAIRS } from "../../../../src/core/analysis/languages/c-repairs.js";
import { c } from "../../../../src/core/analysis/languages/c.js";
import { itMeasuresTexts } from "./robust.js";
import { callablesOf, decisionsOf, measureAs } from "./support.js";

itMeasuresTexts(c, {
  callable: ["int f(int x)", "{", "    if (x > 0)", "        return 1;", "    return 0;", "}"],
  comments: ["// one\n/* two\n\n three */\n"],
  body: ["int f(void) { z = ", "; }"],
  nested: {
    parentheses: ["(", "x", ")", 0],
    operators: ["x && ", "x", "", 1],
    choices: ["x ? x : ", "x", "", 1],
  },
});

it("measures 5,000 levels of blocks", async () => {
  const { callables } = await measureAs(c, `void f(void) { ${"if (x) {".repeat(5000)}${"}".repeat(5000)} }`);
  expect(callables).toMatchObject([{ name: "f", cc: 5001 }]);
});

it("finds names through nested declarators, in old style, and in macros that define tests", async () => {
  const lines = [
    "static inline int plain(int a) { return a; }",
    "struct point *pointer(void) { return 0; }",
    "int (*handler(int a))(int) { return 0; }",
    "int old(a, b) int a; char b; { return a; }",
    "void __attribute__((noreturn)) attributed(void) { }",
    "#ifdef A",
    "int conditional(void) { return 1; }",
    "#endif",
    "TEST(group, name) {",
    "    each(list, item) { use(item); }",
    "}",
    "int declared(void);",
    "#define MACRO(x) do { if (x) y(); } while (0)",
    "struct s { int (*field)(void); };",
  ];
  expect(await callablesOf(c, lines, ({ kind, start }) => [kind, start])).toEqual({
    plain: ["function", 1],
    pointer: ["function", 2],
    handler: ["function", 3],
    old: ["function", 4],
    attributed: ["function", 5],
    conditional: ["function", 7],
    "TEST(group, name)": ["function", 9],
  });
});

it("counts branches of the program, not of the preprocessor", async () => {
  const decisions = await decisionsOf(
    c,
    "int f(int a) {",
    "    if (a && b) {",
    "    } else if (d || e) {",
    "    } else goto out;",
    "    for (;;) { }",
    "    while (g) { }",
    "    do { } while (h);",
    "    switch (i) {",
    "    case 1:",
    "    case 2: break;",
    "    default: ;",
    "    }",
    "#if defined(A) && (B || !C)",
    "    x = y ? 1 : z && 2;",
    "#elif D && E",
    "    if (w) { }",
    "#endif",
    "out:",
    "    return 0;",
    "}",
  );
  expect(decisions).toEqual([
    ["if", 2],
    ["&&", 2],
    ["else if", 3],
    ["||", 3],
    ["for", 5],
    ["while", 6],
    ["do while", 7],
    ["case", 9],
    ["case", 10],
    ["? :", 14],
    ["&&", 14],
    ["if", 16],
  ]);
});

it("counts the lines that hold more than brackets and comments", async () => {
  const { sloc } = await measureAs(
    c,
    "#include <a.h> // comment", // 1
    "/* comment",
    "*/ int x[] = {", // 3
    "    1,", // 4
    "};",
    "",
    "#if 0", // 7
    "#endif", // 8
    "int f(void)", // 9
    "{",
    "    ;",
    "}",
  );
  expect(sloc).toEqual([1, 3, 4, 7, 8, 9]);
});

it("adds the nesting of branches, chains of else flat, to cognitive complexity", async () => {
  const lines = [
    "void f(void) {",
    "    if (a) {", // 1
    "    } else if (b) {", // 2
    "    } else {", // 2
    "        do {", // 1 + 2
    "            switch (c || d) {", // 1
    "            case 1: break;",
    "            default: goto out;", // 1
    "            }",
    "        } while (e ? 1 : 2);", // 1 + 3
    "    }",
    "out: ;",
    "}",
  ];
  expect(await callablesOf(c, lines, ({ cognitive }) => cognitive)).toEqual({ f: 14 });
});

it("finds clones under other names and values, not under other structure", async () => {
  const text = (name: string, value: string, operator: string) => [
    `int ${name}(struct ${name} *list) {`,
    `    for (int i = 0; i < ${value}; i++) {`,
    `        list->${name} ${operator} ${value};`,
    `        use(${name});`,
    "    }",
    "}",
  ];
  const keys = async (...parameters: Parameters<typeof text>) =>
    (await measureAs(c, ...text(...parameters))).cloneCandidates.map(({ key }) => key);
  const original = await keys("alpha", "1", "+=");
  expect(original).toHaveLength(2);
  expect(await keys("beta", "0x22", "+=")).toEqual(original);
  expect(await keys("beta", "'x'", "+=")).not.toEqual(original);
  expect(await keys("beta", "2", "-=")).not.toEqual(original);
});

it("measures what it can parse around macros that no grammar knows", async () => {
  const measures = await measureAs(
    c,
    "int before(int a) { return a ? 1 : 2; }",
    "@@ ` what;",
    "int after(int a) {",
    "    if (a)",
    "        return 1;",
    "    return 0;",
    "}",
    "int last(void) { return 0; }",
    "int x = 1;",
  );
  expect(measures.callables).toMatchObject([
    { name: "before", cc: 2 },
    { name: "after", cc: 2 },
    { name: "last", cc: 1 },
  ]);
  expect(measures.lostLines).toBe(1);
  expect(faultOf(measures)).toBeUndefined();
});

it("refuses a text that is hardly C", async () => {
  const measures = await measureAs(c, "It's 5 o'clock & @ `dark`,", "said \\ the # old 3rd man:", "1) wait.");
  expect(faultOf(measures)).toMatch(/^syntax errors: \d of 3 lines/);
});

it("reads the first branch of an #if that parts a statement, and all branches of others", async () => {
  const measures = await measureAs(
    c,
    "int f(int a) {",
    "#ifdef A",
    "    if (a) {",
    "#elif B",
    "    if (a || b) {",
    "#else",
    "    if (a && b) {",
    "#endif",
    "        return 1;",
    "    }",
    "    return 0;",
    "}",
    "#ifdef X",
    "int g(void) { return 1; }",
    "#else",
    "int g(void) { return a && b; }",
    "#endif",
    'LIBRARY_API(int) h(int a) EXPORT_AS("h") { return a ? 1 : 2; }',
  );
  expect(measures.callables).toMatchObject([
    { name: "f", start: 1, end: 12, cc: 2, sloc: 10 },
    { name: "g", start: 14, cc: 1 },
    { name: "g", start: 16, cc: 2 },
    { name: "h", start: 18, cc: 2 },
  ]);
  expect(measures.lostLines).toBeUndefined();
});

it("repairs large hostile texts in linear time", () => {
  const hostile = [
    "FOO_BAR ".repeat(20_000),
    "FOO_BAR(".repeat(20_000),
    `f() ${" ".repeat(50_000)}`,
    "class FOO_BAR ".repeat(20_000),
    "#if A\n{\n".repeat(5000) + "#endif\n}\n".repeat(5000),
  ];
  for (const text of hostile) {
    for (const repair of C_REPAIRS) expect(repair(text, () => true)).toHaveLength(text.length);
  }
});
