/** Loads TypeScript of the project, which Node does not read as it is. */
import { Buffer } from "node:buffer";
import path from "node:path";
import * as esbuild from "esbuild";

const repository = path.resolve(import.meta.dirname, "..");

/** The exports of a module. @param {string} file from the top of the project */
export async function made(file) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(repository, file)],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
