import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Transcript } from "../../core/model/transcript.js";
import { toAtif } from "../../core/transcript/atif-export.js";
import { readTranscript } from "../../core/transcript/read-transcript.js";
import { transcriptText } from "../../core/transcript/transcript-text.js";
import { SlopLensError } from "../../core/model/errors.js";
import { faultLine } from "../fault-line.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";
import { checkTranscriptPlace, noTranscript } from "../transcript-place.js";
import type { TranscriptOptions } from "../transcript-options.js";

/** A run holds problems, and these hold checkpoints. */
const LEVELS = 2;

/**
 * `slop-lens transcript`: prints what agents did in a run, a problem of it, or a checkpoint.
 * @throws SlopLensError bad-input when there is no transcript, and for ATIF of one without messages
 */
export async function transcriptCommand(place: string, options: TranscriptOptions, io: CliIo): Promise<void> {
  const absolute = path.resolve(io.cwd, place);
  const found = await foldersWithAgents(absolute, LEVELS);
  if (found.length === 0) await checkTranscriptPlace(absolute, io.cwd);
  const folders = found.length === 0 ? [absolute] : found;
  const alone = folders.length === 1;
  for (const folder of folders) {
    const transcript = await readOne(folder, alone, io);
    if (transcript === undefined) continue;
    for (const fault of transcript.faults) warn(io, faultLine(fault, io.cwd));
    if (options.format !== "text") printDocument(transcript, options.format, alone, io);
    else {
      if (!alone) printLine(io, `== ${path.relative(absolute, folder)}`);
      for (const line of transcriptText(transcript)) printLine(io, line);
      if (!alone) printLine(io);
    }
  }
}

/** One of several may have none: a replay beside agents, or a turn that never began. */
async function readOne(folder: string, alone: boolean, io: CliIo): Promise<Transcript | undefined> {
  try {
    return await readTranscript(folder, io.signal);
  } catch (error) {
    if (!SlopLensError.is(error, "run-folder")) throw error;
    if (alone) throw await noTranscript(folder, io.cwd);
    warn(io, `${path.relative(io.cwd, folder)}: ${error.message}`);
    return undefined;
  }
}

function printDocument(transcript: Transcript, format: "json" | "atif", alone: boolean, io: CliIo): void {
  const document = format === "atif" ? toAtif(transcript) : transcript;
  if (alone) printLine(io, JSON.stringify(document, null, 2));
  else printJson(io, document);
}

/** The folders of checkpoints with what an agent left, in their order. */
async function foldersWithAgents(folder: string, levels: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === "agent" || name === "agent.tar.gz")) return [folder];
  if (levels === 0) return [];
  const collator = new Intl.Collator("en", { numeric: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);
  const found: string[] = [];
  for (const name of names.sort((left, right) => collator.compare(left, right))) {
    found.push(...(await foldersWithAgents(path.join(folder, name), levels - 1)));
  }
  return found;
}
