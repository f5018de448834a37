/** Compares texts by code points, as Python does; JavaScript's `<` compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return unitRank(left) - unitRank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function unitRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Order of spans in every report: path, first line, last line. */
export function compareSpans(a: Span, b: Span): number {
  return compareText(a.path, b.path) || a.start - b.start || a.end - b.end;
}

/** Compares POSIX paths part by part, as Python compares its paths; `a/b` comes before `a-b`. */
export function comparePathParts(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareText(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
