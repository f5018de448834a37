/** Reads a parsed document that need not look as expected: what is absent or of another kind is undefined. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#values = isRecord(value) ? value : {};
  }

  get keys(): readonly string[] {
    return Object.keys(this.#values);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    return typeof value === "string" ? value : value instanceof Date ? value.toISOString() : undefined;
  }

  /** A number, unless it is infinite or not one. */
  number(key: string): number | undefined {
    const value = this.value(key);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  numberOr(key: string, fallback: number): number {
    return this.number(key) ?? fallback;
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    return typeof value === "boolean" ? value : undefined;
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const value = this.value(key);
    return allowed.find((word) => word === value);
  }

  fields(key: string): Fields {
    return new Fields(this.value(key));
  }

  list(key: string): readonly unknown[] {
    const value: unknown = this.value(key);
    return Array.isArray(value) ? value : [];
  }

  texts(key: string): readonly string[] {
    return this.list(key).filter((item) => typeof item === "string");
  }

  /** Whether a list stands there that holds nothing but texts. */
  isTexts(key: string): boolean {
    return this.isList(key) && this.texts(key).length === this.list(key).length;
  }

  isMap(key: string): boolean {
    return isRecord(this.value(key));
  }

  isList(key: string): boolean {
    return Array.isArray(this.value(key));
  }

  /** Whatever stands there. */
  value(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
