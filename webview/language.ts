import { dateWords } from "../src/core/report/format.js";

/** `2 Jun 20:28` in the language that the editor speaks; empty when the time is not known. */
export function startWords(iso: string | undefined): string {
  return dateWords(iso, typeof document === "undefined" ? "" : document.documentElement.lang);
}
