import type { NapiConfig, SgNode } from "@ast-grep/napi";
import { isolateRule, type IsolatedRule } from "./isolate.js";
import type { RuleBody } from "./rule-file.js";

/** A node that a rule matches. */
export interface Hit {
  readonly node: SgNode;
  /** Position of the rule in the list that the dispatcher was made of. */
  readonly index: number;
  /** The node that one of the rule's metavariables stands for. */
  readonly variable: (name: string) => SgNode | null;
}

interface SharedRule extends IsolatedRule {
  readonly index: number;
  readonly marker: string;
  /** Node kinds that the rule can match, where its text tells. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** Constraints hold for a whole matcher, so a rule that has some is tested again on its own. */
  readonly verify: NapiConfig | undefined;
}

/**
 * Matches many rules in one walk over the tree. One `findAll` a rule would walk the tree, and cross into native
 * code, once for each; here all rules are utilities of one matcher, in which rule n binds the metavariable `Mn` to
 * the node it matches. Rules that cannot share a matcher walk on their own.
 */
export class Dispatcher {
  readonly #shared: readonly SharedRule[];
  readonly #matcher: NapiConfig;
  readonly #alone: readonly { readonly index: number; readonly config: NapiConfig }[];

  /** @param rules rules that ast-grep accepts, each by itself */
  constructor(rules: readonly RuleBody[]) {
    const shared: SharedRule[] = [];
    const alone: { index: number; config: NapiConfig }[] = [];
    for (const [index, body] of rules.entries()) {
      const isolated = isolateRule(body, index);
      if (isolated === undefined) alone.push({ index, config: matcherOf(body) });
      else {
        shared.push({
          ...isolated,
          index,
          marker: `M${index}`,
          kinds: kindsOf(body.rule),
          verify: body.constraints === undefined ? undefined : matcherOf(body),
        });
      }
    }
    this.#shared = shared;
    this.#alone = alone;
    this.#matcher = sharedMatcher(shared);
  }

  /** All matches of all rules below `root`, nested ones too, in no particular order. */
  run(root: SgNode): Hit[] {
    const hits: Hit[] = [];
    if (this.#shared.length > 0) {
      for (const node of root.findAll(this.#matcher)) this.#collect(node, hits);
    }
    for (const { index, config } of this.#alone) {
      for (const node of root.findAll(config))
        hits.push({ node, index, variable: (name) => node.getMatch(name) });
    }
    return hits;
  }

  #collect(node: SgNode, hits: Hit[]): void {
    const kind = String(node.kind());
    for (const { index, kinds, marker, verify, rename } of this.#shared) {
      if (kinds !== undefined && !kinds.has(kind)) continue;
      if (node.getMatch(marker) === null) continue;
      if (verify !== undefined && !node.matches(verify)) continue;
      hits.push({ node, index, variable: (name) => node.getMatch(rename(name)) });
    }
  }
}

/** A rule as ast-grep's native side takes it; that side checks the shape and throws on what it does not know. */
export function matcherOf({ rule, constraints, utils }: RuleBody): NapiConfig {
  const config: unknown = {
    rule,
    ...(constraints === undefined ? {} : { constraints }),
    ...(utils === undefined ? {} : { utils }),
  };
  return config as NapiConfig;
}

/**
 * `any` finds the nodes that at least one rule matches; the optional steps behind it, tried on those few nodes only,
 * mark every rule that matches. `$$NAME` matches and binds any node, named or not.
 */
function sharedMatcher(rules: readonly SharedRule[]): NapiConfig {
  const marked = rules.map(({ key, marker }) => ({ all: [{ matches: key }, { pattern: `$$${marker}` }] }));
  const optional = marked.map((rule) => ({ any: [rule, { pattern: "$$ANY" }] }));
  return matcherOf({
    rule: { all: [{ any: marked }, ...optional] },
    utils: Object.assign({}, ...rules.map((rule) => rule.utils)) as RuleBody["utils"],
    constraints: undefined,
  });
}

/** Node kinds that a rule can match, as far as its `kind`, `all` and `any` tell; undefined for "any kind". */
function kindsOf(rule: unknown): ReadonlySet<string> | undefined {
  if (typeof rule !== "object" || rule === null) return undefined;
  if ("kind" in rule && typeof rule.kind === "string") return new Set([rule.kind]);
  if ("all" in rule && Array.isArray(rule.all)) {
    const known = rule.all.map(kindsOf).find((kinds) => kinds !== undefined);
    if (known !== undefined) return known;
  }
  return "any" in rule && Array.isArray(rule.any) ? unionOfKinds(rule.any.map(kindsOf)) : undefined;
}

function unionOfKinds(parts: readonly (ReadonlySet<string> | undefined)[]): ReadonlySet<string> | undefined {
  const known = parts.filter((kinds) => kinds !== undefined);
  return known.length < parts.length ? undefined : new Set(known.flatMap((kinds) => [...kinds]));
}
