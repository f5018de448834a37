import type { LanguageId } from "../../model/quality.js";
import type { Callable } from "../measures/callables.js";
import type { StructuralReading } from "../measures/structural.js";
import type { FlatTree } from "../tree/flat-tree.js";
import type { Repair } from "../tree/repair.js";

/** How a node type that raises cyclomatic complexity is shown to the reader. */
export interface DecisionLabel {
  readonly label: string;
  /** The decision is shown on the line of its first child of one of these types; default its own first line. */
  readonly shownAt?: readonly string[];
  /** Labels that replace `label` below a parent of the given type. */
  readonly within?: Readonly<Record<string, string>>;
  /** The node counts only below a parent of one of these types; default below any. */
  readonly only?: readonly string[];
  /** The node counts only when it meets the test. */
  readonly when?: (tree: FlatTree, node: number) => boolean;
}

/**
 * Everything the engine knows about a language. Names are node types of its tree-sitter grammar; a name that a token
 * shares with a node means the node.
 */
export interface Language {
  readonly id: LanguageId;
  /** File endings with their dot, matched case-sensitively. */
  readonly extensions: readonly string[];
  /** VS Code language ids. */
  readonly editorIds: readonly string[];
  /** How a comment is written: to the end of its line, and between tags where there are some. */
  readonly comments: {
    readonly line: "#" | "//";
    readonly inMarkup?: readonly [open: string, close: string];
  };
  readonly grammar: {
    /** File name of the grammar in `dist/wasm`. */
    readonly wasm: string;
    /** npm package that ships it, and the release that the numbers are proven with. */
    readonly package: string;
    readonly version: readonly [number, number, number];
  };
  /** Nodes that may stand anywhere and mean nothing, such as comments. */
  readonly extras: readonly string[];
  /**
   * What becomes of a file with syntax errors: `skip`: it is not measured, as scb-check has it; `measure`: what could
   * be parsed is, and the report says how many lines could not, unless these are many.
   */
  readonly errors: "skip" | "measure";
  /** Tried in turn on a text with syntax errors that is measured all the same. */
  readonly repairs?: readonly Repair[];
  /** Lines of code of a file: ascending 1-based line numbers. */
  readonly sloc: (tree: FlatTree) => number[];
  readonly callables: {
    /** Node types that are callables. */
    readonly types: readonly string[];
    /** Node types that own methods. */
    readonly owners: readonly string[];
    /** Node types that are looked into for callables, besides owners and callables themselves; `all` looks everywhere. */
    readonly containers: readonly string[] | "all";
    /** Child that names a callable or an owner. */
    readonly nameTypes: readonly string[];
    /**
     * Asked instead of `nameTypes` where the first child of a type does not tell, for example for a closure by the
     * variable that holds it. What it does not name is no callable of its own; an owner without a name lends none.
     */
    readonly nameOf?: (tree: FlatTree, node: number) => string | undefined;
    /** Asked for the type that a callable belongs to where the callable itself names it; it is a method of it then. */
    readonly ownerOf?: (tree: FlatTree, node: number) => string | undefined;
    /** Callable → its body's types; one without a body is a mere declaration and no callable. */
    readonly bodies?: Readonly<Record<string, readonly string[]>>;
    /** Nodes at the start of a callable that are not of its lines: annotations, attributes. */
    readonly decorations?: readonly string[];
    /**
     * What a callable inside another adds to the outer one: `counted`: its decisions and lines, as scb-check has it;
     * `apart`: nothing. A callable without a name is never one of its own, and counts for the one around it.
     */
    readonly nested: "counted" | "apart";
  };
  /** Node types that add 1 to cyclomatic complexity. */
  readonly decisions: Readonly<Record<string, DecisionLabel>>;
  readonly cognitive: {
    /** Add 1 plus their nesting depth, and nest what is inside. */
    readonly nesting: readonly string[];
    /** Add 1; those of `decisions` only where they are decisions. */
    readonly flat: readonly string[];
    /** Add 1, and nothing inside counts. */
    readonly jumps: readonly string[];
    /** Jump → parents in which it only ends a `case` and adds nothing, directly or in the braces of the case. */
    readonly caseEnds?: Readonly<Record<string, readonly string[]>>;
    /**
     * Tokens before the other branch of an `if`. That branch adds 1 plus its depth, one deeper than the `if`, as
     * Python's `elif` and `else` do; an `if` that follows at once is the branch and adds nothing more.
     */
    readonly alternatives: readonly string[];
    /** Nodes that are themselves such a branch, with the types of the nodes that they are the other branch of. */
    readonly clauses?: Readonly<Record<string, readonly string[]>>;
  };
  readonly clones: {
    /** Languages of one family have the same node names, and clones between them are found. */
    readonly family: string;
    readonly candidates: readonly string[];
    readonly minimumSloc: number;
    /** Renamed to their order of first appearance. */
    readonly identifiers: readonly string[];
    /** Literals whose value is erased: node type → what stands for it. */
    readonly literals: Readonly<Record<string, string>>;
    /** Types that leave no trace in a shape. */
    readonly ignored: readonly string[];
    /** Further nodes that leave no trace, of the given types when they meet the test. */
    readonly ignoredWhen?: {
      readonly types: readonly string[];
      readonly test: (tree: FlatTree, node: number) => boolean;
    };
    /** Candidates of these types are left out when their condition reads exactly as one of the texts. */
    readonly exempt?: { readonly types: readonly string[]; readonly conditions: readonly string[] };
  };
  /** Spans that the profile flags by their structure; there are none outside Python. */
  readonly structure?: (tree: FlatTree, callables: readonly Callable[]) => StructuralReading;
  /** What a reader may expect to add to cyclomatic complexity and does not: construct → the reason. */
  readonly uncounted: Readonly<Record<string, string>>;
}
