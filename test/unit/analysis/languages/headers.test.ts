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
