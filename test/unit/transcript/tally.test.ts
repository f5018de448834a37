import { describe, expect, it } from "vitest";
import { NO_MESSAGE_USAGE, UsageTally } from "../../../src/core/transcript/tally.js";

describe("UsageTally", () => {
  it("takes no figure below nothing, in whatever way an agent tells it, and keeps unknown ones unknown", () => {
    const told = { ...NO_MESSAGE_USAGE, costUsd: -5, outputTokens: -1, inputTokens: 7 };
    const added = new UsageTally();
    added.add(told, "message");
    const replaced = new UsageTally();
    replaced.add({ ...NO_MESSAGE_USAGE, costUsd: 2 }, "message");
    replaced.replace(told);
    for (const { usage } of [added, replaced]) {
      expect(usage).toMatchObject({ costUsd: 0, outputTokens: 0, inputTokens: 7 });
      expect(usage.cacheReadTokens).toBeUndefined();
    }
  });
});
