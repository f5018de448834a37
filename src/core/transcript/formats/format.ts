import { Fields } from "../../model/fields.js";
import { parsePythonJson } from "../../model/python-json.js";
import type { TranscriptFormat } from "../../model/transcript.js";
import type { TranscriptBuilder } from "../builder.js";

/** Reads a file of one form, line by line. */
export interface LineReader {
  take(line: string, number: number): void;
  /** After the last line. */
  end(): void;
}

/** A form of transcript that is written line by line. */
export interface LineFormat {
  readonly format: TranscriptFormat;
  /** Whether a line, one of a file's first, is of this form and no other. */
  recognises(event: Fields): boolean;
  reader(builder: TranscriptBuilder): LineReader;
}

/** A reader of JSON lines. A line that is no JSON is a fault, and reading goes on. */
export function jsonLines(builder: TranscriptBuilder, onEvent: (event: Fields) => void): LineReader {
  return {
    take(line, number) {
      const event = parseLine(line);
      if (event !== undefined) onEvent(event);
      else if (line.trim() !== "") builder.faults.add("This line is not JSON and was passed over", number);
    },
    end: () => undefined,
  };
}

/** What is done with each type of event; events of other types are passed over. */
export type Handlers = Readonly<Record<string, (event: Fields) => void>>;

export function handle(handlers: Handlers, type: string | undefined, event: Fields): void {
  if (type !== undefined && Object.hasOwn(handlers, type)) handlers[type]?.(event);
}

/** The JSON object on a line; undefined when there is none. */
export function parseLine(line: string): Fields | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    return new Fields(parsePythonJson(line));
  } catch {
    return undefined;
  }
}

/** The objects of a list; everything else in it is passed over. */
export function records(list: readonly unknown[]): Fields[] {
  return list
    .filter((item) => typeof item === "object" && item !== null && !Array.isArray(item))
    .map((item) => new Fields(item));
}

/**
 * Content as text, in the ways that agents write it: a string, a list of blocks with `text`, or an object with `content`
 * or `text`. Anything else is written as JSON; undefined for nothing.
 */
export function contentText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(blockText).join("");
  if (typeof value === "object") {
    const fields = new Fields(value);
    if (fields.has("content")) return contentText(fields.value("content"));
    return fields.text("text") ?? JSON.stringify(value);
  }
  return JSON.stringify(value);
}

function blockText(block: unknown): string {
  if (typeof block === "string") return block;
  const fields = new Fields(block);
  const text = fields.text("text");
  if (text !== undefined) return text;
  const type = fields.text("type");
  return type?.includes("image") === true ? "[image]" : JSON.stringify(block);
}

/** A JSON text as its value; the text itself when it is none. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Milliseconds since 1970 as ISO 8601. */
export function isoTime(milliseconds: number | undefined): string | undefined {
  if (milliseconds === undefined || Math.abs(milliseconds) > 8.64e15) return undefined;
  return new Date(milliseconds).toISOString();
}
