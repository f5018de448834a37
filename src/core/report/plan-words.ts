import * as l10n from "@vscode/l10n";
import type { LostTries, NoteKind, PlanNote, PlanReason, ReasonKind } from "../trajectory/plan-reason.js";
import type { StopReason } from "../trajectory/stop.js";

/** How a host calls a checkpoint within a sentence, by the name of its folder. */
export type CheckpointName = (folder: string) => string;

const asFolder: CheckpointName = (folder) => folder;

/** Reasons of a plan in a few words, one after the other; empty for none. */
export function reasonsWords(reasons: readonly PlanReason[], nameOf = asFolder): string {
  return reasons.map((reason) => reasonWords(reason, nameOf)).join(l10n.t("; "));
}

/** A note of a plan, a sentence without an end. */
export function noteWords<Kind extends NoteKind>(note: PlanNote<Kind>, nameOf = asFolder): string {
  return NOTES[note.kind](note, nameOf);
}

function reasonWords<Kind extends ReasonKind>(reason: PlanReason<Kind>, nameOf: CheckpointName): string {
  return REASONS[reason.kind](reason, nameOf);
}

const REASONS: {
  readonly [Kind in ReasonKind]: (reason: PlanReason<Kind>, nameOf: CheckpointName) => string;
} = {
  stopped: ({ stop }, nameOf) => stopWords(stop, nameOf),
  "depends-on": ({ checkpoint }, nameOf) => l10n.t("depends on {0}, which is redone", nameOf(checkpoint)),
  "not-reached": () => l10n.t("not reached"),
  "asked-for": () => l10n.t("asked for"),
  "tries-there": ({ there, of }) => l10n.t("{0} of {1} tries are there", there, of),
  "tries-lost": lostWords,
  "no-snapshot": ({ told }) =>
    told === undefined ? l10n.t("no snapshot") : l10n.t("no snapshot: {0}", told),
  infrastructure: ({ told }) =>
    told === undefined ? l10n.t("infrastructure") : l10n.t("infrastructure: {0}", told),
  "agent-error-retried": () => l10n.t("agent error, retried"),
  "agent-error-kept": () => l10n.t("agent error, kept"),
  "agent-timeout-retried": () => l10n.t("agent timeout, retried"),
  "agent-timeout-kept": () => l10n.t("agent timeout, kept"),
  "record-unreadable": () => l10n.t("its record cannot be read"),
  "record-missing": () => l10n.t("no record: cut short"),
  "followed-gone": ({ checkpoint }, nameOf) =>
    l10n.t("followed {0}, which the problem no longer has", nameOf(checkpoint)),
  "followed-later": ({ checkpoint }, nameOf) =>
    l10n.t("followed {0}, which comes later now", nameOf(checkpoint)),
  "spec-changed": () => l10n.t("spec changed"),
  "prompt-changed": () => l10n.t("prompt changed"),
  "snapshot-changed": () => l10n.t("the snapshot is not as it was recorded"),
  "tests-changed": () => l10n.t("tests changed"),
  "assets-changed": () => l10n.t("static assets changed"),
  "recording-changed": () => l10n.t("recording changed"),
  "evaluation-changed": () => l10n.t("environment or the tests' settings changed"),
  "evaluation-secrets-changed": ({ names }) =>
    l10n.t("the environment's value of {0} changed", names.join(", ")),
  "agent-changed": () => l10n.t("taken by another agent, or its file or model changed"),
  "agent-environment-changed": () => l10n.t("the agent worked in another environment"),
  "agent-secrets-changed": ({ names }) =>
    l10n.t("the agent worked with another value of {0}", names.join(", ")),
  "start-changed": () => l10n.t("what it began from changed"),
  "start-gone": () => l10n.t("what it began from is gone"),
};

const NOTES: {
  readonly [Kind in NoteKind]: (note: PlanNote<Kind>, nameOf: CheckpointName) => string;
} = {
  "pack-renamed": ({ pack, run }) => l10n.t("the pack is now called {0}; the run goes on as {1}", pack, run),
  "checkpoint-gone": ({ checkpoint }, nameOf) =>
    l10n.t("{0} is no longer in the pack; what the run has of it stays as it is", nameOf(checkpoint)),
  "run-unreadable": ({ run }) =>
    l10n.t(
      "the record of {0} cannot be read; it may be an attempt of this group, so that none is begun anew beside it",
      run,
    ),
};

/** As `src/core/trajectory/stop.ts` writes it into records, in the language of the host. */
function stopWords(stop: StopReason, nameOf: CheckpointName): string {
  const checkpoint = nameOf(stop.checkpoint);
  switch (stop.kind) {
    case "agent-unfinished":
      return l10n.t("The agent did not finish {0}", checkpoint);
    case "not-evaluated":
      return l10n.t("{0} could not be evaluated", checkpoint);
    case "policy-unmet":
      return l10n.t("{0} does not meet the policy {1}", checkpoint, stop.policy);
  }
}

/** As `src/core/trajectory/lost-words.ts` writes it into logs, in the language of the host. */
function lostWords({ chosen, numbers }: LostTries): string {
  const others = numbers.join(", ");
  if (!chosen) return l10n.t("the record of try {0} cannot be read: taken anew", others);
  return numbers.length === 0
    ? l10n.t("the record of the chosen try cannot be read: taken anew")
    : l10n.t("the records of the chosen try and of try {0} cannot be read: taken anew", others);
}
