import type { Command } from "commander";
import { sentencesOf, SlopLensError } from "../core/model/errors.js";
import type { CliIo } from "./io.js";

/**
 * An empty word is most likely a variable of a script that is not set, and would mean the present folder.
 * @throws SlopLensError bad-input
 */
export function refuseEmpty(command: Command): void {
  const place = command.args.indexOf("");
  const words = command.registeredArguments.map((argument) => argument.name());
  const option = command.options.find((one) => command.getOptionValue(one.attributeName()) === "");
  const what = option?.long ?? (place < 0 ? undefined : (words[place] ?? words.at(-1)));
  if (what === undefined) return;
  throw new SlopLensError("bad-input", `The value of ${what} is empty`, "Give one, or leave it out.");
}

/** An option takes the next word for its value, also when that is another option. @throws SlopLensError bad-input */
export function refuseForgotten(command: Command): void {
  const known = new Set(command.options.map(({ long }) => long));
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value !== "string" || !known.has(value)) continue;
    const message = `${option.long ?? option.flags} needs a value, and ${value} is the next option`;
    throw new SlopLensError("bad-input", message, "Give one, or leave it out.");
  }
}

/** What commander says of arguments, as one sentence of ours, with where to read on. */
export function usageTrouble(text: string, args: readonly string[], program: Command, io: CliIo): string {
  const [what = "", meant] = text
    .replace(/^error: /u, "")
    .trim()
    .split("\n");
  const near = meant === undefined ? "" : `; ${meant.replace(/^\(Did/u, "did").replace(/\)$/u, "")}`;
  const named = program.commands.map((one) => one.name()).find((name) => args.includes(name));
  const more = `${[io.program, ...(named === undefined ? [] : [named])].join(" ")} --help tells more`;
  return sentencesOf({ message: `${what}${near}`, hint: more });
}
