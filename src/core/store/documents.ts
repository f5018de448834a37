import { isUtf8 } from "node:buffer";
import { LineCounter } from "yaml";
import type { Fault } from "../model/problem.js";
import { parsePythonJson } from "../model/python-json.js";
import { isStackEnd, parseYamlText, TOO_DEEP } from "../problem/yaml-text.js";
import { readBytes } from "../model/read-text.js";

/** What was read of the texts that came last: each problem's configuration lies in every run of it. */
const known = new Map<string, unknown>();
const MOST_KNOWN = 200;
const LONGEST_KNOWN = 100_000;

/** Reads the first document of a YAML text as plain values. Unknown tags are passed over, never executed. */
function parseYaml(text: string): unknown {
  if (known.has(text)) return known.get(text);
  const value = parseAnew(text);
  if (text.length <= LONGEST_KNOWN) known.set(text, value);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return value;
}

/** A YAML text that is broken, with the line where that is seen. */
class YamlFault extends Error {
  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

function parseAnew(text: string): unknown {
  const lines = new LineCounter();
  const { document, refusal } = parseYamlText(text, lines);
  const [error] = document.errors;
  if (refusal !== undefined) throw new YamlFault(refusal, undefined);
  if (error !== undefined) throw new YamlFault(error.message, lines.linePos(error.pos[0]).line);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    throw isStackEnd(thrown) ? new YamlFault(TOO_DEEP, undefined) : thrown;
  }
}

/** In bytes; tools write reports of some megabytes. */
const LARGEST = 256 * 1024 * 1024;

/** Reads the files of a run folder. Any of them may be absent or broken: that is told, and the rest still shows. */
export class DocumentReader {
  readonly faults: Fault[] = [];

  fault(file: string, message: string, severity: Fault["severity"] = "warning", line?: number): void {
    this.faults.push({ file, line, column: undefined, message, severity });
  }

  /** @returns undefined when the file is absent (not a fault) or broken (a fault) */
  async json(file: string): Promise<unknown> {
    return this.#parse(file, await this.text(file), parsePythonJson);
  }

  /** As {@link json} for a file of our own, in which bytes that are no UTF-8 are damage, not somebody's output. */
  async record(file: string): Promise<unknown> {
    const bytes = await this.#bytes(file);
    if (bytes === undefined || isUtf8(bytes))
      return this.#parse(file, bytes?.toString("utf8"), parsePythonJson);
    this.fault(file, "This file is broken: it is not UTF-8", "error");
    return undefined;
  }

  async yaml(file: string): Promise<unknown> {
    return this.#parse(file, await this.text(file), parseYaml);
  }

  /** One value a line; broken lines are told and left out. */
  async jsonLines(file: string): Promise<unknown[]> {
    const lines = (await this.text(file))?.split("\n") ?? [];
    return lines.flatMap((line, index) => {
      if (line.trim() === "") return [];
      try {
        return [parsePythonJson(line)];
      } catch (error) {
        this.fault(file, `This line cannot be read: ${messageOf(error)}`, "error", index + 1);
        return [];
      }
    });
  }

  async text(file: string): Promise<string | undefined> {
    return (await this.#bytes(file))?.toString("utf8");
  }

  async #bytes(file: string): Promise<Buffer | undefined> {
    try {
      return await readBytes(file, LARGEST);
    } catch (error) {
      const absent = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!absent) this.fault(file, `This file cannot be read: ${messageOf(error)}`, "error");
      return undefined;
    }
  }

  #parse(file: string, text: string | undefined, parse: (text: string) => unknown): unknown {
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      this.fault(file, `This file is broken: ${messageOf(error)}`, "error", lineOf(error, text));
      return undefined;
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

function lineOf(error: unknown, text: string): number | undefined {
  if (error instanceof YamlFault) return error.line;
  if (!(error instanceof Error)) return undefined;
  const told = /position (?<at>\d+)/u.exec(error.message)?.groups?.["at"];
  const offset = error.message.includes("end of JSON") ? text.length : told;
  return offset === undefined ? undefined : text.slice(0, Number(offset)).split("\n").length;
}
