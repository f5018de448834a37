/** Which files of a workspace are counted before its code is read, as globs. Pure. */
import { EXCLUDED_FOLDERS } from "../../core/analysis/excluded-folders.js";

/** Endings of the files that are measured, without the dot. */
export const MEASURED_ENDINGS = [
  ...["py", "pyw", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "go", "rs", "java", "c", "h"],
  ...["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cs", "csx", "rb"],
  ...["rake", "gemspec", "ru", "php", "phtml"],
] as const;

/** The files that measuring a folder would read. */
export const MEASURED_FILES = `**/*.{${MEASURED_ENDINGS.join(",")}}`;

/** What is passed over in any workspace, and besides that some folders of this one. @param folders with slashes */
export function passedOver(folders: readonly string[]): string {
  const everywhere = [...EXCLUDED_FOLDERS].map((name) => `**/${name}/**`);
  return `{${[...everywhere, ...folders.map((folder) => `${literal(folder)}/**`)].join(",")}}`;
}

/** A path in which nothing means anything to a glob. */
function literal(path: string): string {
  return path.replaceAll(/[[{}*?,]/g, "[$&]");
}
