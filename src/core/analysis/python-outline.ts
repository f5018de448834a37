import { readFile, stat } from "node:fs/promises";
import { python } from "./languages/python.js";
import { decode, toSource } from "./source.js";
import { ERROR_TYPE, type FlatTree } from "./tree/flat-tree.js";
import type { Parsers } from "./tree/parsers.js";

/** A place in a file; 1-based. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** What a Python file is made of, as far as whoever checks tests must know. Nothing is executed. */
export interface PythonOutline {
  /** The first syntax error that a parser without a Python sees; what only Python itself refuses is not found. */
  readonly fault: (Place & { readonly message: string }) | undefined;
  /** Each `pytest.mark.NAME`, in source order. */
  readonly markers: readonly (Place & { readonly name: string })[];
  /** Whether pytest may find a test in it: one that is defined, imported, assigned or inherited. */
  readonly mayHoldTests: boolean;
}

/**
 * Outlines a Python file.
 * @throws SlopLensError internal when the grammar is missing
 */
export async function outlinePython(bytes: Uint8Array, parsers: Parsers): Promise<PythonOutline> {
  const { parser, lay } = await parsers.ready(python);
  const source = toSource(decode(bytes).replace(/^\uFEFF/u, ""));
  const parsed = parser.parse(source.text);
  if (parsed === null) return { fault: undefined, markers: [], mayHoldTests: true };
  try {
    const tree = lay(parsed, source);
    const fault = firstFault(tree, parsed.rootNode.hasError);
    const told = fault && { ...placeOf(tree, fault.node), message: fault.message };
    return { fault: told, markers: markersIn(tree), mayHoldTests: mayHoldTests(tree) };
  } finally {
    parsed.delete();
  }
}

function placeOf(tree: FlatTree, node: number): Place {
  const row = tree.row[node] ?? 0;
  const column = (tree.start[node] ?? 0) - (tree.source.rowStarts[row] ?? 0) + 1;
  return { line: row + 1, column };
}

const ATTRIBUTES = ["attribute"];
const MARKER = /^(?:pytest\s*\.\s*)?mark\s*\.\s*(?<name>\w+)$/u;

function markersIn(tree: FlatTree): PythonOutline["markers"] {
  return tree.nodesOf(tree.grammar.mask(ATTRIBUTES)).flatMap((node) => {
    const name = MARKER.exec(tree.text(node))?.groups?.["name"];
    return name === undefined ? [] : [{ ...placeOf(tree, node), name }];
  });
}

const DEFINERS = ["function_definition", "class_definition", "assignment"];
const IMPORTS = ["import_from_statement", "wildcard_import"];
const TEST_NAME = /^test/iu;

