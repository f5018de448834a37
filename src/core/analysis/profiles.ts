import { extname } from "node:path";
import type { Profile } from "../model/quality.js";

/** A key of scb-check's report; `toScbReport` says what stands behind each. */
export type ScbKey =
  | "verbosity"
  | "erosion"
  | "cog_erosion"
  | "files_scanned"
  | "total_loc"
  | "verbosity_flagged_loc"
  | "clone_loc"
  | "ast_grep_flagged_loc"
  | "trivial_wrapper_loc"
  | "trivial_wrappers"
  | "structural_rule_loc"
  | "structural_rule_findings"
  | "total_functions"
  | "high_cc_functions"
  | "high_cog_functions"
  | "total_mass"
  | "high_cc_mass"
  | "total_cog_mass"
  | "high_cog_mass"
  | "syntax_tree_count"
  | "syntax_node_count"
  | "syntax_by_language";

/** What tells a profile from the others. Lines of code, decisions, clones, mass and the union of lines are the same. */
export interface ProfileDefinition {
  /** The release of scb-check that computes the same numbers, by which they are proven. */
  readonly release: string;
  /**
   * Spans that verbosity flags besides clones and rule matches. `single-returns`: every function of one `return`, and
   * aliases of functions. `pass-throughs`: only functions that hand their parameters on unchanged.
   */
  readonly structuralTerm: "none" | "single-returns" | "pass-throughs";
  /** Of Python definitions with the same qualified name, `last` counts the last alone, as of a property's getter and setter. */
  readonly sameNames: "all" | "last";
  /** Endings of the Python files that count. */
  readonly pythonEndings: readonly string[];
  /** Whether endings also count in capitals. */
  readonly anyCase: boolean;
  /** Those of the endings, as they are written, by which ast-grep knows a file for Python and applies rules to it. */
  readonly ruledEndings: readonly string[];
  /** Keys of the release's report, in its order. */
  readonly reportKeys: readonly ScbKey[];
}

const SCORES = ["verbosity", "erosion", "cog_erosion", "files_scanned", "total_loc"] as const;
const FLAGGED = ["verbosity_flagged_loc", "clone_loc", "ast_grep_flagged_loc"] as const;
const MASSES = [
  ...(["total_functions", "high_cc_functions", "high_cog_functions"] as const),
  ...(["total_mass", "high_cc_mass", "total_cog_mass", "high_cog_mass"] as const),
] as const;

/** Every profile, told once. What follows from a difference is done where the files are put together. */
export const PROFILE_DEFINITIONS: Readonly<Record<Profile, ProfileDefinition>> = {
  "scb-0.1.3": {
    release: "0.1.3",
    structuralTerm: "single-returns",
    sameNames: "all",
    pythonEndings: [".py"],
    anyCase: false,
    ruledEndings: [".py"],
    reportKeys: [...SCORES, ...FLAGGED, "trivial_wrapper_loc", "trivial_wrappers", ...MASSES],
  },
  "scb-0.2.0": {
    release: "0.2.0",
    structuralTerm: "pass-throughs",
    sameNames: "last",
    pythonEndings: [".py", ".pyw"],
    anyCase: true,
    ruledEndings: [".py"],
    reportKeys: [
      ...SCORES,
      ...FLAGGED,
      ...(["structural_rule_loc", "structural_rule_findings"] as const),
      ...MASSES,
      ...(["syntax_tree_count", "syntax_node_count", "syntax_by_language"] as const),
    ],
  },
  article: {
    release: "0.1.2",
    structuralTerm: "none",
    sameNames: "all",
    pythonEndings: [".py"],
    anyCase: false,
    ruledEndings: [".py"],
    reportKeys: [...SCORES, ...FLAGGED, ...MASSES],
  },
};

/** Whether a profile asks for more of classes and callables than where they stand. */
export function needsSymbols({ structuralTerm, sameNames }: ProfileDefinition): boolean {
  return structuralTerm === "pass-throughs" || sameNames === "last";
}

/** Whether rules reach a Python file in a profile; they reach every file whose ending is none of the profile's. */
export function isRuled(path: string, { pythonEndings, ruledEndings }: ProfileDefinition): boolean {
  const ending = extname(path);
  return ruledEndings.includes(ending) || !pythonEndings.includes(ending.toLowerCase());
}
