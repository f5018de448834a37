import path from "node:path";

/** Places of the files that are loaded at run time; every host finds them beside its own bundle. */
export interface ProductFiles {
  /** Folder that holds `wasm/`, `native/`, `analysis-worker.js`. */
  readonly dist: string;
  readonly rules: string;
  readonly harness: string;
  readonly templates: string;
  readonly environments: string;
  readonly agents: string;
  readonly examples: string;
}

/**
 * The files as they lie below one folder: that of the extension, of an installation or of the repository.
 * @param root absolute
 */
export function productFilesIn(root: string): ProductFiles {
  return {
    dist: path.join(root, "dist"),
    rules: path.join(root, "rules"),
    harness: path.join(root, "harness"),
    templates: path.join(root, "templates"),
    environments: path.join(root, "environments"),
    agents: path.join(root, "agents"),
    examples: path.join(root, "examples"),
  };
}
