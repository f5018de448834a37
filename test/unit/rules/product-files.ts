import path from "node:path";
import { productFilesIn } from "../../../src/core/model/files.js";

/** The product's files as they lie in the repository. */
export const productFiles = productFilesIn(path.resolve(import.meta.dirname, "../../.."));
