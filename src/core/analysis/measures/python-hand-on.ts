import type { FlatTree } from "../tree/flat-tree.js";
import { findDefinitions, type Definition } from "./callables.js";
import { importedName } from "./python-imports.js";
import { isPlainStringStatement } from "./python-strings.js";
import type { CalledName, HandingOn, SymbolReading } from "./structural.js";

const NODES = {
  arguments: ["argument_list"],
  body: ["block"],
  name: ["identifier"],
  parameters: ["parameters"],
} as const;
const DEFINITIONS: ReadonlySet<string> = new Set([
  "function_definition",
  "class_definition",
  "decorated_definition",
]);
/** Parameters besides plain names whose name scb-check 0.2.0 reads. */
const NAMED_PARAMETERS: ReadonlySet<string> = new Set([
  "typed_parameter",
  "default_parameter",
  "typed_default_parameter",
  "list_splat_pattern",
  "dictionary_splat_pattern",
]);
/** Expressions that scb-check 0.2.0 looks into for calls; in others, such as `await` or a subscript, it sees none. */
const COMPOUND: ReadonlySet<string> = new Set([
  ...["list", "tuple", "dictionary", "set"],
  ...["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"],
  ...["binary_operator", "boolean_operator", "comparison_operator", "not_operator", "unary_operator"],
  "conditional_expression",
]);
/** What stands between a call's children and is not what is called. */
const CALL_PUNCTUATION: ReadonlySet<string> = new Set(["argument_list", "(", ")", ","]);
const RECEIVERS: ReadonlySet<string> = new Set(["self", "cls"]);

/** Classes and callables of a file with what scb-check 0.2.0 has to know of them to call one a trivial wrapper. */
export function pythonSymbols(tree: FlatTree, imports: ReadonlyMap<string, string>): SymbolReading[] {
  const reader = new Reader(tree, imports);
  return findDefinitions(tree).map((definition) => reader.read(definition));
}

class Reader {
  constructor(
    private readonly tree: FlatTree,
    private readonly imports: ReadonlyMap<string, string>,
  ) {}

  read(definition: Definition): SymbolReading {
    const { qualifiedName, isCallable, node } = definition;
    if (!isCallable) return { qualifiedName, isCallable, calls: [] };
    const statements = this.#statements(node);
    const calls = this.#callsOf(statements);
    const handsOn = this.#isBound(definition) ? undefined : this.#handsOn(definition, statements);
    return {
      qualifiedName,
      isCallable,
      ...(calls !== undefined && { calls }),
      ...(handsOn !== undefined && { handsOn }),
    };
  }

