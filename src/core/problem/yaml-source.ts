import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter } from "yaml";
import type { Document, YAMLMap } from "yaml";
import { amountWords, decimal, isAmount, type AmountKind } from "../model/amounts.js";
import type { Fault } from "../model/problem.js";
import { suggestion } from "./suggest.js";
import { parseYamlText } from "./yaml-text.js";

/** A place in a YAML file; 1-based. */
export interface Place {
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export const NO_PLACE: Place = { line: undefined, column: undefined };

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

type Convert<T> = (value: unknown, source: string | undefined) => T | undefined;

const asText: Convert<string> = (value, source) => {
  if (typeof value === "string") return value;
  // YAML 1.1 reads `0:0` as a number in base 60; PyYAML, which SCB uses, leaves it as text.
  return typeof value === "number" && source?.startsWith("0") === true && source.includes(":")
    ? source
    : undefined;
};

const asKey: Convert<string> = (value, source) => (typeof value === "string" ? value : source);

const asWholeNumber: Convert<number> = (value) => {
  const number = typeof value === "string" && /^\s*[+-]?\d+\s*$/u.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
};

/** Of a number YAML's own reading must be the same: `010` is 8 to it. */
function asAmount(kind: AmountKind): Convert<number> {
  return (value, source) => {
    const number = decimal(typeof value === "string" ? value : (source ?? ""));
    if (number === undefined || (typeof value === "number" && value !== number)) return undefined;
    return isAmount(kind, number) ? number : undefined;
  };
}

const asFlag: Convert<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  const words: Readonly<Record<string, boolean>> = {
    true: true,
    yes: true,
    "1": true,
    false: false,
    no: false,
    "0": false,
  };
  return typeof value === "string" || typeof value === "number"
    ? words[String(value).toLowerCase()]
    : undefined;
};

