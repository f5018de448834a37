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