  /** Statements of the body, docstrings and comments aside. */
  #statements(callable: number): number[] {
    const { tree } = this;
    const body = tree.firstChild(callable, tree.grammar.mask(NODES.body));
    if (body === undefined) return [];
    return tree.children(body).filter((child) => {
      const name = tree.nameOf(child);
      return (name.endsWith("_statement") || DEFINITIONS.has(name)) && !isPlainStringStatement(tree, child);
    });
  }

  /** Whether a definition has a reason to exist besides what it does: its name, a decorator, or a base class. */
  #isBound({ node, name, owner }: Definition): boolean {
    const { tree } = this;
    if (name.startsWith("__") && name.endsWith("__")) return true;
    const parent = tree.parentOf(node);
    if (parent >= 0 && tree.nameOf(parent) === "decorated_definition") return true;
    if (owner === undefined || RECEIVERS.has(name)) return false;
    const bases = tree.firstChild(owner, tree.grammar.mask(NODES.arguments));
    return bases !== undefined && tree.namedChildren(bases).length > 0;
  }

  #callsOf(statements: readonly number[]): readonly CalledName[] | undefined {
    const calls = new Map<string, CalledName>();
    for (const statement of statements) {
      if (this.tree.nameOf(statement) === "raise_statement") return undefined;
      const value = this.#valueOf(statement);
      if (value === undefined) continue;
      for (const call of this.#callsIn(value)) {
        const name = this.#calledName(call);
        if (name === undefined) return undefined;
        calls.set(`${name.imported} ${name.plain ?? ""}`, name);
      }
    }
    return [...calls.values()];
  }

  /** The value of a `return`, or the call that a statement consists of. */
  #valueOf(statement: number): number | undefined {
    const type = this.tree.nameOf(statement);
    const [first] = this.tree.namedChildren(statement);
    if (first === undefined || type === "return_statement") return first;
    return type === "expression_statement" && this.tree.nameOf(first) === "call" ? first : undefined;
  }

  #callsIn(value: number): number[] {
    const calls: number[] = [];
    const open = [value];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const type = this.tree.nameOf(node);
      if (type === "call") {
        calls.push(node);
        open.push(...this.#argumentsOf(node));
      } else if (COMPOUND.has(type)) {
        open.push(...this.tree.namedChildren(node));
      }
    }
    return calls;
  }

  #argumentsOf(call: number): number[] {
    const list = this.tree.firstChild(call, this.tree.grammar.mask(NODES.arguments));
    return list === undefined ? [] : this.tree.namedChildren(list);
  }

  /** Undefined when what is called is neither a name nor an attribute. */
  #calledName(call: number): CalledName | undefined {
    const { tree } = this;
    const target = tree.children(call).find((child) => !CALL_PUNCTUATION.has(tree.nameOf(child)));
    if (target === undefined || !["identifier", "attribute"].includes(tree.nameOf(target))) return undefined;
    const name = tree.text(target);
    const imported = importedName(name, this.imports);
    return name.includes(".") ? { imported } : { imported, plain: name };
  }

  #handsOn({ node, name, kind }: Definition, statements: readonly number[]): HandingOn | undefined {
    const { tree } = this;
    const value = this.#onlyReturned(statements);
    if (value === undefined) return undefined;
    const parameters = this.#parameters(node);
    if (kind === "method") for (const receiver of RECEIVERS) parameters.delete(receiver);
    const span = { name, start: tree.firstLine(node), end: tree.lastLine(node) };
    if (tree.nameOf(value) === "identifier") {
      return parameters.has(tree.text(value)) ? span : undefined;
    }
    const to = this.#forwardedTo(value, parameters);
    return to === undefined ? undefined : { ...span, to };
  }

  /** The value of the `return` that a body consists of. */
  #onlyReturned([only, ...others]: readonly number[]): number | undefined {
    if (only === undefined || others.length > 0) return undefined;
    return this.tree.nameOf(only) === "return_statement" ? this.#valueOf(only) : undefined;
  }

  /** What a value calls, when it is a call with exactly the parameters. */
  #forwardedTo(value: number, parameters: ReadonlySet<string>): CalledName | undefined {
    if (this.tree.nameOf(value) !== "call" || !this.#passesExactly(value, parameters)) return undefined;
    return this.#calledName(value);
  }

  #parameters(callable: number): Set<string> {
    const { tree } = this;
    const names = new Set<string>();
    const list = tree.firstChild(callable, tree.grammar.mask(NODES.parameters));
    for (const child of list === undefined ? [] : tree.children(list)) {
      const type = tree.nameOf(child);
      if (type === "identifier") names.add(tree.text(child));
      else if (NAMED_PARAMETERS.has(type)) {
        const name = tree.firstChild(child, tree.grammar.mask(NODES.name));
        if (name !== undefined) names.add(tree.text(name));
      }
    }
    return names;
  }

  /** Whether a call's arguments are the parameters, each once and by position, in whatever order. */
  #passesExactly(call: number, parameters: ReadonlySet<string>): boolean {
    const passed = this.#argumentsOf(call);
    const names = new Set<string>();
    for (const node of passed) if (this.tree.nameOf(node) === "identifier") names.add(this.tree.text(node));
    if (parameters.size === 0 || names.size !== passed.length || names.size !== parameters.size) return false;
    return [...names].every((name) => parameters.has(name));
  }
}
