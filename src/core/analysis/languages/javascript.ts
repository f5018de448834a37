import { ecmascript, JSX_COMMENTS } from "./ecmascript.js";
import type { Language } from "./language.js";

export const javascript: Language = {
  id: "javascript",
  extensions: [".js", ".mjs", ".cjs", ".jsx"],
  editorIds: ["javascript", "javascriptreact"],
  comments: JSX_COMMENTS,
  grammar: {
    wasm: "tree-sitter-javascript.wasm",
    package: "tree-sitter-javascript",
    version: [0, 25, 0],
  },
  ...ecmascript,
};
