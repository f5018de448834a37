import type { FlatTree } from "../tree/flat-tree.js";
import type { Callable } from "./callables.js";
import { pythonSymbols } from "./python-hand-on.js";
import { pythonImports } from "./python-imports.js";
import { aliasCandidates, singleReturns } from "./python-wrappers.js";
import type { StructuralReading } from "./structural.js";

/** The facts of a Python file for the structural term of every profile. */
export function pythonStructure(tree: FlatTree, callables: readonly Callable[]): StructuralReading {
  const imports = pythonImports(tree);
  return {
    wrappers: singleReturns(tree),
    aliases: aliasCandidates(tree, callables, imports),
    symbols: pythonSymbols(tree, imports),
  };
}
