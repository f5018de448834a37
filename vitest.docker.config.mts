import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/support/build.mjs", "test/support/build-cli.mjs"],
    include: ["test/docker/**/*.test.ts"],
    fileParallelism: false,
    // What a file marks as concurrent runs two at a time.
    maxConcurrency: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
