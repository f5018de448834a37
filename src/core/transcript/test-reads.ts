import type { ToolCall, Transcript } from "../model/transcript.js";
import { fileEdits, WRITTEN_KEYS } from "./edits.js";

/** What a call seems to look at that an agent should not see. */
export type TestReadKind = "hidden-tests" | "grading" | "other-checkpoint";

/** A call that an auditor should look at. A cue, no verdict: it may be innocent, and may have found nothing. */
export interface TestRead {
  readonly kind: TestReadKind;
  /** Index of the message in the transcript. */
  readonly message: number;
  /** Index of the call in the message. */
  readonly call: number;
  /** The path or the part of the command that tells. */
  readonly found: string;
}

/**
 * Paths that only benchmarks have: SCB's and our own names of hidden tests and of what grading writes, Harbor's root
 * folders of tests, oracle and verifier, and folders and specs of checkpoints, of which an agent's workspace has none.
 */
const CUES: readonly (readonly [TestReadKind, RegExp])[] = [
  ["hidden-tests", /[^\s"'`=:;|&()<>]*(?:\.evaluation_tests|test_checkpoint_\d+)[^\s"'`;|&()<>]*/u],
  [
    "hidden-tests",
    /(?<=^|[\s"'`=:(])\/(?:tests|oracle|solution)(?:\/[^\s"'`,;|&()<>]*)?(?=$|[\s"'`;|&()<>])/u,
  ],
  [
    "grading",
    /[^\s"'`=:;|&()<>]*(?:slop_lens_harness|\/logs\/verifier|inference_result\.json|checkpoint_results\.jsonl|run_info\.yaml|quality_analysis|\brubric\.jsonl)[^\s"'`;|&()<>]*/u,
  ],
  ["grading", /[^\s"'`=:;|&()<>]*(?<![\w.])evaluation(?:\.json|\/(?:report\.json|stdout\.txt|stderr\.txt))/u],
  ["other-checkpoint", /[^\s"'`=:;|&()<>]*(?<![\w])checkpoint_?\d+(?:\.md\b|\/)[^\s"'`;|&()<>]*/u],
];

/** Calls that read hidden tests, graders or other checkpoints, in their order; at most one cue of a kind for a call. */
export function findTestReads(transcript: Transcript): TestRead[] {
  /** What the agent wrote itself it may read. */
  const own = new Set<string>();
  return transcript.messages.flatMap((message, messageIndex) =>
    message.calls.flatMap((call, callIndex) => {
      const cues = cuesOf(call, own);
      for (const { path } of fileEdits(call)) own.add(nameOf(path));
      return cues.map(([kind, found]): TestRead => ({ kind, message: messageIndex, call: callIndex, found }));
    }),
  );
}

function cuesOf(call: ToolCall, own: ReadonlySet<string>): [TestReadKind, string][] {
  if (fileEdits(call).length > 0) return [];
  const texts = placesIn(call.input);
  const found = new Map<TestReadKind, string>();
  for (const [kind, pattern] of CUES) {
    const match = texts
      .map((text) => pattern.exec(text)?.[0])
      .find((part) => part !== undefined && !own.has(nameOf(part)));
    if (match !== undefined && !found.has(kind)) found.set(kind, match);
  }
  return [...found];
}

/** Texts of an input that name places or commands. */
function placesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(placesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (WRITTEN_KEYS.has(key) ? [] : placesIn(item)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
