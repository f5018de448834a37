import { stripVTControlCharacters } from "node:util";

/** Control characters besides those that end lines. */
const CONTROL = /(?![\n\r\t])\p{Cc}/gu;

/** A text of strangers without colours, window titles and whatever else steers a terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(CONTROL, "");
}
