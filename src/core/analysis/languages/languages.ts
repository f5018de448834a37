import { extname } from "node:path";
import type { LanguageId } from "../../model/quality.js";
import { c } from "./c.js";
import { cpp } from "./cpp.js";
import { csharp } from "./csharp.js";
import { go } from "./go.js";
import { java } from "./java.js";
import { javascript } from "./javascript.js";
import type { Language } from "./language.js";
import { php } from "./php.js";
import { python } from "./python.js";
import { ruby } from "./ruby.js";
import { rust } from "./rust.js";
import { tsx, typescript } from "./typescript.js";

/** In the order of `LANGUAGE_IDS`. */
export const LANGUAGES: readonly Language[] = [
  python,
  javascript,
  typescript,
  tsx,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
];

/** The language of a file by its ending, or undefined when it is not measured. */
export function languageOfPath(path: string): Language | undefined {
  const extension = extname(path);
  return LANGUAGES.find((language) => language.extensions.includes(extension));
}

/** The language of a document by its VS Code language id. */
export function languageOfEditorId(id: string): Language | undefined {
  return LANGUAGES.find((language) => language.editorIds.includes(id));
}

/** @throws Error on an id that no language has */
export function languageById(id: LanguageId): Language {
  const language = LANGUAGES.find((candidate) => candidate.id === id);
  if (language === undefined) throw new Error(`unknown language ${id}`);
  return language;
}
