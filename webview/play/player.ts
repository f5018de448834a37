/** Where the page stands between the user, the clock and the host. Pure. */
import type { PlayData } from "../../src/core/report/play-protocol.js";

export interface Player {
  /** Index of the step that the page shows. */
  readonly at: number;
  /** The step that the host was asked for and has not shown yet. */
  readonly awaited: number | undefined;
  readonly playing: boolean;
}

export const IDLE: Player = { at: 0, awaited: undefined, playing: false };

/** Speeds by name, in milliseconds a step. */
export const SPEEDS = { "0.5×": 4000, "1×": 2000, "2×": 1000 } as const;
export type Speed = keyof typeof SPEEDS;

/** What the host tells holds, unless it speaks of a step before the one that was asked for. */
export function told(player: Player, data: Pick<PlayData, "at" | "steps">): Player {
  const isAnswer = player.awaited === undefined || player.awaited === data.at;
  if (!isAnswer) return player;
  return stopped({ ...player, at: data.at, awaited: undefined }, data.steps.length);
}

/** Asks for a step; one beyond the ends is the last or the first. @returns the same player when it is there already */
export function goTo(player: Player, index: number, count: number): Player {
  const at = Math.max(0, Math.min(count - 1, index));
  return at === player.at ? stopped(player, count) : stopped({ ...player, at, awaited: at }, count);
}

/** Play or pause; play at the end begins anew. */
export function toggled(player: Player, count: number): Player {
  if (player.playing) return { ...player, playing: false };
  if (count < 2) return player;
  return player.at < count - 1 ? { ...player, playing: true } : { ...goTo(player, 0, count), playing: true };
}

/** It stops at the end. */
function stopped(player: Player, count: number): Player {
  return player.playing && player.at >= count - 1 ? { ...player, playing: false } : player;
}

/** Index after a key; undefined for a key that does not move. */
export function indexAfter(key: string, at: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: count - 1,
  };
  return moves[key];
}
