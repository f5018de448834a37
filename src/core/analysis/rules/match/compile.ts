import { z } from "zod";
import type { RuleBody } from "../rule-file.js";
import { all, any, not, type Matcher } from "./matcher.js";
import { matchesPattern } from "./match-pattern.js";
import { nthChild } from "./nth-child.js";
import { kindOfPattern, variablesOf } from "./pattern.js";
import type { PatternParser } from "./pattern-parser.js";
import { toRegExp } from "./regex.js";
import { follows, has, inside, precedes, type Relation, type StopBy } from "./relations.js";
import { STRICTNESS } from "./strictness.js";
import { RuleTrouble } from "./trouble.js";

const strictness = z.enum([
  "cst",
  "smart",
  "ast",
  "relaxed",
  "signature",
] satisfies (keyof typeof STRICTNESS)[]);
const position = z.union([z.string(), z.int()]);

/** A rule object as ast-grep's documentation has it, as far as it is compiled here. */
const ruleShape = z.strictObject({
  pattern: z
    .union([
      z.string(),
      z.strictObject({
        context: z.string(),
        selector: z.string().optional(),
        strictness: strictness.optional(),
      }),
    ])
    .optional(),
  kind: z.string().optional(),
  regex: z.string().optional(),
  nthChild: z
    .union([
      position,
      z.strictObject({ position, ofRule: z.unknown().optional(), reverse: z.boolean().optional() }),
    ])
    .optional(),
  all: z.array(z.unknown()).optional(),
  any: z.array(z.unknown()).optional(),
  not: z.unknown().optional(),
  matches: z.string().optional(),
  inside: z.unknown().optional(),
  has: z.unknown().optional(),
  precedes: z.unknown().optional(),
  follows: z.unknown().optional(),
});
const relationShape = z.looseObject({ stopBy: z.unknown().optional(), field: z.string().optional() });

type RuleShape = z.infer<typeof ruleShape>;

/**
 * Compiles a rule for a grammar.
 * @param globals utility rules that all rules may use
 * @throws RuleTrouble when the rule is wrong, or says something that only ast-grep itself understands
 */
export function compileRule(
  body: RuleBody,
  grammar: PatternParser,
  globals: ReadonlyMap<string, Matcher>,
): Matcher {
  const compiler = new Compiler(grammar, body.utils ?? {}, globals);
  const rule = compiler.rule(body.rule);
  for (const name of Object.keys(body.utils ?? {})) compiler.util(name);
  const constraints = Object.entries(body.constraints ?? {}).map(
    ([name, constraint]) => [name, compiler.rule(constraint)] as const,
  );
  const known = new Set([...rule.variables, ...compiler.utilVariables()]);
  const stray = constraints.find(([name]) => !known.has(name));
  if (stray !== undefined)
    throw new RuleTrouble(`Undefined meta var \`${stray[0]}\` used in \`constraints\`.`);
  return constraints.length === 0 ? rule : constrained(rule, constraints);
}

/** What a single variable stands for must match its constraint, which may bind more. */
function constrained(rule: Matcher, constraints: readonly (readonly [string, Matcher])[]): Matcher {
  return {
    ...rule,
    test: (node, subject) => {
      const { bindings } = subject;
      const { mark } = bindings;
      const holds =
        rule.test(node, subject) &&
        constraints
          .map(([name, { test }]) => ({ bound: bindings.node(name), test }))
          .every(({ bound, test }) => bound === undefined || test(bound, subject));
      if (!holds) bindings.backTo(mark);
      return holds;
    },
  };
}

class Compiler {
  readonly #utils = new Map<string, Matcher>();
  /** Utilities at work, from the outermost. */
  readonly #open = new Set<string>();
  /** Whether what is compiled is about another node than the utilities at work. */
  #isRelated = false;

  constructor(
    private readonly grammar: PatternParser,
    private readonly utils: Readonly<Record<string, unknown>>,
    private readonly globals: ReadonlyMap<string, Matcher>,
  ) {}

