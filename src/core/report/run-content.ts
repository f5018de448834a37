import * as l10n from "@vscode/l10n";
import type { Run } from "../model/run.js";
import { groupBy } from "./group-by.js";

/** As much of a hash as tells the few templates and agent files of somebody's runs apart. */
const HASH_DIGITS = 6;

/** Which content of a run has a hash in its records, and how it is called where two of a name differ. */
const CONTENTS: readonly {
  readonly hashOf: (run: Run) => string | undefined;
  readonly words: (hash: string) => string;
}[] = [
  { hashOf: ({ promptHash }) => promptHash, words: (hash) => l10n.t("prompt text {0}", hash) },
  { hashOf: agentHash, words: (hash) => l10n.t("agent content {0}", hash) },
];

/**
 * Runs of one name, those apart whose prompt's text or agent's file is not the same. A run that does not tell of one
 * stays with the others unless these differ among themselves.
 */
export function byContent(runs: readonly Run[]): (readonly Run[])[] {
  if (runs[0]?.agent.type === "replay") return [runs];
  const keys = CONTENTS.filter(({ hashOf }) => differ(runs, hashOf));
  const groups = groupBy(runs, (run) => keys.map(({ hashOf }) => hashOf(run) ?? "").join("\n"));
  return [...groups].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, own]) => own);
}

/** What tells a run's content apart from that of others with its name: `prompt text b5f281`. */
export function contentWords(run: Run, alike: readonly Run[]): string[] {
  return CONTENTS.filter(({ hashOf }) => differ(alike, hashOf)).flatMap(({ hashOf, words }) => {
    const hash = hashOf(run);
    return hash === undefined ? [] : [words(hash.slice(0, HASH_DIGITS))];
  });
}

function differ(runs: readonly Run[], hashOf: (run: Run) => string | undefined): boolean {
  return new Set(runs.map(hashOf).filter((hash) => hash !== undefined)).size > 1;
}

/** Of all agents that took its turns, should it have been gone on with by another. */
function agentHash({ problems }: Run): string | undefined {
  const turns = problems.flatMap((problem) => problem.turns).filter(({ origin }) => origin === "agent");
  const hashes = new Set(turns.flatMap(({ inputs }) => (inputs?.agent === undefined ? [] : [inputs.agent])));
  return hashes.size === 0 ? undefined : [...hashes].sort().join(" ");
}
