import type { RuleReach } from "../measurer.js";
import type { RuleBody } from "./rule-file.js";

/** Kinds of the root node in the grammars that rules are written for. */
const ROOTS: ReadonlySet<string> = new Set([
  "module",
  "program",
  "source_file",
  "compilation_unit",
  "translation_unit",
]);
/** Parts of a rule that look at nothing but the node and what it holds. */
const LOOK_NOWHERE: ReadonlySet<string> = new Set(["kind", "pattern", "field", "stopBy"]);
const LONE_METAVARIABLE = /^\s*\$+[A-Z_][A-Z0-9_]*\s*$/;

/** A node that a part of a rule may be tested on, as far as the rule's text tells. */
interface Place {
  /** It may be the root. */
  readonly root: boolean;
  /** It may be a child of the root. */
  readonly top: boolean;
}

type Rule = Readonly<Record<string, unknown>>;

/**
 * Tells from the text of rules how far they look from a match. It errs to the far side: what it does not know may look
 * anywhere.
 */
export function reachOf(rules: readonly (RuleBody & { readonly id: string })[]): RuleReach {
  let statements = 0;
  const far = new Set<string>();
  for (const rule of rules) {
    const reach = new BodyReach(rule.utils ?? {}).ofBody(rule);
    if (reach === Infinity) far.add(rule.id);
    else statements = Math.max(statements, reach);
  }
  return { statements, far };
}

class BodyReach {
  readonly #open = new Set<string>();

  constructor(private readonly utils: Readonly<Record<string, Rule>>) {}

  ofBody({ rule, constraints }: RuleBody): number {
    if (!this.#excludesRoot(rule)) return Infinity;
    const bound = Object.values(constraints ?? {}).map((one) => this.#of(one, { root: false, top: true }));
    return Math.max(0, this.#of(rule, { root: false, top: true }), ...bound);
  }

  /** Statements beyond the one that holds the node; Infinity when they cannot be counted. */
  #of(value: unknown, place: Place): number {
    if (!isRule(value)) return Infinity;
    const here = this.#narrow(value, place);
    return Math.max(0, ...Object.entries(value).map(([key, content]) => this.#ofPart(key, content, here)));
  }

  #ofPart(key: string, content: unknown, place: Place): number {
    if (LOOK_NOWHERE.has(key)) return 0;
    switch (key) {
      case "regex":
        return place.root ? Infinity : 0;
      case "has":
        return this.#ofHas(content, place);
      case "inside":
        return this.#ofInside(content, place);
      case "follows":
      case "precedes":
        return this.#ofSibling(content, place);
      case "matches":
        return this.#ofUtility(content, place);
      default:
        return this.#ofLogic(key, content, place);
    }
  }

  #ofLogic(key: string, content: unknown, place: Place): number {
    if (key === "not") return this.#of(content, place);
    if ((key === "all" || key === "any") && Array.isArray(content)) {
      return Math.max(0, ...content.map((one) => this.#of(one, place)));
    }
    return key === "nthChild" ? this.#ofNumber(content, place) : Infinity;
  }

  /** `nthChild` counts siblings, of those that a further rule holds for when it has one. */
  #ofNumber(content: unknown, place: Place): number {
    if (place.root || place.top) return Infinity;
    const counted = isRule(content) ? content["ofRule"] : undefined;
    return counted === undefined ? 0 : this.#of(counted, place);
  }

  #ofHas(content: unknown, place: Place): number {
    if (place.root) return Infinity;
    const inner = { root: false, top: false };
    return Math.max(this.#of(content, inner), this.#ofStop(content, inner));
  }

  #ofInside(content: unknown, place: Place): number {
    const far = isRule(content) && content["stopBy"] !== undefined && content["stopBy"] !== "neighbor";
    const around = { root: far || place.root || place.top, top: true };
    return Math.max(this.#of(content, around), this.#ofStop(content, around));
  }

  #ofSibling(content: unknown, place: Place): number {
    if (!place.root && !place.top) return Math.max(this.#of(content, place), this.#ofStop(content, place));
    const far = isRule(content) && content["stopBy"] !== undefined && content["stopBy"] !== "neighbor";
    return far ? Infinity : 1 + this.#of(content, { root: false, top: true });
  }

  /** A `stopBy` may be a rule, which is tested on the nodes on the way. */
  #ofStop(content: unknown, place: Place): number {
    const stop = isRule(content) ? content["stopBy"] : undefined;
    return isRule(stop) ? this.#of(stop, place) : 0;
  }

  #ofUtility(name: unknown, place: Place): number {
    const utility =
      typeof name === "string" && Object.hasOwn(this.utils, name) ? this.utils[name] : undefined;
    if (typeof name !== "string" || utility === undefined || this.#open.has(name)) return Infinity;
    this.#open.add(name);
    const reach = this.#of(utility, place);
    this.#open.delete(name);
    return reach;
  }

  /** Where the parts of a rule need to be looked at: all of them must hold, so one that fails settles it. */
  #narrow(rule: Rule, place: Place): Place {
    return {
      root: place.root && !this.#excludesRoot(rule),
      top: place.top && !this.#excludesTop(rule),
    };
  }

  /** Whether a rule surely does not match the root. */
  #excludesRoot(value: unknown): boolean {
    if (!isRule(value)) return false;
    if ("inside" in value || "follows" in value || "precedes" in value) return true;
    if (isOtherThanRoot(value["kind"]) || isPartOfText(value["pattern"])) return true;
    return this.#excludesIn(value, (part) => this.#excludesRoot(part));
  }

  /** Whether a rule surely matches no child of the root: its parent is told, and is not the root. */
  #excludesTop(value: unknown): boolean {
    if (!isRule(value)) return false;
    const { inside } = value;
    if (isRule(inside) && (inside["stopBy"] ?? "neighbor") === "neighbor" && this.#excludesRoot(inside))
      return true;
    return this.#excludesIn(value, (part) => this.#excludesTop(part));
  }

  /** Whether one of `all`, or each of `any`, excludes. */
  #excludesIn({ all, any }: Rule, excludes: (part: unknown) => boolean): boolean {
    if (Array.isArray(all) && all.some(excludes)) return true;
    return Array.isArray(any) && any.length > 0 && any.every(excludes);
  }
}

function isOtherThanRoot(kind: unknown): boolean {
  return typeof kind === "string" && /^\w+$/.test(kind) && !ROOTS.has(kind);
}

/** Whether a pattern stands for less than a whole text; a lone metavariable may stand for that too. */
function isPartOfText(pattern: unknown): boolean {
  if (typeof pattern === "string") return !LONE_METAVARIABLE.test(pattern);
  if (!isRule(pattern)) return false;
  const { selector, context } = pattern;
  return selector === undefined ? isPartOfText(context) : isOtherThanRoot(selector);
}

function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
