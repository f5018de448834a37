import path from "node:path";
import type { ProductFiles } from "../core/model/files.js";

/** The files of an installation, whose bundles lie in `dist`. */
export function productFiles(dist: string): ProductFiles {
  const root = path.dirname(dist);
  return {
    dist,
    rules: path.join(root, "rules"),
    harness: path.join(root, "harness"),
    templates: path.join(root, "templates"),
    environments: path.join(root, "environments"),
    agents: path.join(root, "agents"),
    examples: path.join(root, "examples"),
  };
}
