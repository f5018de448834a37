import path from "node:path";
import { parsePythonJson } from "../model/python-json.js";
import { Fields } from "../model/fields.js";
import { readText } from "../model/read-text.js";
import type { ResultRow } from "./results-file.js";

const FILE = "checkpoint_results.jsonl";

interface Line {
  readonly row: ResultRow;
  /** As it is written; a line that another tool wrote stays as it was. */
  readonly text: string;
}

/** The lines of `checkpoint_results.jsonl`, one a checkpoint, in the order in which they came. */
export class ResultLines {
  readonly #lines = new Map<string, Line>();

  /** Those of a run folder; none when it has no such file. Broken lines are left out. */
  static async read(runFolder: string): Promise<ResultLines> {
    const lines = new ResultLines();
    const text = await readText(path.join(runFolder, FILE)).catch(() => "");
    for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
      const row = parsed(line);
      if (row !== undefined) lines.#lines.set(keyOf(row), { row, text: line });
    }
    return lines;
  }

  get rows(): ResultRow[] {
    return [...this.#lines.values()].map(({ row }) => row);
  }

  get text(): string {
    return [...this.#lines.values()].map(({ text }) => `${text}\n`).join("");
  }

  /** Puts a line in, in the place of an older one of the same checkpoint. */
  put(row: ResultRow): void {
    this.#lines.set(keyOf(row), { row, text: JSON.stringify(row) });
  }

  has(problem: string, checkpoint: string): boolean {
    return this.#lines.has(`${problem}/${checkpoint}`);
  }

  remove(problem: string, checkpoint: string): void {
    this.#lines.delete(`${problem}/${checkpoint}`);
  }

  /** Takes out the lines of a problem's checkpoints that are not among `kept`. */
  keepOnly(problem: string, kept: ReadonlySet<string>): void {
    for (const [key, { row }] of this.#lines) {
      const fields = new Fields(row);
      const isKept = kept.has(fields.text("checkpoint") ?? "");
      if (fields.text("problem") === problem && !isKept) this.#lines.delete(key);
    }
  }
}

function parsed(line: string): ResultRow | undefined {
  try {
    const value = parsePythonJson(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(row: ResultRow): string {
  const fields = new Fields(row);
  return `${fields.text("problem") ?? ""}/${fields.text("checkpoint") ?? ""}`;
}
