import type { Language as TreeSitterLanguage } from "web-tree-sitter";
import type { Language } from "../languages/language.js";

/** A loaded grammar: node types as numbers, and tables over them that measures look up instead of names. */
export class Grammar {
  /** Type number → name. Named and unnamed types may share a name. */
  readonly names: readonly string[];
  /** Type number → smallest number of the same name. */
  readonly codes: Uint16Array;
  /** Type number → 1 when the type is a named one. */
  readonly named: Uint8Array;
  readonly #masks = new WeakMap<readonly string[], Uint8Array>();
  readonly #tables = new WeakMap<object, readonly unknown[]>();

  constructor(
    readonly language: Language,
    grammar: TreeSitterLanguage,
  ) {
    this.names = grammar.types;
    const first = new Map<string, number>();
    this.codes = Uint16Array.from(grammar.types, (name, type) => {
      if (!first.has(name)) first.set(name, type);
      return first.get(name) ?? type;
    });
    this.named = Uint8Array.from(grammar.types, (_, type) => Number(grammar.nodeTypeIsNamed(type)));
  }

  /** Type number → 1 for types with one of the names. The array is the cache key: pass constants. */
  mask(names: readonly string[]): Uint8Array {
    let mask = this.#masks.get(names);
    if (mask === undefined) {
      const wanted = new Set(names);
      mask = Uint8Array.from(this.names, (name) => Number(wanted.has(name)));
      this.#masks.set(names, mask);
    }
    return mask;
  }

  /** Type number → the entry of the type's name. The record is the cache key: pass constants. */
  table<Entry>(record: Readonly<Record<string, Entry>>): readonly (Entry | undefined)[] {
    let table = this.#tables.get(record) as readonly (Entry | undefined)[] | undefined;
    if (table === undefined) {
      table = this.names.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
      this.#tables.set(record, table);
    }
    return table;
  }
}