/** What a file hands to pytest in another way (`globals()`, a plugin's collectors) is given the benefit of the doubt. */
function mayHoldTests(tree: FlatTree): boolean {
  const isDefined = tree.nodesOf(tree.grammar.mask(DEFINERS)).some((node) => {
    const words = tree.text(node).replace(/^(?:async\s+)?(?:def|class)\s+/u, "");
    return TEST_NAME.test(words) || words.startsWith("globals(") || words.startsWith("pytest_plugins");
  });
  return (
    isDefined ||
    tree
      .nodesOf(tree.grammar.mask(IMPORTS))
      .some((node) => /\bimport\b(?:.*[\s,(]test|\s*\*)|^\*$/isu.test(tree.text(node)))
  );
}

interface NodeFault {
  readonly node: number;
  readonly message: string;
}

function firstFault(tree: FlatTree, hasError: boolean): NodeFault | undefined {
  const lost = hasError ? (oddBracket(tree) ?? lostPlace(tree)) : undefined;
  return lost ?? indentationFault(tree) ?? unfinishedTry(tree) ?? oldPrint(tree);
}

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const BRACKETS = ["(", "[", "{", ")", "]", "}"];

/** The first bracket that has no partner; those that the parser made up are empty. */
function oddBracket(tree: FlatTree): NodeFault | undefined {
  const open: number[] = [];
  for (const node of tree.nodesOf(tree.grammar.mask(BRACKETS))) {
    if (tree.start[node] === tree.end[node]) continue;
    const bracket = tree.nameOf(node);
    if (bracket in CLOSERS) {
      open.push(node);
      continue;
    }
    const opener = open.pop();
    if (opener === undefined) return { node, message: `"${bracket}" closes nothing` };
    const wanted = CLOSERS[tree.nameOf(opener)] ?? "";
    if (wanted !== bracket) {
      return { node, message: `"${bracket}" stands where "${wanted}" is due` };
    }
  }
  const [first] = open;
  return first === undefined
    ? undefined
    : { node: first, message: `"${tree.nameOf(first)}" is never closed` };
}

function lostPlace(tree: FlatTree): NodeFault | undefined {
  for (let node = 1; node < tree.count; node++) {
    if (tree.typeOf(node) === ERROR_TYPE) return { node, message: "invalid syntax" };
    const isMadeUp = tree.after(node) === node + 1 && tree.start[node] === tree.end[node];
    if (isMadeUp) return { node, message: `"${tree.nameOf(node)}" is missing` };
  }
  return undefined;
}

const SUITES = ["module", "block"];

/** The parser takes statements of one block at any depth, and a block without any; Python does not. */
function indentationFault(tree: FlatTree): NodeFault | undefined {
  for (const suite of tree.nodesOf(tree.grammar.mask(SUITES))) {
    const statements = tree.namedChildren(suite).filter((node) => !tree.nameOf(node).includes("comment"));
    const [first] = statements;
    if (first === undefined) {
      if (tree.nameOf(suite) === "block") return { node: suite, message: "an indented block is missing" };
      continue;
    }
    const odd = statements.find((node, at) => isIndentedElse(tree, node, first, statements[at - 1]));
    if (odd !== undefined) return { node: odd, message: "unexpected indentation" };
  }
  return undefined;
}

/** A statement behind a semicolon may begin anywhere. */
function isIndentedElse(tree: FlatTree, node: number, first: number, before: number | undefined): boolean {
  const { line, column } = placeOf(tree, node);
  if (before !== undefined && tree.lastLine(before) === line) return false;
  return column !== placeOf(tree, first).column;
}

const TRIES = ["try_statement"];
const HANDLERS = ["except_clause", "except_group_clause", "finally_clause"];

function unfinishedTry(tree: FlatTree): NodeFault | undefined {
  const handlers = tree.grammar.mask(HANDLERS);
  const node = tree
    .nodesOf(tree.grammar.mask(TRIES))
    .find((one) => tree.firstChild(one, handlers) === undefined);
  return node === undefined ? undefined : { node, message: `"except" or "finally" is missing` };
}

const PRINTS = ["print_statement", "exec_statement"];
const CHEVRONS = ["chevron"];

/** `print >> file` is an expression of Python 3, too. */
function oldPrint(tree: FlatTree): NodeFault | undefined {
  const chevrons = tree.grammar.mask(CHEVRONS);
  const node = tree
    .nodesOf(tree.grammar.mask(PRINTS))
    .find((one) => tree.firstChild(one, chevrons) === undefined);
  return node === undefined ? undefined : { node, message: "this is a statement of Python 2" };
}

interface Kept {
  readonly stamp: string;
  readonly outline: PythonOutline;
}

/** Outlines files, and remembers them until they change. */
export class PythonOutlines {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly parsers: Parsers) {}

  /** @returns undefined for what is no plain file or cannot be read */
  async of(file: string): Promise<PythonOutline | undefined> {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    const stamp = `${found.mtimeMs} ${found.size}`;
    const kept = this.#kept.get(file);
    if (kept?.stamp === stamp) return kept.outline;
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const outline = await outlinePython(bytes, this.parsers);
    this.#kept.set(file, { stamp, outline });
    return outline;
  }
}
