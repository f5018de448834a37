/** Text of a file as every measure sees it: newlines are `\n`, positions are UTF-16 units. */
export interface Source {
  readonly text: string;
  /** Position of the first unit of each row; row r of the syntax tree is line r + 1. */
  readonly rowStarts: Int32Array;
}

/**
 * Decodes UTF-8, undecodable bytes become U+FFFD. A byte order mark stays in the text, as Python's own decoder leaves it.
 */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Prepares a text: `\r\n` and a lone `\r` become `\n`. */
export function toSource(text: string): Source {
  const normal = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  return { text: normal, rowStarts: rowStarts(normal) };
}

/** 0-based row that holds `position`. */
export function rowAt({ rowStarts }: Source, position: number): number {
  return lastAtOrBefore(rowStarts, position);
}

/** Index of the last entry of an ascending array that is not above `value`; the first entry must not be. */
export function lastAtOrBefore(ascending: Int32Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rowStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