/** All errors of a file in one line, `file:line:column: message · line:column: message`; undefined without any. */
export function errorLine(file: string, faults: readonly Fault[]): string | undefined {
  const told = faults
    .filter(({ severity }) => severity === "error")
    .map(({ line = 1, column = 1, message }) => ({ line, column, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${line}:${column}: ${message}`);
  return told.length === 0 ? undefined : `${file}:${told.join(" · ")}`;
}

/** Faults of a file that are told; of more only their number is. */
export const MOST_FAULTS = 50;
const LONGEST_MESSAGE = 1000;

/**
 * A YAML text that knows where everything stands and collects what is wrong with it.
 * Reads YAML 1.1, as PyYAML does; no tag is ever executed.
 */
export class YamlSource {
  readonly faults: Fault[] = [];
  /** Whether the text is YAML at all; what is read of one that is not may be anything. */
  readonly isWellFormed: boolean;
  readonly #lines = new LineCounter();
  readonly #document: Document;
  #untold = 0;

  constructor(
    readonly file: string,
    text: string,
  ) {
    const { document, troubles } = parseYamlText(text, this.#lines);
    this.#document = document;
    this.isWellFormed = troubles.every(({ severity }) => severity !== "error");
    for (const { message, offset, severity } of troubles) {
      this.fault(message, this.#placeAt(offset), severity);
    }
  }

  get hasErrors(): boolean {
    return this.faults.some((fault) => fault.severity === "error");
  }

  /** The document's outermost mapping; undefined when it is anything else. */
  root(): YamlMap | undefined {
    const map = this.mapOf(this.#document.contents);
    return map === undefined ? undefined : new YamlMap(this, map, "the file", { line: 1, column: 1 });
  }

  fault(message: string, place: Place, severity: Fault["severity"] = "error"): void {
    const told = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
    const fault = { file: this.file, line: place.line, column: place.column, message: told, severity };
    if (this.isFull) this.#count(fault);
    else this.faults.push(fault);
  }

  /** Whether so many faults are told that of further ones only the number is: their words need not be found. */
  get isFull(): boolean {
    return this.faults.length >= MOST_FAULTS;
  }

  /** The last fault stands for all that are not told, and is an error when one of them is. */
  #count(fault: Fault): void {
    this.#untold += 1;
    const before = this.faults[MOST_FAULTS];
    const severity = before?.severity === "error" ? "error" : fault.severity;
    const message = `and ${this.#untold.toLocaleString("en-US")} more`;
    this.faults[MOST_FAULTS] = { ...fault, severity, message };
  }

  placeOf(node: unknown): Place {
    return isNode(node) && node.range ? this.#placeAt(node.range[0]) : NO_PLACE;
  }

  /** The node an alias stands for, or the node itself. */
  resolve(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  mapOf(node: unknown): YAMLMap | undefined {
    const resolved = this.resolve(node);
    return isMap(resolved) ? resolved : undefined;
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Reads the fields of one YAML mapping and puts what is wrong with them into the source's faults. */
export class YamlMap {
  readonly #entries = new Map<string, Entry>();

  /** @param what how messages call this mapping, for example `checkpoint "checkpoint_1"` */
  constructor(
    private readonly source: YamlSource,
    map: YAMLMap,
    private readonly what: string,
    private readonly place: Place,
  ) {
    this.#collect(map, 0);
  }

  get keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The text of a key, or undefined; says nothing when it is something else. */
  peek(key: string): string | undefined {
    return this.#scalar(this.#value(key), asText);
  }

  /** Where the key stands; the mapping's own place when it is absent. */
  placeOf(key: string): Place {
    const entry = this.#entries.get(key);
    return entry === undefined ? this.place : this.source.placeOf(entry.key);
  }

  fault(message: string, key: string, severity: Fault["severity"] = "error"): void {
    this.source.fault(message, this.placeOf(key), severity);
  }

  /** Reports every key that is not `known`. */
  rejectUnknown(known: readonly string[]): void {
    for (const key of this.#entries.keys()) {
      if (known.includes(key)) continue;
      const meant = this.source.isFull ? "" : suggestion(key, known);
      const told = meant === "" ? `; known are ${known.join(", ")}` : meant;
      this.fault(`Unknown key "${key}" in ${this.what}${told}`, key);
    }
  }

  /** Reports an absent key. @returns whether it is there */
  require(key: string): boolean {
    if (this.#value(key) !== undefined) return true;
    this.fault(`"${key}" is missing in ${this.what}`, key);
    return false;
  }

  text(key: string): string | undefined {
    return this.#read(key, asText, `must be text${this.#kind(key) ?? " (put it in quotes)"}`);
  }

  requiredText(key: string): string | undefined {
    if (!this.require(key)) return undefined;
    const text = this.text(key);
    if (text?.trim() !== "") return text;
    this.fault(`"${key}" must not be empty`, key);
    return undefined;
  }

  wholeNumber(key: string): number | undefined {
    return this.#read(key, asWholeNumber, "must be a whole number");
  }

  /** A number that makes sense as what it stands for; also in quotes, as SCB takes it. */
  amount(key: string, kind: AmountKind): number | undefined {
    const source = this.#scalar(this.#value(key), (_value, text) => text);
    return this.#read(key, asAmount(kind), `must be ${amountWords(kind, source)}`);
  }

  flag(key: string): boolean | undefined {
    return this.#read(key, asFlag, "must be true or false");
  }

  /** @param otherwise what else the caller reads there, for the message */
  oneOf<T extends string>(key: string, allowed: readonly T[], otherwise = ""): T | undefined {
    if (this.#value(key) === undefined) return undefined;
    const text = this.peek(key);
    const found = allowed.find((word) => word === text);
    if (found !== undefined) return found;
    const kind = this.#kind(key) ?? "";
    const meant = text === undefined ? "" : suggestion(text, allowed);
    this.fault(`"${key}" must be one of ${allowed.join(", ")}${otherwise}${kind}${meant}`, key);
    return undefined;
  }

  texts(key: string): readonly string[] | undefined {
    const node = this.#value(key);
    if (node === undefined) return undefined;
    if (!isSeq(node)) {
      this.fault(`"${key}" must be a list of texts`, key);
      return undefined;
    }
    const texts: string[] = [];
    for (const item of node.items) {
      const text = this.#scalar(item, asText);
      if (text === undefined) {
        this.source.fault(
          `Every item of "${key}" must be text (put it in quotes)`,
          this.source.placeOf(item),
        );
      } else {
        texts.push(text);
      }
    }
    return texts;
  }

  /** A mapping from text to text, such as environment variables; empty when absent. */
  textMap(key: string): Readonly<Record<string, string>> {
    const map = this.map(key, `"${key}"`);
    const texts: Record<string, string> = {};
    for (const name of map?.keys ?? []) {
      const text = map?.text(name);
      if (text !== undefined) texts[name] = text;
    }
    return texts;
  }

  /** @param example what to write instead of something else */
  map(key: string, what: string, example?: string): YamlMap | undefined {
    const node = this.#value(key);
    if (node === undefined) return undefined;
    const map = this.source.mapOf(node);
    if (map !== undefined) return new YamlMap(this.source, map, what, this.placeOf(key));
    const such = example === undefined ? "" : `, such as ${example}`;
    this.fault(`"${key}" must be a mapping${such}`, key);
    return undefined;
  }

  /** The items of a list, each a text or a mapping; empty when absent. @param what how messages call a mapping of it */
  items(key: string, what: string): (string | YamlMap)[] {
    const node = this.#value(key);
    if (node === undefined) return [];
    if (!isSeq(node)) {
      this.fault(`"${key}" must be a list`, key);
      return [];
    }
    return node.items.flatMap((item): (string | YamlMap)[] => {
      const [text, map] = [this.#scalar(item, asText), this.source.mapOf(item)];
      if (text !== undefined) return [text];
      if (map !== undefined) return [new YamlMap(this.source, map, what, this.source.placeOf(item))];
      this.source.fault(`Every item of "${key}" must be text or a mapping`, this.source.placeOf(item));
      return [];
    });
  }

  isList(key: string): boolean {
    return isSeq(this.#value(key));
  }

  isMapping(key: string): boolean {
    return isMap(this.#value(key));
  }

  #collect(map: YAMLMap, depth: number): void {
    for (const pair of map.items) {
      const key = this.#scalar(pair.key, asKey);
      if (key === "<<" && depth < 8) this.#merge(pair.value, depth);
    }
    for (const pair of map.items) {
      const key = this.#scalar(pair.key, asKey);
      if (key !== undefined && key !== "<<") this.#entries.set(key, pair);
    }
  }

  #merge(value: unknown, depth: number): void {
    const resolved = this.source.resolve(value);
    for (const part of isSeq(resolved) ? [...resolved.items].reverse() : [resolved]) {
      const map = this.source.mapOf(part);
      if (map !== undefined) this.#collect(map, depth + 1);
    }
  }

  /** The value's node; undefined when the key is absent or null. */
  #value(key: string): unknown {
    const node = this.source.resolve(this.#entries.get(key)?.value);
    return isScalar(node) && node.value === null ? undefined : (node ?? undefined);
  }

  /** What a value is that no single word can stand for, as an end of a sentence. */
  #kind(key: string): string | undefined {
    if (this.isList(key)) return ", not a list";
    return this.isMapping(key) ? ", not a mapping" : undefined;
  }

  #scalar<T>(node: unknown, convert: Convert<T>): T | undefined {
    const resolved = this.source.resolve(node);
    return isScalar(resolved) ? convert(resolved.value, resolved.source) : undefined;
  }

  #read<T>(key: string, convert: Convert<T>, expected: string): T | undefined {
    const node = this.#value(key);
    if (node === undefined) return undefined;
    const value = this.#scalar(node, convert);
    if (value === undefined) this.fault(`"${key}" ${expected}`, key);
    return value;
  }
}
