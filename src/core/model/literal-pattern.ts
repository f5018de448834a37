/**
 * The source of a regular expression that matches `text` itself, outside of a class. Escapes what is syntax and nothing
 * else: under the flag `u` any other escape, such as `\-`, is an error.
 */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/gu, "\\$&");
}
