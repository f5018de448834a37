/** The licences of the code of others that a package carries, as those licences ask. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";

/**
 * @param {readonly import("esbuild").Metafile[]} metafiles what went into the bundles
 * @param {readonly string[]} laid names of packages whose files lie beside the bundles
 * @returns {Promise<string>} the text of the notices, a section for each package, by name
 */
export async function notices(metafiles, laid) {
  const folders = new Set(laid.map((name) => path.join("node_modules", name)));
  for (const input of metafiles.flatMap((metafile) => Object.keys(metafile.inputs))) {
    const folder = packageFolder(input);
    if (folder !== undefined) folders.add(folder);
  }
  const sections = await Promise.all([...folders].map(section));
  const unique = [...new Set(sections)].sort((a, b) => a.localeCompare(b, "en"));
  return `Slop Lens contains these packages.\n\n${unique.join("\n")}`;
}

/**
 * @param {string} input path of a bundled file
 * @returns {string | undefined} the folder of the package it belongs to; undefined for files of our own
 */
function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/** @param {string} folder */
async function section(folder) {
  const manifest = /** @type {{ name: string, version: string, license?: string }} */ (
    JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"))
  );
  const files = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")));
  const title = `${manifest.name} ${manifest.version} (${manifest.license ?? "licence not named"})`;
  return [title, "-".repeat(title.length), ...texts.map((text) => text.trim()), ""].join("\n");
}
