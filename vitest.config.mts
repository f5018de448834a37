import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/support/build.mjs",
    include: ["test/unit/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
