import path from "node:path";
import type { ProductFiles } from "../../../src/core/model/files.js";

const root = path.resolve(import.meta.dirname, "../../..");

/** The product's files as they lie in the repository. */
export const productFiles: ProductFiles = {
  dist: path.join(root, "dist"),
  rules: path.join(root, "rules"),
  harness: path.join(root, "harness"),
  templates: path.join(root, "templates"),
  environments: path.join(root, "environments"),
  agents: path.join(root, "agents"),
  examples: path.join(root, "examples"),
};
