import { describe, expect, it } from "vitest";
import { type Ending, judgeEnding } from "../../../src/core/agent/ending.js";

function ending(
  result: Partial<Ending["result"]>,
  rest: Partial<Ending> = {},
): ReturnType<typeof judgeEnding> {
  return judgeEnding({
    result: { exitCode: 0, timedOut: false, outOfMemory: false, seconds: 1, ...result },
    timeoutSeconds: 60,
    lastWords: undefined,
    place: "image",
    ...rest,
  });
}

describe("how an agent ended", () => {
  it("is done with exit code 0", () => {
    expect(ending({})).toEqual({ status: "done", reason: undefined, retryable: false });
  });

  it("names the exit code and the agent's last words", () => {
    expect(ending({ exitCode: 3 }, { lastWords: "no API key" })).toEqual({
      status: "error",
      reason: "The agent ended with exit code 3 (no API key)",
      retryable: true,
    });
  });

  it("tells what to do about a command that is not there", () => {
    const { status, reason } = ending({ exitCode: 127 }, { lastWords: "sh: 1: claude: not found" });
    expect(status).toBe("error");
    expect(reason).toMatch(
      /^Command not found in the image \(exit code 127\): the agent must be inside the image/u,
    );
    expect(reason).toContain("(--image, or the setting slopLens.docker.image)");
    expect(reason).toContain("claude: not found");
    expect(ending({ exitCode: 127 }, { place: "machine" }).reason).toMatch(/not found on this machine/u);
    expect(ending({ exitCode: 127 }, { place: "machine" }).reason).not.toContain("image");
    expect(ending({ exitCode: 126 }).reason).toMatch(/not executable/u);
  });

  it("puts the time limit before the signal that enforced it", () => {
    expect(ending({ exitCode: 137, timedOut: true })).toEqual({
      status: "timeout",
      reason: "The agent did not finish within its time limit of 60 s; what it had written was kept",
      retryable: false,
    });
  });

  it("believes what the agent says of its failure, whatever its exit code", () => {
    expect(ending({}, { failure: "API Error: 500\n  overloaded" })).toEqual({
      status: "error",
      reason: "The agent gave up (API Error: 500 overloaded)",
      retryable: true,
    });
  });

  it.each([
    "API Error: 401 invalid x-api-key",
    "unexpected status 403 Forbidden",
    "API key not valid. Please pass a valid API key.",
    "Invalid auth method selected.",
    "APIError 401: no",
    "ProviderAuthError: no key for this provider",
  ])("does not try again after %s", (failure) => {
    expect(ending({ exitCode: 1 }, { failure }).retryable).toBe(false);
  });

  it("tries again after a limit of the service, and not after one of ours", () => {
    expect(ending({ exitCode: 1 }, { failure: "429 rate limited" }).retryable).toBe(true);
    expect(ending({ exitCode: 137 }, { stopped: "The agent was stopped at its limit of 3 steps" })).toEqual({
      status: "error",
      reason: "The agent was stopped at its limit of 3 steps",
      retryable: false,
    });
    expect(ending({ exitCode: 137, stoppedFor: "idle" }, { idleSeconds: 30 })).toMatchObject({
      status: "timeout",
      reason: "The agent said nothing for 30 s; what it had written was kept",
    });
  });

  it("says when memory ran out", () => {
    expect(ending({ exitCode: 137, outOfMemory: true }).reason).toMatch(/out of memory/u);
  });
});
