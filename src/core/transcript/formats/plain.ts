import type { MessageSource } from "../../model/transcript.js";
import { plainText } from "../../model/plain-text.js";
import type { TranscriptBuilder } from "../builder.js";
import type { LineReader } from "./format.js";

/** A message of output is cut at the end of a line after this many characters. */
const PIECE = 32 * 1024;

/** Output that is of no known form: it is shown as it is, without what steers a terminal. */
export function plainReader(builder: TranscriptBuilder, source: MessageSource): LineReader {
  let held: string[] = [];
  let length = 0;
  const release = (): void => {
    const text = held.join("\n");
    held = [];
    length = 0;
    if (text.trim() !== "") builder.message(source, { text: plainText(text) });
  };
  return {
    take(line) {
      held.push(line);
      length += line.length + 1;
      if (length >= PIECE) release();
    },
    end: release,
  };
}
