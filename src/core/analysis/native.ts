/**
 * Loads ast-grep's compiled parts from `dist/native`, where the build lays those of the platform it builds for.
 * This is the only door to them: importing `@ast-grep/napi` itself would look for packages that a VSIX does not hold.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type * as AstGrep from "@ast-grep/napi";

export type AstGrepApi = typeof AstGrep;

/** ast-grep with its languages registered, or the reason, as a sentence for people, why there is none. */
export type AstGrepLoad =
  | { readonly available: true; readonly api: AstGrepApi }
  | { readonly available: false; readonly reason: string };

/** Compiled grammars by ast-grep's name of the language; each lies at `dist/native/<name>.so`. */
const grammars = {
  python: { extensions: ["py"], languageSymbol: "tree_sitter_python", expandoChar: "µ" },
};

const loads = new Map<string, AstGrepLoad>();

/**
 * Loads ast-grep once for each thread. Never throws: on a platform without compiled parts (musl, Windows on ARM)
 * rules are switched off with the reason, and everything else works.
 * @param dist folder that holds `native/`
 */
export function loadAstGrep(dist: string): AstGrepLoad {
  const known = loads.get(dist);
  if (known !== undefined) return known;
  const load = loadFrom(path.join(dist, "native"));
  loads.set(dist, load);
  return load;
}

function loadFrom(folder: string): AstGrepLoad {
  const binding = path.join(folder, "ast-grep.node");
  if (!existsSync(binding)) {
    return {
      available: false,
      reason: `Rules need a part that is not available for ${process.platform} on ${process.arch}`,
    };
  }
  try {
    const api = createRequire(binding)(binding) as AstGrepApi;
    registerLanguages(api, folder);
    return { available: true, api };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { available: false, reason: `Rules are off: ast-grep cannot be loaded (${detail})` };
  }
}

/** All at once: ast-grep takes the first registration in a process and ignores any later one. */
function registerLanguages(api: AstGrepApi, folder: string): void {
  const registrations: AstGrep.DynamicLangRegistrations = {};
  for (const [name, grammar] of Object.entries(grammars)) {
    registrations[name] = { ...grammar, libraryPath: path.join(folder, `${name}.so`) };
  }
  api.registerDynamicLanguage(registrations);
}
