/** Before the tests: builds the command, which some of them start as a process of its own. */
import { build } from "esbuild";
import { bundle } from "../../scripts/lib/build.mjs";

/** Called by vitest, once for all test files. */
export async function setup() {
  await build(bundle("cli", false));
}
