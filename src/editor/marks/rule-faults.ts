import { l10n } from "vscode";
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
    const { file, line } = first;
    const message = first.message.replace(/\.$/, "");
    const told = line === undefined ? message : l10n.t("{0}, line {1}: {2}", file, line, message);
    return new SlopLensError(
      "rules-invalid",
      others.length === 0 ? told : l10n.t("{0} (and {1} more)", told, others.length),
      l10n.t("All other rules work."),
    );
  }
}
