/** Places for labels, so that none lies over a line or another label. Pure, in pixels. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether a line through `points` lies over a box. */
export function isCrossed(points: readonly Point[], box: Box): boolean {
  return points.some((to, index) => {
    const from = points[index - 1] ?? to;
    const begin = Math.max(from.x, box.left);
    const end = Math.min(to.x, box.right);
    if (begin > end) return false;
    const heightAt = (x: number): number =>
      to.x === from.x ? to.y : from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
    const [high, low] = [heightAt(begin), heightAt(end)].sort((a, b) => a - b);
    return high !== undefined && low !== undefined && low >= box.top && high <= box.bottom;
  });
}

/** The places whose names fit beside their own ticks: the highest, the lowest, and between them what has room. */
export function namedPlaces<Place extends { readonly y: number }>(
  places: readonly Place[],
  gap: number,
): readonly Place[] {
  const sorted = [...places].sort((above, below) => above.y - below.y);
  const lowest = sorted.at(-1);
  if (lowest === undefined) return [];
  const named: Place[] = [];
  for (const place of sorted.slice(0, -1)) {
    const isClear = place.y - (named.at(-1)?.y ?? -Infinity) >= gap && lowest.y - place.y >= gap;
    if (isClear) named.push(place);
  }
  return [...named, lowest];
}

/** Moves label centres apart so that none lies closer than `gap` to the next; keeps their order and the area. */
export function spread(
  centres: readonly number[],
  gap: number,
  area: { readonly bottom: number },
): readonly number[] {
  const order = centres.map((_, index) => index).sort((a, b) => (centres[a] ?? 0) - (centres[b] ?? 0));
  const placed = [...centres];
  let previous = -Infinity;
  for (const index of order) {
    previous = Math.max(centres[index] ?? 0, previous + gap);
    placed[index] = previous;
  }
  let next = area.bottom + gap;
  for (const index of order.toReversed()) {
    next = Math.min(placed[index] ?? 0, next - gap);
    placed[index] = next;
  }
  return placed;
}

/** The height next to a figure's own at which no line crosses it; its own where all are crossed. */
export function freeHeight(
  { x, y }: Point,
  { width, height }: { readonly width: number; readonly height: number },
  area: { readonly top: number; readonly bottom: number },
  lines: readonly (readonly Point[])[],
): number {
  const half = height / 2;
  const heights = [0, -1, 1, -2, 2, -3, 3].map((step) => y + step * height);
  const isFree = (at: number): boolean =>
    at - half >= area.top - height &&
    at + half <= area.bottom &&
    !lines.some((points) =>
      isCrossed(points, { left: x, right: x + width, top: at - half, bottom: at + half }),
    );
  return heights.find(isFree) ?? y;
}

/** A name in at most so many letters. Its end tells more than its beginning, which is the class or module. */
export function shortened(name: string, most: number): string {
  return name.length > most ? `…${name.slice(1 - most)}` : name;
}
