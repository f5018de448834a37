import type { PackReading, Problem, Checkpoint } from "../../core/model/problem.js";
import type { TestIdentity, TestOutcome } from "../../core/model/outcome.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import type { LocatedCallable } from "../../core/model/quality.js";
import type { Turn } from "../../core/model/turn.js";
import type { CommandId, InternalCommandId } from "../ids.js";
import { listed } from "../words.js";

/** A codicon, tinted by a VS Code colour; the icon that the file theme has for a file; or pictures as data URIs. */
export type NodeIcon =
  | { readonly codicon: string; readonly color?: string }
  | { readonly file: string }
  | { readonly light: string; readonly dark: string }
  | undefined;

/** What a row stands for; commands that are called on a row read it. */
export type NodeTarget =
  | { readonly kind: "problem"; readonly pack: PackReading; readonly problem: Problem }
  | { readonly kind: "pack"; readonly pack: PackReading }
  | CheckpointTarget
  | { readonly kind: "run"; readonly run: Run; readonly part: ProblemRun }
  | TestTarget
  | { readonly kind: "callable"; readonly file: string; readonly callable: LocatedCallable }
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "queueItem"; readonly id: string; readonly reason: string | undefined }
  | { readonly kind: "keptQueue"; readonly file: string }
  | { readonly kind: "none" };

/** A checkpoint of a pack, of a run, or of both. */
export interface CheckpointTarget {
  readonly kind: "checkpoint";
  readonly name: string;
  readonly problem: Problem | undefined;
  readonly checkpoint: Checkpoint | undefined;
  readonly run: Run | undefined;
  readonly turn: Turn | undefined;
  /** The turn before it in the same run, if that one has a snapshot. */
  readonly previous: Turn | undefined;
}

/** A hidden test at a checkpoint of a run. */
export interface TestTarget {
  readonly kind: "test";
  readonly turn: Turn;
  readonly test: TestIdentity;
  /** Undefined while the test waits or runs. */
  readonly outcome: TestOutcome | undefined;
}

export interface NodeAction {
  readonly command: CommandId | InternalCommandId | "vscode.open";
  readonly title: string;
  /**
   * Plain values; a file path stands for its URI when the command is `vscode.open`. Absent: the command gets the row
   * and reads its target, which is then always the newest one.
   */
  readonly arguments?: readonly (string | number | undefined)[];
}

/** One row of a tree as plain data. Rows are made anew on each change and told apart by `id`. */
export interface TreeNode {
  /** Stable over refreshes and unique in its tree. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: NodeIcon;
  /** What a screen reader says in place of label and description. */
  readonly spoken: string;
  readonly contextValue: string;
  readonly expand: "leaf" | "collapsed" | "expanded";
  readonly action: NodeAction | undefined;
  readonly target: NodeTarget;
  readonly children: () => readonly TreeNode[] | Promise<readonly TreeNode[]>;
  /** Immutable values that decide all of the row and all below it: while they are the same, nothing has changed. */
  readonly basis: readonly unknown[] | undefined;
}

const NO_CHILDREN: TreeNode["children"] = () => [];

/** Fills in what a row leaves out: a leaf without icon, action or target. */
export function node(row: Partial<TreeNode> & Pick<TreeNode, "id" | "label">): TreeNode {
  const description = row.description ?? "";
  return {
    description,
    tooltip: "",
    icon: undefined,
    spoken: listed([row.label, description]),
    contextValue: "",
    expand: row.children === undefined ? "leaf" : "collapsed",
    action: undefined,
    target: { kind: "none" },
    children: NO_CHILDREN,
    basis: undefined,
    ...row,
  };
}
