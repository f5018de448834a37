/** The next of some lines after `from`, beginning again at the top; undefined when there is none. */
export function nextLine(lines: readonly number[], from: number): number | undefined {
  const sorted = [...lines].sort((a, b) => a - b);
  return sorted.find((line) => line > from) ?? sorted[0];
}

/** The last of some lines before `from`, beginning again at the bottom; undefined when there is none. */
export function previousLine(lines: readonly number[], from: number): number | undefined {
  const sorted = [...lines].sort((a, b) => a - b);
  return sorted.filter((line) => line < from).at(-1) ?? sorted.at(-1);
}
