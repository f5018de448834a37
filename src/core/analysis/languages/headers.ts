import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { LanguageId } from "../../model/quality.js";
import { c } from "./c.js";
import { cpp } from "./cpp.js";

const HEADER = ".h";

/** Comments, and what a header says to compilers of C++ alone, in which C is wrapped. */
const NOT_C =
  /\/\*[\s\S]*?\*\/|\/\/.*|^[ \t]*#[ \t]*if(?:def)?\b.*__cplusplus[\s\S]*?^[ \t]*#[ \t]*(?:else|endif)/gm;
/** What a line of C cannot begin with. */
const CPP_LINE =
  /^[ \t]*(?:template[ \t]*<|(?:inline[ \t]+)?namespace\b[^;=()]*\{?[ \t]*$|namespace\b[^;=()]*\{|using[ \t]+(?:namespace\b|\w+[ \t]*=)|(?:enum[ \t]+)?class[ \t]+(?:\[\[.*\]\][ \t]*)?[\w:]+(?:[ \t]+final)?[ \t]*(?:[:{].*)?$|(?:public|protected|private)[ \t]*:)/m;

/**
 * Gives headers, which are C by their ending, to C++: all of them when more files around them are C++ than C, else those
 * that hold classes, templates or namespaces.
 * @param files absolute path → what is known of the file
 */
export function settleHeaders<File extends { readonly language: LanguageId }>(
  files: ReadonlyMap<string, File>,
): ReadonlyMap<string, File> {
  const written = [...files].filter(([path]) => extname(path) !== HEADER).map(([, { language }]) => language);
  const count = (id: LanguageId) => written.filter((language) => language === id).length;
  const areCpp = count(cpp.id) > count(c.id);
  return new Map(
    [...files].map(([path, file]) => {
      const isCpp = extname(path) === HEADER && (areCpp || looksLikeCpp(path));
      return [path, isCpp ? { ...file, language: cpp.id } : file];
    }),
  );
}

/** What cannot be read is told when it is measured. */
function looksLikeCpp(file: string): boolean {
  try {
    return CPP_LINE.test(readFileSync(file, "latin1").replace(NOT_C, ""));
  } catch {
    return false;
  }
}
