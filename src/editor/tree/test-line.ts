/**
 * The line of a test's function: where its definition stands in the file now, else where pytest found it.
 * @param text the test file
 * @param id pytest's node id without the file part
 * @param known 1-based line that an outcome tells
 * @returns 1-based; 1 when nothing is known
 */
export function testLine(text: string, id: string, known: number | undefined): number {
  const name = id.replace(/\[.*$/s, "").split("::").at(-1) ?? id;
  const lines = text.split(/\r\n|\r|\n/);
  const places = lines.flatMap((line, index) =>
    /^\s*(?:async\s+)?def\s+([^\s(]+)/.exec(line)?.[1] === name ? [index + 1] : [],
  );
  // Classes of a file may have tests of the same name; the one nearest to what pytest said is meant.
  const [nearest] = places.sort((a, b) => Math.abs(a - (known ?? 0)) - Math.abs(b - (known ?? 0)));
  return nearest ?? Math.min(known ?? 1, lines.length);
}
