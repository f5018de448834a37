/** Loaded when packs and runs are looked for: the readers, and the YAML they need. A bundle of its own. */
import "./shared-texts.js";
import { stat } from "node:fs/promises";
import path from "node:path";
import { findAgents } from "../core/agent/program/catalogue.js";
import type { Run } from "../core/model/run.js";
import type { Turn } from "../core/model/turn.js";
import { findPacks } from "../core/problem/pack.js";
import { snapshotHash } from "../core/problem/snapshot-hash.js";
import { unfinishedQueues } from "../core/queue/queue-file.js";
import { findRuns } from "../core/store/find-runs.js";
import { readRun } from "../core/store/read-run.js";
import { readOutcomes } from "../core/store/turn-details.js";
import { toAtif } from "../core/transcript/atif-export.js";
import { readTranscript } from "../core/transcript/read-transcript.js";
import type { PageMessage, TranscriptHead } from "../core/report/transcript-page.js";
import { pageMessage, transcriptHead } from "../core/report/transcript-view.js";
import { readPolicies } from "../core/trajectory/policy-file.js";
import { unreadable } from "./library/reread.js";

export { findAgents, findPacks, readOutcomes, readPolicies, readRun, unfinishedQueues };

/** Messages go to a page in pieces of about so many characters. */
const PIECE = 512 * 1024;

export interface TranscriptReading {
  readonly head: TranscriptHead;
  /** One message, 0-based; made as it is asked for. */
  readonly message: (index: number) => PageMessage | undefined;
  /** The messages from one on in their order, in pieces; made as they are asked for. */
  readonly pieces: (from: number) => Generator<readonly PageMessage[]>;
}

/**
 * Reads what a turn's agent did, for its page.
 * @param snapshot paths of the files in the turn's snapshot
 * @throws SlopLensError run-folder when there is no transcript
 */
export async function readTranscriptPage(
  folder: string,
  title: string,
  snapshot: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<TranscriptReading> {
  const transcript = await readTranscript(folder, signal);
  return {
    head: transcriptHead(transcript, title),
    message(index) {
      const message = transcript.messages[index];
      return message === undefined ? undefined : pageMessage(message, transcript, snapshot);
    },
    *pieces(from) {
      let piece: PageMessage[] = [];
      let size = 0;
      for (const message of transcript.messages.slice(from)) {
        const shown = pageMessage(message, transcript, snapshot);
        piece.push(shown);
        size += JSON.stringify(shown).length;
        if (size < PIECE) continue;
        yield piece;
        [piece, size] = [[], 0];
      }
      if (piece.length > 0) yield piece;
    },
  };
}

/** A turn's transcript as the text of an ATIF trajectory. @throws SlopLensError run-folder, bad-input */
export async function transcriptAsAtif(folder: string, signal: AbortSignal): Promise<string> {
  return `${JSON.stringify(toAtif(await readTranscript(folder, signal)), null, 2)}\n`;
}

/** Folders of the runs in and below a folder. */
export async function runFoldersOf(folder: string): Promise<readonly string[]> {
  return (await findRuns(folder)).runs;
}

/** Whether a turn's snapshot is not as it was recorded; false for one that is gone, or was recorded without a hash. */
export async function isSnapshotEdited({ folder, snapshotHash: recorded }: Turn): Promise<boolean> {
  const snapshot = path.join(folder, "snapshot");
  const found = await stat(snapshot).catch(() => undefined);
  return recorded !== null && found?.isDirectory() === true && (await snapshotHash(snapshot)) !== recorded;
}

/** With many at once, all of them would be there only at the end. */
const RUNS_AT_ONCE = 4;

/**
 * All runs in and below a folder, sorted by folder; one that cannot be read is there too, with the reason.
 * @param tell is given each run as soon as it is read
 */
export async function readRuns(folder: string, tell: (run: Run) => void = () => undefined): Promise<Run[]> {
  const { runs: folders } = await findRuns(folder);
  const waiting = folders.entries();
  const runs: Run[] = [];
  const readNext = async (): Promise<void> => {
    for (const [index, found] of waiting) {
      const run = await readRun(found).catch((error: unknown) => unreadable(found, error));
      runs[index] = run;
      tell(run);
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, readNext));
  return runs;
}
