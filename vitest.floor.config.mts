import { defineConfig } from "vitest/config";

/** What also runs on the oldest VS Code that the extension is for: one file that sees trees, marks, a hover and the plot. */
export default defineConfig({
  test: {
    include: ["test/e2e/language.test.ts"],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
