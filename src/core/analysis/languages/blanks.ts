/** As many blanks as the text has characters, on as many lines. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** Position of the end of the line that holds a position. */
export function endOfLine(text: string, position: number): number {
  const end = text.indexOf("\n", position);
  return end === -1 ? text.length : end;
}
