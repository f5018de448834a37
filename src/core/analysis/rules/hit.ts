import type { RuleMatch } from "../../model/quality.js";

/** A place where a rule matches. */
export type Hit = Pick<RuleMatch, "start" | "end" | "startColumn" | "endColumn"> & {
  /** The rule's message, its variables replaced by what they stand for. */
  readonly message: string;
};

/** Replaces `$NAME` in a message by the text that the variable stands for; other words with a dollar stay. */
export function fillIn(message: string, textOf: (variable: string) => string | undefined): string {
  if (!message.includes("$")) return message;
  return message.replace(/\$([A-Z_][A-Z0-9_]*)/g, (whole, name: string) => textOf(name) ?? whole);
}
