/** Programs that measure what Slop Lens measures, at the releases that the bench compares with. */
import { access } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

export const peersFolder = path.resolve(import.meta.dirname, "../.cache/bench-peers");

/** @type {Readonly<Record<string, { packages: readonly string[], program: string }>>} */
export const pythonPeers = {
  radon: { packages: ["radon==6.0.1"], program: "radon" },
  lizard: { packages: ["lizard==1.24.0"], program: "lizard" },
  "scb-check-0.1.3": { packages: ["scb-check==0.1.3"], program: "scb-check" },
  "scb-check-0.2.0": { packages: ["scb-check==0.2.0"], program: "scb-check" },
};

/** jscpd's later releases name platform packages that were never published. */
/** @type {Readonly<Record<string, { package: string, program: string }>>} */
export const npmPeers = {
  jscpd: { package: "jscpd@5.3.2", program: "jscpd" },
  "ast-grep": { package: "@ast-grep/cli@0.51.1", program: "ast-grep" },
};

/**
 * The peers that are set up.
 * @returns {Promise<Record<string, string>>} name → program file
 */
export async function findPeers() {
  const scripts = process.platform === "win32" ? "Scripts" : "bin";
  /** @type {[string, string][]} */
  const places = [
    ...Object.entries(pythonPeers).map(
      ([name, { program }]) =>
        /** @type {[string, string]} */ ([name, path.join(peersFolder, name, scripts, program)]),
    ),
    ...Object.entries(npmPeers).map(
      ([name, { program }]) =>
        /** @type {[string, string]} */ ([name, path.join(peersFolder, name, "node_modules/.bin", program)]),
    ),
  ];
  const found = await Promise.all(places.map(async (place) => ((await exists(place[1])) ? [place] : [])));
  return Object.fromEntries(found.flat());
}

/** @param {string} file */
function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}
