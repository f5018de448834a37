import { ecmascript, JSX_COMMENTS } from "./ecmascript.js";
import type { Language } from "./language.js";

const grammar = { package: "tree-sitter-typescript", version: [0, 23, 2] } as const;

export const typescript: Language = {
  id: "typescript",
  extensions: [".ts", ".mts", ".cts"],
  editorIds: ["typescript"],
  comments: { line: "//" },
  grammar: { wasm: "tree-sitter-typescript.wasm", ...grammar },
  ...ecmascript,
};

/** TypeScript with JSX, which has a grammar of its own: `<T>x` is a cast in the one and a tag in the other. */
export const tsx: Language = {
  id: "tsx",
  extensions: [".tsx"],
  editorIds: ["typescriptreact"],
  comments: JSX_COMMENTS,
  grammar: { wasm: "tree-sitter-tsx.wasm", ...grammar },
  ...ecmascript,
};
