import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type * as Napi from "@ast-grep/napi";
import { SlopLensError } from "../model/errors.js";

/** ast-grep's native library with its grammars registered. */
export interface AstGrep {
  parsePython(text: string): Napi.SgRoot;
}

/** Compiled grammars by ast-grep's name of the language; each lies at `dist/native/<name>.so`. */
const grammars = {
  python: { extensions: ["py"], languageSymbol: "tree_sitter_python", expandoChar: "µ" },
};

const loaded = new Map<string, AstGrep>();

/**
 * Loads ast-grep from `dist/native`, where the build lays its compiled parts for one platform, once a thread. This is
 * the only door to them: `@ast-grep/napi` itself would look for packages that an installed extension does not have.
 * @throws SlopLensError rules-unavailable where the platform has no compiled parts (musl, Windows on ARM)
 */
export function loadAstGrep(dist: string): AstGrep {
  const folder = path.join(dist, "native");
  const astGrep = loaded.get(folder) ?? load(folder);
  loaded.set(folder, astGrep);
  return astGrep;
}

function load(folder: string): AstGrep {
  const binding = path.join(folder, "ast-grep.node");
  try {
    const napi = createRequire(binding)(binding) as typeof Napi;
    registerGrammars(napi, folder);
    return { parsePython: (text) => napi.parse("python", text) };
  } catch (cause) {
    throw new SlopLensError(
      "rules-unavailable",
      existsSync(binding)
        ? `Rules are off: ast-grep cannot be loaded on ${process.platform}-${process.arch}`
        : `Rules are off: this build has no ast-grep for ${process.platform}-${process.arch}`,
      "Complexity, erosion and clones are measured all the same.",
      { cause },
    );
  }
}

/** All in one call: the library silently ignores a second one in the same process. */
function registerGrammars(napi: typeof Napi, folder: string): void {
  const registrations: Napi.DynamicLangRegistrations = {};
  for (const [name, grammar] of Object.entries(grammars)) {
    registrations[name] = { ...grammar, libraryPath: path.join(folder, `${name}.so`) };
  }
  napi.registerDynamicLanguage(registrations);
}
