import { describe, expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";

describe("SlopLensError", () => {
  it("is known when it was made by another bundle's class", () => {
    class Elsewhere extends Error {
      override readonly name = "SlopLensError";
      readonly code = "engine-denied";
      readonly hint = "Join the group docker.";
    }
    const error = new Elsewhere("Docker denies access");
    expect(error instanceof SlopLensError).toBe(false);
    expect(SlopLensError.is(error, "engine-denied")).toBe(true);
    expect(SlopLensError.is(error, "engine-missing")).toBe(false);
    expect(SlopLensError.from(error)).toBe(error);
  });

  it("is not taken for one without its fields", () => {
    const named = Object.assign(new Error("x"), { name: "SlopLensError" });
    expect(SlopLensError.is(named)).toBe(false);
    expect(SlopLensError.from(named).code).toBe("internal");
  });
});
