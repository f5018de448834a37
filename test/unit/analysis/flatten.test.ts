import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import { expect, it } from "vitest";
import { python } from "../../../src/core/analysis/languages/python.js";
import { toSource } from "../../../src/core/analysis/source.js";
import { directWalks } from "../../../src/core/analysis/tree/direct-walk.js";
import type { FlatTree } from "../../../src/core/analysis/tree/flat-tree.js";
import { cursorWalk, flatten } from "../../../src/core/analysis/tree/flatten.js";
import { Grammar } from "../../../src/core/analysis/tree/grammar.js";
import { Parsers } from "../../../src/core/analysis/tree/parsers.js";
import { productFiles } from "./support.js";
import { memoryLayout, provenLayout } from "../../../src/core/analysis/tree/memory-layout.js";

const require = createRequire(import.meta.url);
const module = { wasmBinary: await readFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm")) };
await Parser.init(module);
const language = await Language.load(
  await readFile(require.resolve("tree-sitter-python/tree-sitter-python.wasm")),
);
const parser = new Parser().setLanguage(language);
const grammar = new Grammar(python, language);

function arraysOf({ count, type, start, end, row, field, parent, depth, next }: FlatTree) {
  return [type, start, end, row, field, parent, depth, next].map((array) =>
    Array.from(array.subarray(0, count)),
  );
}

const texts = [
  "",
  "# only a comment",
  "class Ä:\n    def f(self, *a: 'ü') -> None:\n        return f'{a!r:>{b}} 😀 {{}}' if a else [x for x in a]\n",
  `${"if a:\n    b(1)\n".repeat(400)}x = ${"[".repeat(2000)}${"]".repeat(2000)}\n`,
];

it.each(texts)("gives the same tree through the direct walk as through the public cursor", (text) => {
  const direct = directWalks(module);
  const source = toSource(text);
  const tree = parser.parse(source.text);
  if (tree === null || direct === undefined)
    throw new Error("this release of web-tree-sitter has other inner functions");
  const walk = direct(tree);
  if (walk === undefined) throw new Error("no address");
  const fast = flatten(walk, grammar, source);
  const plain = flatten(cursorWalk(tree), grammar, source);
  expect(arraysOf(fast)).toEqual(arraysOf(plain));
  expect(plain.count).toBe(tree.rootNode.descendantCount);
  tree.delete();
});

it.each(texts)("gives the same tree from the module's memory", (text) => {
  const source = toSource(text);
  const tree = parser.parse(source.text);
  const fast = tree && memoryLayout(module)?.(tree, grammar, source);
  if (tree === null || fast == null) throw new Error("this release of web-tree-sitter shows no memory");
  const plain = flatten(cursorWalk(tree), grammar, source);
  expect(arraysOf(fast)).toEqual(arraysOf(plain));
  tree.delete();
});

it("does not believe a fast layout that is wrong once", () => {
  const source = toSource(texts[2] ?? "");
  const tree = parser.parse(source.text);
  if (tree === null) throw new Error("no tree");
  const plain = flatten(cursorWalk(tree), grammar, source);
  const other = flatten(cursorWalk(tree), grammar, source);
  other.end[3] = 1;
  let asked = 0;
  const fast = () => (++asked === 2 ? other : flatten(cursorWalk(tree), grammar, source));
  const lay = provenLayout(fast, () => plain);
  for (let round = 0; round < 4; round++) expect(lay(tree, source)).toBe(plain);
  expect(asked).toBe(2);
  tree.delete();
});

it("asks for the plain layout no more when the fast one has proven itself", () => {
  const source = toSource(texts[3] ?? "");
  const tree = parser.parse(source.text);
  if (tree === null) throw new Error("no tree");
  let asked = 0;
  const plain = () => {
    asked++;
    return flatten(cursorWalk(tree), grammar, source);
  };
  const lay = provenLayout(() => flatten(cursorWalk(tree), grammar, source), plain);
  for (let round = 0; round < 3; round++) lay(tree, source);
  expect(asked).toBe(1);
  tree.delete();
});

it("makes a language ready once", async () => {
  const parsers = new Parsers(productFiles.dist);
  expect(await parsers.ready(python)).toBe(await parsers.ready(python));
});

it("finds rows, ends and parents as tree-sitter does", () => {
  const source = toSource(texts[2] ?? "");
  const tree = parser.parse(source.text);
  if (tree === null) throw new Error("no tree");
  const flat = flatten(cursorWalk(tree), grammar, source);
  const cursor = tree.walk();
  for (let node = 0; node < flat.count; node++) {
    cursor.gotoDescendant(node);
    const { type, startPosition, endPosition, isNamed, parent } = cursor.currentNode;
    expect([flat.nameOf(node), flat.firstLine(node), flat.lastLine(node), flat.isNamed(node)]).toEqual([
      type,
      startPosition.row + 1,
      endPosition.row + 1,
      isNamed,
    ]);
    const above = flat.parentOf(node);
    expect(above < 0 ? undefined : flat.nameOf(above)).toBe(parent?.type);
  }
  cursor.delete();
  tree.delete();
});

it("knows when the inner functions are not there", () => {
  expect(directWalks({})).toBeUndefined();
});
