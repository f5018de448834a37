import { ERROR_TYPE } from "../../tree/flat-tree.js";
import type { Pattern, PatternNode } from "./pattern.js";
import { mayMatch } from "./quick-check.js";
import type { Strictness } from "./strictness.js";
import type { Subject } from "./subject.js";

/** Whether a node matches a pattern. On a match the variables are bound; else nothing is. */
export function matchesPattern(
  { root, rootKind }: Pattern,
  strictness: Strictness,
  node: number,
  subject: Subject,
): boolean {
  if (rootKind !== undefined && subject.tree.typeOf(node) !== rootKind) return false;
  if (!mayMatch(root, strictness, node, subject)) return false;
  const { mark } = subject.bindings;
  if (new PatternMatch(strictness, subject).node(root, node) === "match") return true;
  subject.bindings.backTo(mark);
  return false;
}

/** `skip…`: what was compared means nothing; go on with the next node of the code, of the pattern, or of both. */
type Outcome = "match" | "differs" | "skip-code" | "skip-pattern" | "skip-both";

class PatternMatch {
  constructor(
    readonly strictness: Strictness,
    readonly subject: Subject,
  ) {}

  node(goal: PatternNode, node: number): Outcome {
    switch (goal.type) {
      case "leaf":
        return this.#leaf(goal, node);
      case "inner":
        if (goal.kind !== this.subject.tree.typeOf(node) && goal.kind !== ERROR_TYPE) return "differs";
        return new ChildMatch(this, goal.children, node).run() ? "match" : "differs";
      case "variable":
      case "list":
        return this.#variable(goal, node);
    }
  }

  #variable(goal: PatternNode & { type: "variable" | "list" }, node: number): Outcome {
    if (this.#isPassedOver(node)) return "skip-code";
    return bindNode(goal, node, this.subject) ? "match" : "differs";
  }

  #leaf(goal: PatternNode & { type: "leaf" }, node: number): Outcome {
    const { subject, strictness } = this;
    const isKind = goal.kind === subject.tree.typeOf(node) || goal.kind === ERROR_TYPE;
    if (isKind && (!goal.named || subject.reads(node, goal.text))) return "match";
    if (this.#isPassedOver(node)) return "skip-code";
    return isKind && strictness.anyText ? "match" : this.#otherLeaf(goal, node);
  }

  #otherLeaf(goal: PatternNode & { type: "leaf" }, node: number): Outcome {
    const { subject, strictness } = this;
    const skipPattern = strictness.patternTokens && !goal.named;
    const skipCode = strictness.codeTokens && !subject.isNamed(node);
    if (skipPattern) return skipCode ? "skip-both" : "skip-pattern";
    return skipCode ? "skip-code" : "differs";
  }

  #isPassedOver(node: number): boolean {
    return this.strictness.comments && this.subject.isComment(node);
  }
}

function bindNode(
  goal: PatternNode & { type: "variable" | "list" },
  node: number,
  subject: Subject,
): boolean {
  if (goal.named && !subject.isNamed(node)) return false;
  if (goal.name === undefined) return true;
  const bound = subject.bindings.node(goal.name);
  if (bound !== undefined && !subject.isSame(bound, node)) return false;
  subject.bindings.setNode(goal.name, node);
  return true;
}

function bindList(name: string | undefined, nodes: readonly number[], subject: Subject): boolean {
  if (name === undefined) return true;
  const bound = subject.bindings.list(name);
  if (bound !== undefined && !areSame(bound, nodes, subject)) return false;
  subject.bindings.setList(name, nodes);
  return true;
}

function areSame(a: readonly number[], b: readonly number[], subject: Subject): boolean {
  const isNamed = (node: number) => subject.isNamed(node);
  const left = a.filter(isNamed);
  const right = b.filter(isNamed);
  return (
    left.length === right.length && left.every((node, index) => subject.isSame(node, right[index] ?? -1))
  );
}

/** Matches the children of a pattern's node, one after the other, with those of a node. */
class ChildMatch {
  readonly #subject: Subject;
  #goal = 0;
  #child: number;
  readonly #end: number;

  constructor(
    private readonly match: PatternMatch,
    private readonly goals: readonly PatternNode[],
    parent: number,
  ) {
    this.#subject = match.subject;
    this.#child = parent + 1;
    this.#end = this.#subject.tree.after(parent);
  }

  run(): boolean {
    if (this.#child >= this.#end) return false;
    for (;;) {
      const goal = this.goals[this.#goal];
      if (goal === undefined) return true;
      if (goal.type === "list") {
        const outcome = this.#list(goal.name);
        if (outcome !== "next") return outcome === "match";
      } else {
        if (!this.#one()) return false;
        if (this.#goal >= this.goals.length) return this.#rest().every(this.#mayTrail);
        if (this.#child >= this.#end) return false;
      }
    }
  }

  /** Goes on until a goal matches a child, past what is passed over. */
  #one(): boolean {
    for (let goal = this.goals[this.#goal]; goal !== undefined; goal = this.goals[this.#goal]) {
      if (this.#child >= this.#end) return this.#skipRest();
      const outcome = this.match.node(goal, this.#child);
      if (outcome === "differs") return false;
      if (outcome !== "skip-code") this.#goal++;
      if (outcome !== "skip-pattern") this.#advance();
      if (outcome === "match") return true;
    }
    return true;
  }

  /** Whether all that is left of the pattern may be missing. */
  #skipRest(): boolean {
    const { patternTokens } = this.match.strictness;
    const rest = this.goals.slice(this.#goal);
    this.#goal = this.goals.length;
    return rest.every((goal) => {
      if (goal.type === "list") return true;
      return patternTokens && goal.type !== "inner" && !goal.named;
    });
  }

  /** `$$$`: all children up to the first that matches the goal behind it. */
  #list(name: string | undefined): "match" | "differs" | "next" {
    this.#goal++;
    let skipped = 0;
    if (this.#goal < this.goals.length) {
      while (isToken(this.goals[this.#goal])) {
        this.#goal++;
        skipped++;
      }
    }
    const goal = this.goals[this.#goal];
    if (goal === undefined) return this.#bind(name, this.#rest(), skipped) ? "match" : "differs";
    const taken: number[] = [];
    while (this.#child < this.#end) {
      if (goal.type === "list" ? taken.length === 1 : this.#probe(goal)) {
        return this.#bind(name, taken, skipped) ? "next" : "differs";
      }
      taken.push(this.#child);
      this.#advance();
    }
    return "differs";
  }

  /** Whether a goal matches the child. What it binds stays bound where it does not: so ast-grep 0.42 has it. */
  #probe(goal: PatternNode): boolean {
    return this.match.node(goal, this.#child) === "match";
  }

  /** Tokens of the pattern behind the list were passed over; as many of the node's belong to them. */
  #bind(name: string | undefined, nodes: readonly number[], skipped: number): boolean {
    return bindList(name, nodes.slice(0, Math.max(0, nodes.length - skipped)), this.#subject);
  }

  /** What is left of the children. */
  #rest(): number[] {
    const rest: number[] = [];
    while (this.#child < this.#end) {
      rest.push(this.#child);
      this.#advance();
    }
    return rest;
  }

  readonly #mayTrail = (node: number): boolean => this.match.strictness.mayTrail(node, this.#subject);

  #advance(): void {
    this.#child = this.#subject.tree.after(this.#child);
  }
}

function isToken(goal: PatternNode | undefined): boolean {
  return goal?.type === "leaf" && !goal.named;
}
