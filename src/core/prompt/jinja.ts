import nunjucks from "nunjucks";
import type { Template } from "nunjucks";
import { pythonMethod, pythonText } from "./python-text.js";

/** The functions that a compiled template calls back; two of them are replaced by ours. */
interface Runtime {
  readonly memberLookup: (object: unknown, key: unknown) => unknown;
  readonly suppressValue: (value: unknown, autoescape: boolean) => unknown;
  readonly contextOrFrameLookup: (context: unknown, frame: unknown, key: string) => unknown;
}
type RootRender = (
  engine: unknown,
  context: unknown,
  frame: unknown,
  runtime: Runtime,
  callback: unknown,
) => void;

declare module "nunjucks" {
  // What nunjucks compiles a template to; not in its published types.
  interface Template {
    rootRenderFunc: RootRender;
  }
}

const CONSTANTS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };

/**
 * Attributes as Jinja finds them: methods of `str`, and what a value itself owns. Nothing inherited, so that no
 * template reaches JavaScript's own objects.
 */
function lookUpMember(object: unknown, key: unknown): unknown {
  if (object === undefined) throw new Error(`cannot take "${String(key)}" of an undefined value`);
  if (typeof object === "string") {
    return typeof key === "number" ? object.at(key) : pythonMethod(object, String(key));
  }
  if (typeof object !== "object" || object === null) return undefined;
  if (Array.isArray(object) && typeof key === "number") return object.at(key);
  const name = String(key);
  const member: unknown = Object.getOwnPropertyDescriptor(object, name)?.value;
  return member;
}

/** A fault in a template, with its 1-based line where it is known. */
export class JinjaError extends Error {
  override readonly name = "JinjaError";

  constructor(
    message: string,
    readonly line: number | undefined,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Renders a Jinja template as Jinja2 with its default settings does: nothing escaped, unknown variables empty, one
 * line break at the end of the template dropped. Slices (`spec[:80]`) are not supported.
 * @throws JinjaError
 */
export function renderJinja(source: string, variables: Readonly<Record<string, unknown>>): string {
  const text = source.replaceAll(/\r\n?/gu, "\n").replace(/\n$/u, "");
  const template = located(text, 0, () => compile(text));
  // Lines that nunjucks tells count from 1 while it compiles and from 0 while it renders.
  return located(text, 1, () => template.render({ ...variables }));
}

function compile(text: string): Template {
  const engine = new nunjucks.Environment([], { autoescape: false });
  const template = new nunjucks.Template(text, engine, "template", true);
  const compiled = template.rootRenderFunc;
  template.rootRenderFunc = (own, context, frame, runtime, callback) => {
    const asJinja: Runtime = {
      ...runtime,
      memberLookup: lookUpMember,
      suppressValue: (value) => (value === undefined ? "" : pythonText(value)),
      contextOrFrameLookup: (...where) => runtime.contextOrFrameLookup(...where) ?? CONSTANTS[where[2]],
    };
    compiled(own, context, frame, asJinja, callback);
  };
  return template;
}

function located<T>(source: string, offset: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const message = words
      .replaceAll(/\(template\)(?: \[[^\]]*\])?|(?:Template render )?[Ee]rror: /gu, "")
      .replaceAll(/\s+/gu, " ")
      .trim();
    const told = /\[Line (?<line>\d+)/u.exec(words)?.groups?.["line"];
    const line = told === undefined ? searchLine(message, source) : Number(told) + offset;
    throw new JinjaError(message, line, { cause: error });
  }
}

/** The first line that holds the word a message names, or the last line for something that is never closed. */
function searchLine(message: string, source: string): number | undefined {
  const lines = source.trimEnd().split("\n");
  if (message.includes("end of file")) return lines.length;
  const word = /[`"](?<quoted>\w+)|: (?<last>\w+)$/u.exec(message)?.groups ?? {};
  const name = word["quoted"] ?? word["last"];
  const index = name === undefined ? -1 : lines.findIndex((line) => line.includes(name));
  return index < 0 ? undefined : index + 1;
}
