import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type * as Napi from "@ast-grep/napi";
import { SlopLensError } from "../model/errors.js";
import type { LanguageId } from "../model/quality.js";

/** ast-grep's native library with its grammars registered, for rules that are not compiled here. */
export interface AstGrep {
  /** @throws Error on a language that rules cannot be applied to */
  parse(language: LanguageId, text: string): Napi.SgRoot;
}

/** Compiled grammars by ast-grep's name of the language; each lies at `dist/native/<name>.so`. */
const grammars = {
  python: { extensions: ["py"], languageSymbol: "tree_sitter_python", expandoChar: "µ" },
  go: { extensions: ["go"], languageSymbol: "tree_sitter_go", expandoChar: "µ" },
  rust: { extensions: ["rs"], languageSymbol: "tree_sitter_rust", expandoChar: "µ" },
  java: { extensions: ["java"], languageSymbol: "tree_sitter_java", expandoChar: "$" },
};

/** Languages whose grammar is part of ast-grep's library → its name of them. */
const builtIn: Readonly<Partial<Record<LanguageId, string>>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "Tsx",
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
    return { parse: (language, text) => napi.parse(builtIn[language] ?? language, text) };
  } catch (cause) {
    throw new SlopLensError(
      "rules-unavailable",
      existsSync(binding)
        ? `ast-grep's own library cannot be loaded on ${process.platform}-${process.arch}`
        : `this build does not have ast-grep's own library for ${process.platform}-${process.arch}`,
      "Rules that do without it are applied all the same.",
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
