const LONGEST = 200;

/**
 * What went wrong in a test, in one line out of pytest's words: its first `E` line, which names the error or the
 * assertion that did not hold, else the last line.
 * @returns empty when there are no words
 */
export function failureLine(message: string | undefined): string {
  const lines = (message ?? "").split("\n").filter((line) => line.trim() !== "");
  const marked = lines.find((line) => /^E\s/u.test(line));
  const line = (marked?.replace(/^E\s+/u, "") ?? lines.at(-1) ?? "").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
