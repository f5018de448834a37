import { expect, it } from "vitest";
import { analyze } from "../support.js";

const HEADER = "class Shape {\n  int area() { return 1; }\n};\n";

async function languagesOf(...paths: string[]): Promise<Record<string, number>> {
  const { languages } = await analyze(Object.fromEntries(paths.map((path) => [path, HEADER])));
  return Object.fromEntries(languages.map(({ language, totals }) => [language, totals.totalFunctions]));
}

it("takes a header for C++ where most files are C++", async () => {
  expect(await languagesOf("include/a.h", "src/a.cc", "src/b.cpp", "src/c.c")).toMatchObject({ cpp: 3 });
});

it("takes a header for C elsewhere", async () => {
  const { languages } = await analyze({ "a.h": "int f(void);\n", "a.c": "int f(void) { return 1; }\n" });
  expect(languages.map(({ language, totals }) => [language, totals.filesScanned])).toEqual([["c", 2]]);
});

const GUARDED =
  "#ifdef __cplusplus\nclass Later;\nnamespace a {\n#endif\nstruct class_of { int class_; };\nint f(int class_);\n";

it.each([
  ["a class", HEADER, "cpp"],
  ["a namespace", "namespace a::b\n{\nint f();\n}\n", "cpp"],
  ["a template", "template <typename T>\nT first(T a) { return a; }\n", "cpp"],
  ["C with a note on a class", "/*\nclass Shape {\n*/\nint f(void); // class Shape {\n", "c"],
  ["C that C++ may include", GUARDED, "c"],
] as const)("takes a header alone for what it holds: %s", async (_what, text, language) => {
  const { languages } = await analyze({ "include/a.h": text });
  expect(languages.map((one) => one.language)).toEqual([language]);
});
