import { describe, expect, it } from "vitest";
import type { PlayStep } from "../../../src/core/report/play-protocol.js";
import { goTo, IDLE, indexAfter, toggled, told } from "../../../webview/play/player.js";

/** What the host tells of three steps. */
function shown(at: number, count = 3): { at: number; steps: PlayStep[] } {
  const steps = Array.from({ length: count }, (_, index): PlayStep => ({
    ...{ order: index + 1, checkpoint: `checkpoint_${index + 1}`, verdict: "passed", erosion: 0 },
    ...{ followed: null, notes: [] },
  }));
  return { at, steps };
}

describe("the player", () => {
  it("asks for a step and keeps to it until the host has shown it", () => {
    const asked = goTo(IDLE, 2, 3);
    expect(asked).toEqual({ at: 2, awaited: 2, playing: false });
    expect(told(asked, shown(1))).toBe(asked);
    expect(told(asked, shown(2))).toEqual({ at: 2, awaited: undefined, playing: false });
  });

  it("stays between the ends, and asks for nothing where it is", () => {
    expect(goTo(IDLE, -1, 3)).toEqual(IDLE);
    expect(goTo(IDLE, 7, 3).at).toBe(2);
  });

  it("stops at the end, and begins anew when it is played there", () => {
    const playing = toggled(told(IDLE, shown(1)), 3);
    expect(playing.playing).toBe(true);
    const last = goTo(playing, 2, 3);
    expect(last.playing).toBe(false);
    expect(toggled(last, 3)).toEqual({ at: 0, awaited: 0, playing: true });
  });

  it("goes on playing when a live run has grown", () => {
    const playing = toggled(told(IDLE, shown(1)), 3);
    expect(told(playing, shown(1, 4)).playing).toBe(true);
  });

  it("pauses, and does not play a single checkpoint", () => {
    expect(toggled({ ...IDLE, playing: true }, 3).playing).toBe(false);
    expect(toggled(IDLE, 1)).toBe(IDLE);
  });

  it("knows the keys that move it", () => {
    expect(["ArrowLeft", "ArrowRight", "Home", "End", "x"].map((key) => indexAfter(key, 1, 3))).toEqual([
      0,
      2,
      0,
      2,
      undefined,
    ]);
  });
});
