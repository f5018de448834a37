import {
  Document,
  isCollection,
  isMap,
  isPair,
  isScalar,
  Lexer,
  parseDocument,
  type LineCounter,
} from "yaml";
import type { YAMLMap } from "yaml";
import type { Fault } from "../model/problem.js";

/** Something wrong with a YAML text. */
export interface YamlTrouble {
  readonly message: string;
  /** Index into the text. */
  readonly offset: number;
  readonly severity: Fault["severity"];
}

export interface YamlReading {
  /** Empty when the text was refused as a whole. */
  readonly document: Document;
  readonly troubles: readonly YamlTrouble[];
  /** Why the text was refused as a whole; undefined when it was not. */
  readonly refusal: string | undefined;
}

/** In UTF-16 units. The largest configurations that people write are a hundredth of it. */
const LARGEST = 1024 * 1024;

/** Levels of brackets, or of lists begun in one line. */
const DEEPEST = 100;
const BRACKETS: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };
const MARKS = ["-", "?"];
export const TOO_DEEP = "The file is nested too deeply to be read as YAML; flatten it";
/** What the library makes of the end of the stack where it catches that itself. */
const STACK_END = "Maximum call stack";

/** Whether an error, of the library or thrown, says that a text is nested too deeply. */
export function isStackEnd(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.message.startsWith(STACK_END));
}

/** The lexer's sign that the next token is the text of a scalar. */
const SCALAR_FOLLOWS = "\x1f";

/** What UTF-16 leaves behind when it is read as UTF-8: its byte order mark, or the empty half of each letter. */
const UTF16 = /^\uFFFD\uFFFD|\0/u;

/** The letters of a text that may be UTF-16 read as UTF-8, good enough to look for words in it. */
export function roughText(text: string): string {
  return text.replaceAll("\0", "");
}

/**
 * Parses a YAML text written by people, as YAML 1.1. Never throws, and takes time in proportion to the text: one that
 * is too large, too deep or not UTF-8 is refused in words.
 */
export function parseYamlText(text: string, lines: LineCounter): YamlReading {
  const refusal = yamlRefusal(text);
  if (refusal !== undefined) return refused(refusal);
  try {
    // The library compares every key with each before it, so equal keys are looked for here.
    const options = { version: "1.1", prettyErrors: false, logLevel: "silent", uniqueKeys: false } as const;
    const document = parseDocument(text, { ...options, lineCounter: lines });
    const errors = [...document.errors, ...document.warnings].map(({ message, pos }): YamlTrouble => ({
      message,
      offset: pos[0],
      severity: "error",
    }));
    if (document.errors.some(isStackEnd)) return refused(TOO_DEEP);
    return { document, troubles: [...errors, ...equalKeys(document)], refusal: undefined };
  } catch (error) {
    // The library calls itself for each level of indentation.
    if (isStackEnd(error)) return refused(TOO_DEEP);
    throw error;
  }
}

/**
 * Why a text is not given to the YAML library at all, which would take long or run out of stack; undefined when it may be.
 * Indentation is not looked at: {@link isStackEnd} tells where that was too deep.
 */
export function yamlRefusal(text: string): string | undefined {
  if (text.length > LARGEST) {
    const size = (text.length / LARGEST).toFixed(1);
    return `The file is too large to be read as YAML: ${size} Mi characters, and at most 1 Mi are; move data to files of its own`;
  }
  if (UTF16.test(text)) return "The file is not UTF-8 but seems to be UTF-16; save it as UTF-8";
  return isDeep(text) ? TOO_DEEP : undefined;
}

/** Whether brackets, or the dashes and question marks of one line, are nested beyond {@link DEEPEST}. */
function isDeep(text: string): boolean {
  let brackets = 0;
  let marks = 0;
  for (const token of syntaxOf(text)) {
    brackets += BRACKETS[token] ?? 0;
    if (token.endsWith("\n")) marks = 0;
    else if (brackets === 0 && MARKS.includes(token)) marks += 1;
    if (Math.max(brackets, marks) > DEEPEST) return true;
  }
  return false;
}

/** The tokens of a YAML text, but for its scalars. */
function* syntaxOf(text: string): Generator<string> {
  let isScalarNext = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalarNext) yield token;
    isScalarNext = !isScalarNext && token === SCALAR_FOLLOWS;
  }
}

function refused(message: string): YamlReading {
  return {
    document: new Document(null),
    troubles: [{ message, offset: 0, severity: "error" }],
    refusal: message,
  };
}

/** PyYAML takes the last of two equal keys without a word, so each but the first is a warning. */
function equalKeys(document: Document): YamlTrouble[] {
  const troubles: YamlTrouble[] = [];
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.value, node.key);
    if (!isCollection(node)) continue;
    if (isMap(node)) troubles.push(...equalKeysOf(node));
    for (const item of node.items) open.push(item);
  }
  return troubles.sort((one, other) => one.offset - other.offset);
}

function equalKeysOf(map: YAMLMap): YamlTrouble[] {
  const troubles: YamlTrouble[] = [];
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) {
      troubles.push({
        message: "Map keys must be unique",
        offset: key.range?.[0] ?? 0,
        severity: "warning",
      });
    }
    seen.add(key.value);
  }
  return troubles;
}
