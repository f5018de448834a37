import { extname } from "node:path";
import type { LanguageId } from "../../model/quality.js";
import { c } from "./c.js";
import { cpp } from "./cpp.js";

const HEADER = ".h";

/**
 * Gives the headers among files to C++ when more files around them are C++ than C; by their ending they are C.
 * @param files path → what is known of the file
 */
export function settleHeaders<File extends { readonly language: LanguageId }>(
  files: ReadonlyMap<string, File>,
): ReadonlyMap<string, File> {
  const written = [...files].filter(([path]) => extname(path) !== HEADER).map(([, { language }]) => language);
  const count = (id: LanguageId) => written.filter((language) => language === id).length;
  if (count(cpp.id) <= count(c.id)) return files;
  return new Map(
    [...files].map(([path, file]) => [path, extname(path) === HEADER ? { ...file, language: cpp.id } : file]),
  );
}
