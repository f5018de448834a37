import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import type { LanguageId, RuleSetInfo } from "../../model/quality.js";
import type { FileResult, Keep } from "../measurer.js";
import type { ChosenRules } from "./chosen-rules.js";
import { DiskCache, type DiskCacheOptions } from "./disk-cache.js";
import { encodeResult, storedResult } from "./encode.js";

/** Set by the build: a hash over the sources and packages that decide what is measured. */
declare const SLOP_LENS_MEASURES: string | undefined;
/** What is run from its sources has nothing to say for the next process, whose sources may be others. */
const MEASURES = typeof SLOP_LENS_MEASURES === "undefined" ? randomUUID() : SLOP_LENS_MEASURES;

/** What a result depends on, besides the bytes of the file. */
export interface ResultContext {
  readonly language: LanguageId;
  /** Name in the report; rules may be for some paths only. */
  readonly path: string;
  readonly rules: ChosenRules;
}

/** Results of files by their content, kept on disk for all processes of a user. */
export class MeasureCache {
  readonly #disk: DiskCache;

  /** @param folder the product's cache folder, absolute */
  constructor(folder: string, options?: DiskCacheOptions) {
    this.#disk = new DiskCache(join(folder, "measures"), options);
  }

  find(context: ResultContext, bytes: Uint8Array): FileResult | undefined {
    const value = this.#disk.read(resultKey(context, bytes));
    return value === undefined ? undefined : storedResult(value);
  }

  keep(context: ResultContext, bytes: Uint8Array, result: FileResult): void {
    this.#disk.write(resultKey(context, bytes), encodeResult(result));
  }

  /** What is known of a rule set, so that it need not be made ready to be named in a report. */
  ruleSet(rules: ChosenRules, languages: readonly LanguageId[]): RuleSetInfo | undefined {
    // Written by `keepRuleSet`, under the same key.
    return this.#json(ruleSetKey(rules, languages)) as RuleSetInfo | undefined;
  }

  /** Sets with faults are read anew each time, because a fault names a file's place. */
  keepRuleSet(rules: ChosenRules, languages: readonly LanguageId[], info: RuleSetInfo): void {
    if (info.hash !== rules.hash || info.faults !== undefined) return;
    this.#disk.write(ruleSetKey(rules, languages), Buffer.from(JSON.stringify(info)));
  }

  /** Values that depend on their parts only. */
  readonly made: Keep = async (name, parts, make) => {
    const key = sha256(JSON.stringify(["made", MEASURES, name, parts]));
    const known = this.#json(key);
    // Whoever names a value by the same parts wrote the same type.
    if (known !== undefined) return known as Awaited<ReturnType<typeof make>>;
    const value = await make();
    this.#disk.write(key, Buffer.from(JSON.stringify(value)));
    return value;
  };

  #json(key: string): unknown {
    const value = this.#disk.read(key);
    if (value === undefined) return undefined;
    return readable<unknown>(() => JSON.parse(Buffer.from(value).toString()));
  }
}

function resultKey({ language, path, rules }: ResultContext, bytes: Uint8Array): string {
  const name = rules.byPath.includes(language) ? path : null;
  return createHash("sha256")
    .update(JSON.stringify(["result", MEASURES, language, ruleSide(rules), name]))
    .update(bytes)
    .digest("hex");
}

function ruleSetKey(rules: ChosenRules, languages: readonly LanguageId[]): string {
  const { folders, added } = rules.choice;
  const parts = ["rule set", MEASURES, ruleSide(rules), folders ?? null, added, languages];
  return sha256(JSON.stringify(parts));
}

/** Compiled parts differ by platform, and some platforms have none for some languages. */
function ruleSide({ hash }: ChosenRules): string {
  return `${hash} ${process.platform} ${process.arch}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
