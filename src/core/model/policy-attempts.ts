import { SlopLensError } from "./errors.js";
import { amountWords, isAmount } from "./amounts.js";
import type { Attempts, RunPolicy } from "./policy.js";

/**
 * A policy with other attempts: of a roundwise one, or with a beam, tries at each checkpoint, else whole ones.
 * @param count undefined leaves their number as it is
 * @param beam undefined leaves it as it is
 * @throws SlopLensError bad-input for a beam with fewer attempts, and for a number that nobody means
 */
export function withAttempts(
  policy: RunPolicy,
  count: number | undefined,
  beam: number | undefined,
): RunPolicy {
  if (count !== undefined && !isAmount("attempts", count)) {
    throw new SlopLensError(
      "bad-input",
      `${count} attempts cannot be taken`,
      `Give ${amountWords("attempts")}.`,
    );
  }
  const changed = { ...policy, attempts: changedAttempts(policy.attempts, count, beam) };
  // A name that says how often is tried would be wrong beside other attempts.
  const isNamedByAttempts =
    policy.attempts.kind !== "single" && /^(?:independent|roundwise)\(/u.test(policy.name);
  return isNamedByAttempts && count !== undefined ? { ...changed, name: "fail-stop" } : changed;
}

function changedAttempts(own: Attempts, count: number | undefined, beam: number | undefined): Attempts {
  if (beam === undefined && own.kind !== "roundwise") {
    return count === undefined ? own : { kind: "independent", count };
  }
  const tries = count ?? (own.kind === "single" ? undefined : own.count);
  const kept = beam ?? (own.kind === "roundwise" ? own.beam : 1);
  if (tries !== undefined && kept <= tries) return { kind: "roundwise", count: tries, beam: kept };
  throw new SlopLensError(
    "bad-input",
    "A beam goes with at least as many attempts",
    "Give --attempts K with --beam B, for example 4 and 1.",
  );
}
