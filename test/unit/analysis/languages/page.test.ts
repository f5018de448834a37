import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import * as prettier from "prettier";
import { expect, it } from "vitest";
import { countingTables, countingTablesOf } from "../../../../src/core/analysis/languages/counting.js";
import {
  LANGUAGES,
  languageById,
  languageOfPath,
} from "../../../../src/core/analysis/languages/languages.js";
import { LANGUAGE_IDS, type LanguageId } from "../../../../src/core/model/quality.js";

const require = createRequire(import.meta.url);

const PAGE = resolve("docs/LANGUAGES.md");
const TABLES = /<!-- counted: (\w+) -->\n[\s\S]*?<!-- end -->/g;

it("every language of reports is measured, in their order", () => {
  expect(LANGUAGES.map(({ id }) => id)).toEqual(LANGUAGE_IDS);
});

// `npx vitest run -u` on this file writes them anew.
it("docs/LANGUAGES.md has the tables that the engine reads", async () => {
  const page = await readFile(PAGE, "utf8");
  const ids = [...page.matchAll(TABLES)].map(([, id]) => id);
  expect(ids).toEqual(LANGUAGE_IDS);
  const written = page.replace(
    TABLES,
    (_, id: LanguageId) => `<!-- counted: ${id} -->\n\n${countingTables(languageById(id))}\n<!-- end -->`,
  );
  const formatted = await prettier.format(written, {
    ...(await prettier.resolveConfig(PAGE)),
    parser: "markdown",
  });
  await expect(formatted).toMatchFileSnapshot(PAGE);
});

it("the editor can show the tables of a document's language", () => {
  expect(countingTablesOf("typescriptreact")).toContain("| `??=` | `??=` |");
  expect(countingTablesOf("csharp")).toContain("| `catch when` | `catch_filter_clause` |");
  expect(countingTablesOf("markdown")).toBe("");
});

it("every grammar is laid into the build, and is the release that the numbers are proven with", async () => {
  const build = await readFile("scripts/lib/build.mjs", "utf8");
  for (const { grammar } of LANGUAGES) {
    expect(build).toContain(`"${grammar.package}/${grammar.wasm}"`);
    const { version } = require(`${grammar.package}/package.json`) as { version: string };
    expect(`${grammar.package} ${version}`).toBe(`${grammar.package} ${grammar.version.join(".")}`);
  }
});

it("no two languages claim an ending, and endings are told from paths", () => {
  const endings = LANGUAGES.flatMap(({ extensions }) => extensions);
  expect(new Set(endings).size).toBe(endings.length);
  const languages = ["a.mjs", "b/c.cjs", "d.jsx", "e.d.ts", "f.mts", "g.cts", "h.tsx", "i.txt", "js"];
  expect(languages.map((path) => languageOfPath(path)?.id)).toEqual([
    "javascript",
    "javascript",
    "javascript",
    "typescript",
    "typescript",
    "typescript",
    "tsx",
    undefined,
    undefined,
  ]);
});
