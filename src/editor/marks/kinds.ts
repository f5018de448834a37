/** What can be marked, and where; the names of the setting `slopLens.marks.show`. */
export const MARK_KINDS = ["complexity", "clones", "verbosity", "codeLens", "problems", "diffs"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];
export type MarkKinds = Readonly<Record<MarkKind, boolean>>;
