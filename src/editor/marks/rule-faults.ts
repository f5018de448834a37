import { SlopLensError } from "../../core/model/errors.js";
import type { RuleSetInfo } from "../../core/model/quality.js";

/** Finds what is to be said about rules that cannot be used: once for each set of rules. */
export class RuleFaults {
  private readonly told = new Set<string>();

  /** The error to show, or undefined when there is none or it was told already. */
  next({ name, hash, faults }: RuleSetInfo): SlopLensError | undefined {
    const [first, ...others] = faults ?? [];
    const set = `${name} ${hash}`;
    if (first === undefined || this.told.has(set)) return undefined;
    this.told.add(set);
    const place = first.line === undefined ? "" : `${first.file}, line ${first.line}: `;
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    return new SlopLensError(
      "rules-invalid",
      `${place}${first.message.replace(/\.$/, "")}${more}`,
      "All other rules work.",
    );
  }
}
