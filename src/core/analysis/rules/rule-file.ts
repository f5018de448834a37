import { isMap, LineCounter, parseAllDocuments, type Document } from "yaml";
import { z } from "zod";
import type { Fault } from "../../model/problem.js";
import type { LanguageId } from "../../model/quality.js";
import { RULE_LANGUAGES, ruleLanguage } from "./rule-language.js";
import { isStackEnd, TOO_DEEP, yamlRefusal } from "../../problem/yaml-text.js";

const ruleObject = z.record(z.string(), z.unknown());
const globs = z.array(
  z.union([z.string(), z.looseObject({ glob: z.string() }).transform((entry) => entry.glob)]),
);

const languageName = z.string().transform((name, context) => {
  const language = ruleLanguage(name);
  if (language !== undefined) return language;
  const message = `there are no rules for ${name}; the languages are ${RULE_LANGUAGES.join(", ")}`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const ruleDocument = z.looseObject({
  id: z.string().min(1),
  language: languageName,
  message: z.string().nullish(),
  note: z.string().nullish(),
  severity: z.enum(["hint", "info", "warning", "error", "off"]).nullish(),
  rule: ruleObject,
  constraints: z.record(z.string(), ruleObject).nullish(),
  utils: z.record(z.string(), ruleObject).nullish(),
  transform: ruleObject.nullish(),
  fix: z.unknown().optional(),
  files: globs.nullish(),
  ignores: globs.nullish(),
  metadata: z.looseObject({ languages: z.array(languageName).optional() }).nullish(),
});

/** The parts of an ast-grep rule that decide what it matches; as in the YAML, not yet checked by ast-grep. */
export interface RuleBody {
  readonly rule: Readonly<Record<string, unknown>>;
  readonly constraints: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly utils: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Variables made of others; they may stand in the message and change no match. */
  readonly transform: Readonly<Record<string, unknown>> | undefined;
}

/** One rule of a rule file. */
export interface RuleSource extends RuleBody {
  readonly id: string;
  readonly file: string;
  /** 1-based line of the rule's `id`. */
  readonly line: number;
  /** The languages that the rule is applied to: its `language` and those of `metadata.languages`. */
  readonly languages: readonly [LanguageId, ...LanguageId[]];
  readonly severity: "hint" | "info" | "warning" | "error" | "off";
  /** May name metavariables (`$NAME`), as ast-grep allows. */
  readonly message: string;
  readonly note: string | undefined;
  /** What a match is to be replaced by, as in the YAML. */
  readonly fix: unknown;
  /** Globs of paths the rule applies to; undefined for all. */
  readonly files: readonly string[] | undefined;
  readonly ignores: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface RuleFileReading {
  readonly rules: readonly RuleSource[];
  readonly faults: readonly Fault[];
}

/**
 * Reads an ast-grep rule file: YAML with one rule a document. A broken document costs only itself.
 * @param file absolute path, for faults
 */
export function readRuleFile(file: string, text: string): RuleFileReading {
  const lines = new LineCounter();
  const refusal = yamlRefusal(text);
  if (refusal !== undefined) return onlyFault(file, refusal);
  try {
    return readDocuments(file, text, lines);
  } catch (error) {
    // The library calls itself for each level of indentation.
    if (isStackEnd(error)) return onlyFault(file, TOO_DEEP);
    throw error;
  }
}

function readDocuments(file: string, text: string, lines: LineCounter): RuleFileReading {
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const rules: RuleSource[] = [];
  const faults: Fault[] = [];
  if (!Array.isArray(documents)) return noRules(file);
  for (const document of documents) {
    if (document.errors.some(isStackEnd)) return onlyFault(file, TOO_DEEP);
    const reading = readDocument(file, document, lines);
    if (reading === undefined) continue;
    if ("id" in reading) rules.push(reading);
    else faults.push(reading);
  }
  return rules.length + faults.length > 0 ? { rules, faults } : noRules(file);
}

/** A file without a word of code would pass for rules that find nothing. */
function noRules(file: string): RuleFileReading {
  return onlyFault(file, "the file holds no rule");
}

function onlyFault(file: string, message: string): RuleFileReading {
  return {
    rules: [],
    faults: [{ file, line: undefined, column: undefined, severity: "error", message }],
  };
}

function readDocument(file: string, document: Document, lines: LineCounter): RuleSource | Fault | undefined {
  const [error] = document.errors;
  if (error !== undefined) {
    const place = lines.linePos(error.pos[0]);
    return { file, line: place.line, column: place.col, message: error.message, severity: "error" };
  }
  if (document.contents === null) return undefined;
  const start = lines.linePos(keyOffset(document, "id"));
  const parsed = ruleDocument.safeParse(document.toJS());
  if (!parsed.success) return schemaFault(file, document, lines, parsed.error);
  return { file, line: start.line, ...toSource(parsed.data) };
}

function toSource(data: z.infer<typeof ruleDocument>): Omit<RuleSource, "file" | "line"> {
  return {
    id: data.id,
    languages: languagesOf(data),
    severity: data.severity ?? "hint",
    message: data.message ?? data.id,
    note: data.note ?? undefined,
    rule: data.rule,
    constraints: data.constraints ?? undefined,
    utils: data.utils ?? undefined,
    transform: data.transform ?? undefined,
    fix: data.fix,
    files: data.files ?? undefined,
    ignores: data.ignores ?? undefined,
    metadata: data.metadata ?? {},
  };
}

function languagesOf({ language: first, metadata }: z.infer<typeof ruleDocument>): RuleSource["languages"] {
  return [first, ...new Set(metadata?.languages?.filter((language) => language !== first))];
}

function schemaFault(file: string, document: Document, lines: LineCounter, error: z.ZodError): Fault {
  const [issue] = error.issues;
  const key = String(issue?.path[0] ?? "");
  const id = isMap(document.contents) ? document.contents.get("id") : undefined;
  const place = lines.linePos(keyOffset(document, key));
  const whose = typeof id === "string" ? `rule ${id}` : "rule without id";
  const what =
    key === "" ? "not a rule" : `${issue?.path.join(".") ?? key}: ${issue?.message ?? "not valid"}`;
  return { file, line: place.line, column: place.col, message: `${whose}: ${what}`, severity: "error" };
}

/** Offset of a top-level key of the document, or of the document itself when the key is missing. */
function keyOffset(document: Document, key: string): number {
  const { contents } = document;
  if (!isMap(contents)) return contents?.range?.[0] ?? 0;
  for (const pair of contents.items) {
    const node = pair.key;
    if (isScalarWithRange(node) && node.value === key) return node.range[0];
  }
  return contents.range?.[0] ?? 0;
}

function isScalarWithRange(node: unknown): node is { value: unknown; range: [number, number, number] } {
  return (
    typeof node === "object" &&
    node !== null &&
    "value" in node &&
    "range" in node &&
    Array.isArray(node.range)
  );
}
