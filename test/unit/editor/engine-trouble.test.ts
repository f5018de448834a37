import { expect, it } from "vitest";
import { SlopLensError } from "../../../src/core/model/errors.js";
import { connectionError } from "../../../src/core/sandbox/docker/engine-errors.js";
import { engineTrouble } from "../../../src/editor/run/engine-trouble.js";

function refused(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

it("tells by what the system said whether Docker is not there, not running, or closed to the user", () => {
  const trouble = (error: Error): unknown => engineTrouble(connectionError(error, "unix:///x.sock"));
  expect(trouble(refused("ENOENT"))).toBe("not-found");
  expect(trouble(refused("ENOTFOUND"))).toBe("not-found");
  expect(trouble(refused("ECONNREFUSED"))).toBe("not-running");
  expect(trouble(refused("ETIMEDOUT"))).toBe("not-running");
  expect(trouble(refused("EACCES"))).toBe("denied");
});

it("is undefined for troubles that have nothing to do with finding Docker", () => {
  expect(engineTrouble(new SlopLensError("engine-lost", "gone"))).toBeUndefined();
  expect(engineTrouble(new SlopLensError("image-unavailable", "no image"))).toBeUndefined();
  expect(engineTrouble(new Error("a bug"))).toBeUndefined();
});
