import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Language as TreeSitterLanguage, Parser, type Tree } from "web-tree-sitter";
import { SlopLensError } from "../../model/errors.js";
import type { Language } from "../languages/language.js";
import { toSource, type Source } from "../source.js";
import { directWalks } from "./direct-walk.js";
import type { FlatTree } from "./flat-tree.js";
import { cursorWalk, flatten, type Walk } from "./flatten.js";
import { Grammar } from "./grammar.js";
import { memoryLayout, provenLayout, type MemoryLayout } from "./memory-layout.js";
import { repaired } from "./repair.js";

interface LoadedGrammar {
  readonly parser: Parser;
  readonly grammar: Grammar;
}

/** A grammar with all that is needed to walk its trees. */
export interface ReadyGrammar extends LoadedGrammar {
  readonly walk: (tree: Tree) => Walk;
  /** Lays a tree out, in the fastest way that gives what a walk gives. */
  readonly lay: (tree: Tree, source: Source) => FlatTree;
}

const RUNTIME = { package: "web-tree-sitter", wasm: "web-tree-sitter.wasm" };

/** tree-sitter's compiled module, one a thread, and its cursor functions. */
let runtime: Promise<Runtime> | undefined;

interface Runtime {
  readonly walks: ReturnType<typeof directWalks>;
  readonly layout: MemoryLayout | undefined;
}

/** Parses text with the grammars of `dist/wasm`; each grammar is loaded on first use. */
export class Parsers {
  readonly #ready = new Map<string, Promise<ReadyGrammar>>();

  /** @param dist folder that holds `wasm/`; in a checkout that is not built, the npm packages beside it serve */
  constructor(private readonly dist: string) {}

  /**
   * Makes a language ready, so that `parse` need not wait. What it returns for a text with syntax errors is undefined
   * in a language that skips them, else a tree with error nodes.
   * @throws SlopLensError internal when the grammar is missing or of another release than the numbers are proven with
   */
  async load(language: Language): Promise<(text: string) => FlatTree | undefined> {
    const ready = await this.ready(language);
    return (text) => parseText(ready, text);
  }

  /**
   * Makes a language ready for a caller that keeps trees, and deletes them.
   * @throws SlopLensError as `load`
   */
  ready(language: Language): Promise<ReadyGrammar> {
    let ready = this.#ready.get(language.id);
    if (ready === undefined) {
      ready = this.#makeReady(language);
      this.#ready.set(language.id, ready);
    }
    return ready;
  }

  async #makeReady(language: Language): Promise<ReadyGrammar> {
    runtime ??= startRuntime(this.dist);
    const { walks, layout } = await runtime;
    const { parser, grammar } = await loadGrammar(language, this.dist);
    const walk = (tree: Tree) => walks?.(tree) ?? cursorWalk(tree);
    const lay = provenLayout(
      (tree, source) => layout?.(tree, grammar, source),
      (tree, source) => flatten(walk(tree), grammar, source),
    );
    return { parser, grammar, walk, lay };
  }
}

/** The tree of a text; undefined for one with syntax errors in a language that skips them. */
export function parseText(ready: ReadyGrammar, text: string): FlatTree | undefined {
  const source = toSource(text);
  const tree = ready.parser.parse(source.text);
  if (tree === null) return undefined;
  try {
    if (isRefused(tree, ready.grammar.language)) return undefined;
    const flat = ready.lay(tree, source);
    return tree.rootNode.hasError ? repaired(flat, ready) : flat;
  } finally {
    tree.delete();
  }
}

/** Whether a text with these syntax errors is not measured at all. */
export function isRefused(tree: Tree, language: Language): boolean {
  return language.errors === "skip" && tree.rootNode.hasError;
}

async function startRuntime(dist: string): Promise<Runtime> {
  const module = { wasmBinary: await readWasm(dist, RUNTIME.package, RUNTIME.wasm) };
  await Parser.init(module);
  return { walks: directWalks(module), layout: memoryLayout(module) };
}

async function loadGrammar(language: Language, dist: string): Promise<LoadedGrammar> {
  const { package: name, wasm, version } = language.grammar;
  const grammar = await TreeSitterLanguage.load(await readWasm(dist, name, wasm));
  const found = grammar.metadata;
  if (
    found !== null &&
    version.join() !== [found.major_version, found.minor_version, found.patch_version].join()
  ) {
    throw new SlopLensError(
      "internal",
      `The grammar ${wasm} is not release ${version.join(".")}, which the numbers are proven with`,
      "Install Slop Lens again.",
    );
  }
  const parser = new Parser().setLanguage(grammar);
  return { parser, grammar: new Grammar(language, grammar) };
}

async function readWasm(dist: string, name: string, wasm: string): Promise<Uint8Array> {
  const places = [join(dist, "wasm", wasm), join(dist, "..", "node_modules", name, wasm)];
  for (const place of places) {
    try {
      return await readFile(place);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new SlopLensError("internal", `${places[0] ?? wasm} is missing`, "Build or install Slop Lens again.");
}
