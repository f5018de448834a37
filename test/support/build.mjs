/** Before the tests: builds what they load from dist/, so that they never see an old build. */
import { build } from "esbuild";
import { bundle, layAssets } from "../../scripts/lib/build.mjs";
import { hostTarget } from "../../scripts/lib/native.mjs";

/** Called by vitest, once for all test files. */
export async function setup() {
  await layAssets(hostTarget());
  await build(bundle("analysis-worker", false));
}
