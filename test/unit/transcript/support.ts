import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Transcript } from "../../../src/core/model/transcript.js";
import { readTranscript } from "../../../src/core/transcript/read-transcript.js";
import { temporaryFolder } from "../packs/support.js";

export const NEVER = new AbortController().signal;

/** A file's content: text, or values that are written one a line as JSON. */
export type Content = string | readonly unknown[];

/** A checkpoint's folder; the paths are below it. */
export async function checkpointWith(files: Readonly<Record<string, Content>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : jsonLines(content));
  }
  return folder;
}

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

export async function readFrom(files: Readonly<Record<string, Content>>): Promise<Transcript> {
  return readTranscript(await checkpointWith(files), NEVER);
}

/** Messages in short: who, what, and the names of calls with their answers. */
export function brief({ messages }: Transcript): string[] {
  return messages.map(({ source, thinking, text, calls }) => {
    const thought = thinking === "" ? "" : `(${thinking}) `;
    const made = calls.map(({ name, input, output, failed }) => {
      const answer = output === undefined ? "?" : `${failed ? "!" : ""}${output}`;
      return ` ${name}${JSON.stringify(input)}=${answer}`;
    });
    return `${source}: ${thought}${text}${made.join("")}`;
  });
}
