/** For tests that run real containers. */
import process from "node:process";
import Docker from "dockerode";
import { describe } from "vitest";

/** An image with Python 3, pip, venv and pytest; `scripts/test-image.sh` makes it. */
export const testImage = process.env["SLOP_LENS_TEST_IMAGE"] ?? "slop-lens-test/python:bookworm";

/** Where `npm test` runs the tests, a missing engine is a failure; a person may run them without one. */
const required = process.env["SLOP_LENS_REQUIRE_ENGINE"] !== undefined;

async function engineAnswers(): Promise<boolean> {
  try {
    await new Docker().ping();
    return true;
  } catch {
    return false;
  }
}

/** `describe` for tests that need a Docker engine. Without one they are skipped, or fail where one is required. */
export const describeWithEngine = describe.skipIf(!required && !(await engineAnswers()));
