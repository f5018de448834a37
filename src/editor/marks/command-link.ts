/**
 * A link of a hover that calls a command, as Markdown. VS Code decodes what it gives to the command twice, so that the
 * percent signs of a URI would be lost with the first time, and `#` and `%` in a path would mean something else.
 * @param text Markdown
 * @param values plain data
 */
export function commandLink(text: string, command: string, values: readonly unknown[]): string {
  const given = encodeURIComponent(JSON.stringify(values).replaceAll("%", "%25"));
  return `[${text}](command:${command}?${given.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}
