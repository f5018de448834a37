/** What the Play view tells of each checkpoint. Pure. */
import type { CallableMetrics } from "../model/quality.js";
import type { Turn } from "../model/turn.js";
import { callableId, type SnapshotCallables } from "./follow-callable.js";
import type { PlayChoice, PlayedCallable, PlayStep } from "./play-protocol.js";
import { erosionOf } from "./ratios.js";

/** One checkpoint of a trajectory that is played. */
export interface PlayedTurn {
  readonly turn: Turn;
  readonly hasSnapshot: boolean;
  /** Undefined until it is read, and where nothing in it can be measured. */
  readonly snapshot: SnapshotCallables | undefined;
  /** The followed callable; undefined where it does not exist. */
  readonly followed: CallableMetrics | undefined;
}

/** What is to be said of a step. */
export type PlayNote =
  | { readonly kind: "no-snapshot"; readonly order: number }
  | { readonly kind: "absent"; readonly name: string }
  | { readonly kind: "renamed" | "moved"; readonly from: string; readonly to: string };

/** A step before its notes are put into words. */
export type PlainStep = Omit<PlayStep, "notes"> & { readonly notes: readonly PlayNote[] };

/** Callables that are offered to be followed. */
const MOST_CHOICES = 15;

/** @param name of the followed callable, where one is followed */
export function playSteps(played: readonly PlayedTurn[], name: string | undefined): PlainStep[] {
  return played.map((one, index) => ({
    order: one.turn.order,
    checkpoint: one.turn.checkpoint,
    verdict: one.turn.verdict,
    erosion: erosionOf(one.turn) ?? null,
    followed: figuresOf(one),
    notes: notesOf(
      one,
      played.slice(0, index).findLast(({ followed }) => followed !== undefined),
      name,
    ),
  }));
}

function figuresOf({ followed, snapshot }: PlayedTurn): PlayedCallable | null {
  if (followed === undefined || snapshot === undefined) return null;
  const { qualifiedName, cc, mass } = followed;
  return { name: qualifiedName, cc, mass, share: snapshot.totalMass === 0 ? 0 : mass / snapshot.totalMass };
}

function notesOf(
  { turn, hasSnapshot, followed, snapshot }: PlayedTurn,
  before: PlayedTurn | undefined,
  name: string | undefined,
): PlayNote[] {
  if (!hasSnapshot) return [{ kind: "no-snapshot", order: turn.order }];
  if (name === undefined || snapshot === undefined) return [];
  const earlier = before?.followed;
  if (followed === undefined) return [{ kind: "absent", name: earlier?.qualifiedName ?? name }];
  return earlier === undefined ? [] : changeNotes(earlier, followed);
}

function changeNotes(earlier: CallableMetrics, now: CallableMetrics): PlayNote[] {
  const notes: PlayNote[] = [];
  if (earlier.qualifiedName !== now.qualifiedName)
    notes.push({ kind: "renamed", from: earlier.qualifiedName, to: now.qualifiedName });
  if (earlier.path !== now.path) notes.push({ kind: "moved", from: earlier.path, to: now.path });
  return notes;
}

/**
 * The callables that can be followed: those of a snapshot, heaviest first, and before them the one that is followed
 * where it is none of them. One name can stand in several files.
 */
export function playChoices(
  snapshot: SnapshotCallables | undefined,
  followed: PlayChoice | undefined,
): PlayChoice[] {
  const heaviest = [...(snapshot?.callables ?? [])].sort((a, b) => b.mass - a.mass).slice(0, MOST_CHOICES);
  const choices = heaviest.map((callable) => {
    const isAlone = heaviest.every(
      (other) => other === callable || other.qualifiedName !== callable.qualifiedName,
    );
    const { qualifiedName, path } = callable;
    return { id: callableId(callable), name: isAlone ? qualifiedName : `${qualifiedName} (${path})` };
  });
  const isMissing = followed !== undefined && !choices.some(({ id }) => id === followed.id);
  return isMissing ? [followed, ...choices] : choices;
}

/**
 * The file to show of a snapshot: that of the followed callable, or where it lived, else the entry file, else the first
 * that changed, else the first.
 * @param files POSIX paths in the snapshot
 */
export function fileToShow(
  files: readonly string[],
  wishes: readonly (string | undefined)[],
  changed: readonly string[],
): string | undefined {
  const here = new Set(files);
  return [...wishes, ...changed, ...files].find((file) => file !== undefined && here.has(file));
}
