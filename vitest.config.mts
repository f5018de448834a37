import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Outside of VS Code there is no such module; what tests need of it is little.
  resolve: { alias: { vscode: fileURLToPath(new URL("test/support/vscode.ts", import.meta.url)) } },
  test: {
    globalSetup: ["test/support/build.mjs", "test/support/build-cli.mjs"],
    include: ["test/unit/**/*.test.ts"],
    // Left to itself, vitest keeps one core free, which is half of two.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
