import { stat } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { Transcript } from "../model/transcript.js";
import { readText } from "../model/read-text.js";
import { archiveFiles, folderFiles, type AgentFiles } from "./agent-files.js";
import type { TranscriptLimits } from "./allowance.js";
import { FolderReader, type FolderReading } from "./folder-reader.js";

const FOLDER = "agent";
const ARCHIVE = "agent.tar.gz";
const PROMPT = "prompt.txt";

/**
 * Reads what an agent wrote, whatever agent it was. A line that is broken is a fault, and so is a file that ends early;
 * everything else is read. Files are streamed, and what is kept of them is bounded.
 * @param place a checkpoint's folder in a run, the agent's folder or archive in it, or one file of a transcript
 * @throws SlopLensError run-folder when there is nothing to read, cancelled
 */
export async function readTranscript(place: string, signal: AbortSignal): Promise<Transcript> {
  const reading = await readAgentFiles(place, signal);
  if (reading === undefined || reading.builder.isEmpty) throw nothingThere();
  const { builder, files } = reading;
  const prompt = builder.isAsked ? undefined : await readPrompt(place);
  if (prompt !== undefined) builder.prepend("user", prompt);
  return builder.build(files);
}

/**
 * Reads the files of an agent and keeps of them what `limits` allow.
 * @returns undefined when there is no file with anything in it
 */
export async function readAgentFiles(
  place: string,
  signal: AbortSignal,
  limits?: TranscriptLimits,
): Promise<FolderReading | undefined> {
  try {
    const files = await filesOf(place);
    return await new FolderReader(files, await files.list(signal), limits, signal).read();
  } catch (error) {
    throw SlopLensError.from(error);
  }
}

async function filesOf(place: string): Promise<AgentFiles> {
  if (await isFile(place)) return place.endsWith(".tar.gz") ? archiveFiles(place) : oneFile(place);
  const [folder, archive] = [path.join(place, FOLDER), path.join(place, ARCHIVE)];
  if (await isFolder(folder)) return folderFiles(folder);
  if (await isFile(archive)) return archiveFiles(archive);
  if (!(await isFolder(place))) throw nothingThere();
  return folderFiles(place);
}

/** A folder of which one file is seen. */
function oneFile(file: string): AgentFiles {
  const all = folderFiles(path.dirname(file));
  const name = path.basename(file);
  return { ...all, list: async () => [{ path: name, bytes: (await stat(file)).size }] };
}

/** What the agent was asked, where its own transcript does not say. */
async function readPrompt(place: string): Promise<string | undefined> {
  for (const folder of [place, path.dirname(place)]) {
    const text = await readText(path.join(folder, PROMPT)).catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

function nothingThere(): SlopLensError {
  return new SlopLensError(
    "run-folder",
    "This checkpoint has no transcript of its agent",
    "Replays have none, and runs can be kept without it.",
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
