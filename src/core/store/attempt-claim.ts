import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { AttemptOf } from "../model/policy.js";
import { withLock } from "../sandbox/local/folder-lock.js";
import { attemptFolders } from "./attempt-group.js";
import { runnerWords } from "./run-hold.js";

/** What happens under the lock takes far less, in milliseconds. */
const LONGEST_CLAIM = 60_000;

/**
 * Makes the run folder of an attempt, unless its group has that attempt already: two that go on with runs of one group at
 * the same time both see the attempts that are missing, and only one of them may take each.
 * @param publish makes the folder appear, and gives its path
 * @throws SlopLensError run-folder when somebody else has begun the attempt, and whatever `publish` throws
 */
export async function publishAttempt(
  runsFolder: string,
  attempt: AttemptOf | undefined,
  publish: () => Promise<string>,
): Promise<string> {
  if (attempt === undefined) return publish();
  const lock = path.join(runsFolder, `.attempt-${attempt.group.replaceAll(/[^\w-]/gu, "_")}.lock`);
  const work = async (): Promise<string> => {
    await refuseBegun(runsFolder, attempt);
    return publish();
  };
  // Held for moments only, so that a cancel need not be heard while it is waited for.
  return withLock(lock, new AbortController().signal, work, LONGEST_CLAIM);
}

async function refuseBegun(runsFolder: string, { group, index, of }: AttemptOf): Promise<void> {
  const begun = (await attemptFolders(runsFolder)).find(
    ({ attempt }) => attempt.group === group && attempt.index === index,
  );
  if (begun === undefined) return;
  const { folder, isAtWork, runner } = begun;
  const does = isAtWork ? "is being taken" : "was begun";
  throw new SlopLensError(
    "run-folder",
    `Attempt ${index} of ${of} ${does} by ${runnerWords({ runner })}: ${folder}`,
    isAtWork ? "Wait for its end, or cancel it there." : "Go on with that run.",
  );
}
