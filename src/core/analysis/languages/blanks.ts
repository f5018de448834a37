/** As many blanks as the text has characters, on as many lines. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
