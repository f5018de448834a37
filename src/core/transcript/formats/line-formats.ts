import { claudeCode } from "./claude-code.js";
import { codexEvents } from "./codex-events.js";
import { codexRollout } from "./codex-rollout.js";
import { cursorCli } from "./cursor-cli.js";
import { parseLine, type LineFormat } from "./format.js";
import { gemini } from "./gemini.js";
import { kimiCli } from "./kimi-cli.js";
import { miniSwe } from "./mini-swe.js";
import { opencode } from "./opencode.js";
import { pi } from "./pi.js";

/** All forms that are written line by line, those with the plainest marks first. */
const LINE_FORMATS: readonly LineFormat[] = [
  codexRollout,
  codexEvents,
  kimiCli,
  claudeCode,
  cursorCli,
  opencode,
  gemini,
  pi,
  miniSwe,
];

/** The form of a file, told by its first lines; undefined when none of them says so. */
export function formatOfLines(lines: readonly string[]): LineFormat | undefined {
  for (const line of lines) {
    const event = parseLine(line);
    const found = event === undefined ? undefined : LINE_FORMATS.find((format) => format.recognises(event));
    if (found !== undefined) return found;
  }
  return undefined;
}
