import type { FlatTree } from "../../tree/flat-tree.js";
import type { Progress } from "../../threads/progress.js";
import type { Matcher } from "./matcher.js";
import { Subject } from "./subject.js";

/** A node that a rule matches, while its variables are bound. */
export type OnHit = (rule: number, node: number, subject: Subject) => void;

/** Applies many rules in one walk over a tree: each node is tried with those rules only that can match its type. */
export class RuleTable {
  /** Node type → numbers of the rules. */
  readonly #byKind: (readonly number[])[] = [];
  /** Rules that any type can match. */
  readonly #anyKind: readonly number[];

  /** @param rules a rule's number is its place in the list */
  constructor(private readonly rules: readonly Matcher[]) {
    this.#anyKind = [...rules.keys()].filter((rule) => rules[rule]?.kinds === undefined);
    for (const kind of new Set(rules.flatMap(({ kinds }) => [...(kinds ?? [])]))) {
      this.#byKind[kind] = [...rules.keys()].filter((rule) => rules[rule]?.kinds?.has(kind) !== false);
    }
  }

  /**
   * Calls `onHit` for each match, nested ones too, in source order.
   * @param progress is told of each rule before it is tried
   */
  run(tree: FlatTree, onHit: OnHit, progress?: Progress): void {
    const subject = new Subject(tree);
    for (let node = 0; node < tree.count; node++) {
      for (const rule of this.#byKind[tree.typeOf(node)] ?? this.#anyKind) {
        progress?.beginRule(rule);
        if (this.rules[rule]?.test(node, subject) === true) onHit(rule, node, subject);
        subject.bindings.backTo(0);
      }
    }
  }
}
