import type { Tree } from "web-tree-sitter";
import type { Walk } from "./flatten.js";

/** What web-tree-sitter's compiled module offers besides its public classes; the public cursor calls the same functions. */
interface CursorModule {
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_node_id_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
}

const FUNCTIONS: readonly (keyof CursorModule)[] = [
  "_ts_tree_root_node_wasm",
  "_ts_tree_cursor_new_wasm",
  "_ts_tree_cursor_delete_wasm",
  "_ts_tree_cursor_current_node_type_id_wasm",
  "_ts_tree_cursor_current_node_id_wasm",
  "_ts_tree_cursor_current_field_id_wasm",
  "_ts_tree_cursor_start_index_wasm",
  "_ts_tree_cursor_end_index_wasm",
  "_ts_tree_cursor_goto_first_child_wasm",
  "_ts_tree_cursor_goto_next_sibling_wasm",
  "_ts_tree_cursor_goto_parent_wasm",
];

/**
 * A walk that calls the compiled cursor directly. It costs a fifth of the public cursor, which copies its state to
 * and fro for each property that is read.
 * @param module the object that was passed to `Parser.init`, which fills it
 * @returns undefined when this release of web-tree-sitter has other inner functions; use the public cursor then
 */
export function directWalks(module: object): ((tree: Tree) => Walk | undefined) | undefined {
  if (!isCursorModule(module)) return undefined;
  return (tree) => {
    const address: unknown = Reflect.get(tree, 0);
    return typeof address === "number" ? directWalk(module, address) : undefined;
  };
}

function isCursorModule(module: object): module is CursorModule {
  return FUNCTIONS.every((name) => typeof Reflect.get(module, name) === "function");
}

/** The cursor's state stays in the module's transfer buffer, so no other call may come between two steps of a walk. */
function directWalk(module: CursorModule, tree: number): Walk {
  module._ts_tree_root_node_wasm(tree);
  module._ts_tree_cursor_new_wasm(tree);
  return {
    read: (record) => {
      record(
        module._ts_tree_cursor_current_node_type_id_wasm(tree),
        module._ts_tree_cursor_start_index_wasm(tree),
        module._ts_tree_cursor_end_index_wasm(tree),
        module._ts_tree_cursor_current_field_id_wasm(tree),
      );
    },
    id: () => module._ts_tree_cursor_current_node_id_wasm(tree),
    toFirstChild: () => module._ts_tree_cursor_goto_first_child_wasm(tree) === 1,
    toNextSibling: () => module._ts_tree_cursor_goto_next_sibling_wasm(tree) === 1,
    toParent: () => module._ts_tree_cursor_goto_parent_wasm(tree) === 1,
    close: () => {
      module._ts_tree_cursor_delete_wasm(tree);
    },
  };
}
