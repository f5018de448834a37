import type { GroupCount, GroupCounts, TestOutcome } from "../model/outcome.js";
import type { CustomMarker, Group } from "../model/problem.js";

export interface TestPlace {
  /** Checkpoint whose test file holds the test. */
  readonly checkpoint: string;
  /** Names of the test's pytest markers, nearest first. */
  readonly markers: readonly string[];
}

/**
 * The group of a test, by SCB's rules in SCB's order: a test of another checkpoint is a regression whatever its
 * markers; then the markers `error` and `regression`, a marker of the pack's own, `functionality`; else core.
 * @param current the checkpoint that is evaluated
 */
export function groupOf(place: TestPlace, current: string, custom: readonly CustomMarker[]): Group {
  if (place.checkpoint !== current) return "Regression";
  if (place.markers.includes("error")) return "Error";
  if (place.markers.includes("regression")) return "Regression";
  for (const marker of place.markers) {
    const known = custom.find(({ name }) => name === marker);
    if (known !== undefined) return known.group;
  }
  return place.markers.includes("functionality") ? "Functionality" : "Core";
}

/** Counts outcomes by group; an error in setup or teardown counts as failed, skips are kept apart. */
export function countByGroup(outcomes: readonly TestOutcome[]): GroupCounts {
  const count = (group: Group): GroupCount => {
    const own = outcomes.filter((outcome) => outcome.group === group);
    const passed = own.filter(({ status }) => status === "passed").length;
    const skipped = own.filter(({ status }) => status === "skipped").length;
    return { passed, failed: own.length - passed - skipped, skipped };
  };
  return {
    Core: count("Core"),
    Functionality: count("Functionality"),
    Error: count("Error"),
    Regression: count("Regression"),
  };
}