  /** All parts of a rule object must match, in this order, which decides what is bound first. */
  rule(source: unknown): Matcher {
    const shape = read(ruleShape, source);
    const parts = [...this.#atomic(shape), ...this.#composite(shape), ...this.#relational(shape)];
    if (parts.length === 0) throw new RuleTrouble("Rule must have one positive matcher.");
    return all(parts);
  }

  utilVariables(): string[] {
    return [...this.#utils.values()].flatMap(({ variables }) => variables);
  }

  /** A utility may refer to itself, but only through a relation: else it would never come to an end. */
  util(name: string): Matcher {
    const compiled = this.#utils.get(name);
    if (compiled !== undefined) return compiled;
    if (!Object.hasOwn(this.utils, name)) {
      const global = this.globals.get(name);
      if (global === undefined) throw new RuleTrouble(`Rule \`${name}\` is not defined.`);
      return global;
    }
    if (this.#open.has(name)) return this.#later(name);
    this.#open.add(name);
    const matcher = this.rule(this.utils[name]);
    this.#open.delete(name);
    this.#utils.set(name, matcher);
    return matcher;
  }

  /** A utility that is being compiled, for a relation in it. */
  #later(name: string): Matcher {
    if (!this.#isRelated) throw new RuleTrouble(`Rule \`${name}\` has a cyclic dependency.`);
    return {
      kinds: undefined,
      variables: [`matches ${name}`],
      test: (node, subject) => this.util(name).test(node, subject),
    };
  }

  #atomic(shape: RuleShape): Matcher[] {
    const parts: Matcher[] = [];
    if (shape.pattern !== undefined) parts.push(this.#pattern(shape.pattern));
    if (shape.kind !== undefined) parts.push(this.#kind(shape.kind));
    if (shape.regex !== undefined) parts.push(regex(shape.regex));
    if (shape.nthChild !== undefined) parts.push(this.#nthChild(shape.nthChild));
    return parts;
  }

  #composite(shape: RuleShape): Matcher[] {
    const parts: Matcher[] = [];
    if (shape.all !== undefined) parts.push(all(shape.all.map((part) => this.rule(part))));
    if (shape.any !== undefined) parts.push(any(shape.any.map((part) => this.rule(part))));
    if (shape.not !== undefined) parts.push(not(this.rule(shape.not)));
    if (shape.matches !== undefined) parts.push(this.util(shape.matches));
    return parts;
  }

  #relational(shape: RuleShape): Matcher[] {
    const parts: Matcher[] = [];
    if (shape.inside !== undefined) parts.push(inside(this.#relation(shape.inside)));
    if (shape.has !== undefined) parts.push(has(this.#relation(shape.has)));
    if (shape.precedes !== undefined) parts.push(precedes(this.#sideways(shape.precedes)));
    if (shape.follows !== undefined) parts.push(follows(this.#sideways(shape.follows)));
    return parts;
  }

  #pattern(shape: NonNullable<RuleShape["pattern"]>): Matcher {
    const { context, selector, strictness } = typeof shape === "string" ? plainPattern(shape) : shape;
    const pattern = this.grammar.pattern(context, selector);
    const passes = STRICTNESS[strictness ?? "smart"];
    const kind = kindOfPattern(pattern);
    return {
      kinds: kind === undefined ? undefined : new Set([kind]),
      variables: variablesOf(pattern.root),
      test: (node, subject) => matchesPattern(pattern, passes, node, subject),
    };
  }

  #kind(name: string): Matcher {
    const kind = this.grammar.kind(name);
    return {
      kinds: new Set([kind]),
      variables: [],
      test: (node, { tree }) => tree.typeOf(node) === kind,
    };
  }

  #nthChild(shape: NonNullable<RuleShape["nthChild"]>): Matcher {
    if (typeof shape !== "object") return nthChild({ position: shape, ofRule: undefined, reverse: false });
    const ofRule = shape.ofRule === undefined ? undefined : this.rule(shape.ofRule);
    return nthChild({ position: shape.position, ofRule, reverse: shape.reverse ?? false });
  }

  #sideways(source: unknown): Relation {
    const relation = this.#relation(source);
    if (relation.field !== undefined) throw new RuleTrouble("field is only supported in has/inside.");
    return relation;
  }

  #relation(source: unknown): Relation {
    const { stopBy, field, ...rule } = read(relationShape, source);
    const wasRelated = this.#isRelated;
    this.#isRelated = true;
    const relation = {
      rule: this.rule(rule),
      stopBy: this.#stopBy(stopBy),
      field: field === undefined ? undefined : this.grammar.field(field),
    };
    this.#isRelated = wasRelated;
    return relation;
  }

  #stopBy(source: unknown): StopBy {
    if (source === undefined) return "neighbor";
    return source === "neighbor" || source === "end" ? source : this.rule(source);
  }
}

function plainPattern(context: string): Exclude<NonNullable<RuleShape["pattern"]>, string> {
  return { context };
}

function regex(source: string): Matcher {
  const expression = toRegExp(source);
  return {
    kinds: undefined,
    variables: [],
    test: (node, { tree, isAscii }) =>
      (isAscii ? expression.ascii : expression.anyScript).test(tree.text(node)),
  };
}

function read<Shape>(shape: z.ZodType<Shape>, source: unknown): Shape {
  const reading = shape.safeParse(source);
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw new RuleTrouble(`${issue?.path.join(".") ?? "rule"}: ${issue?.message ?? "not valid"}`);
}
