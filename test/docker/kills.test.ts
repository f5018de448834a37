import { expect, it } from "vitest";
import { killAndResume } from "../../scripts/lib/kills.mjs";
import { IMAGE } from "../support/image.js";

/** Moments within an undisturbed run, spread so that each part of a turn may be hit. */
const MOMENTS = [0.9, 0.35, 0.6];

it("goes on after SIGKILL in containers as an undisturbed run does, and leaves nothing", async () => {
  const moments = [...MOMENTS];
  const report = await killAndResume({
    kills: MOMENTS.length,
    each: MOMENTS.length,
    place: ["--environment", "docker", "--image", IMAGE],
    checkpoints: "1",
    share: 0.8,
    random: () => moments.shift() ?? 0.5,
    tell: () => undefined,
  });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(MOMENTS.length);
  // One that was over before its moment came is followed by another.
  expect(report.runs).toBeGreaterThan(0);
});
