import type { Language as TreeSitterLanguage } from "web-tree-sitter";
import type { Language } from "../languages/language.js";

/** A loaded grammar: node types as numbers, and tables over them that measures look up instead of names. */
export class Grammar {
  /** Type number → name. Named and unnamed types may share a name. */
  readonly names: readonly string[];
  /** Type number → 1 when the type is a named one. */
  readonly named: Uint8Array;
  /** Type number → 1 for comments, which ast-grep tells by the name. */
  readonly comments: Uint8Array;
  /** Type number → the name that tables know it by: a token that shares its name with a node has none. */
  readonly #tableNames: readonly string[];
  readonly #masks = new WeakMap<readonly string[], Uint8Array>();
  readonly #tables = new WeakMap<object, readonly unknown[]>();

  constructor(
    readonly language: Language,
    /** As tree-sitter has it. */
    readonly source: TreeSitterLanguage,
  ) {
    // The array has holes where a type never shows.
    this.names = Array.from(source.types, (name: string | undefined) => name ?? "");
    this.named = Uint8Array.from(this.names, (_, type) => Number(source.nodeTypeIsNamed(type)));
    this.comments = Uint8Array.from(this.names, (name) => Number(name.includes("comment")));
    const nodes = new Set(this.names.filter((_, type) => this.named[type] === 1));
    this.#tableNames = this.names.map((name, type) =>
      this.named[type] === 1 || !nodes.has(name) ? name : "",
    );
  }

  /** Type number → 1 for types with one of the names. The array is the cache key: pass constants. */
  mask(names: readonly string[]): Uint8Array {
    let mask = this.#masks.get(names);
    if (mask === undefined) {
      const wanted = new Set(names);
      mask = Uint8Array.from(this.#tableNames, (name) => Number(wanted.has(name)));
      this.#masks.set(names, mask);
    }
    return mask;
  }

  /** Type number → the entry of the type's name. The record is the cache key: pass constants. */
  table<Entry>(record: Readonly<Record<string, Entry>>): readonly (Entry | undefined)[] {
    let table = this.#tables.get(record) as readonly (Entry | undefined)[] | undefined;
    if (table === undefined) {
      table = this.#tableNames.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
      this.#tables.set(record, table);
    }
    return table;
  }
}
