import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { SlopLensError, type ErrorCode } from "../model/errors.js";
import { StringDecoder } from "node:string_decoder";
import { z } from "zod";

/** What hidden tests may use without asking; pytest comes first. */
const TEST_PACKAGES = ["pytest>=7", "pytest-timeout", "jsonschema", "deepdiff"] as const;

/** Input of `harness/provision.py`; meanings stand there. */
export type ProvisionSpec =
  | {
      readonly stage: "environments";
      readonly folder: string;
      readonly packages: readonly string[];
      readonly required: readonly string[];
      readonly user: string | null;
      readonly home: string | null;
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly stage: "requirements";
      readonly folder: string;
      readonly source: string | null;
      readonly requirements: string | null;
      readonly pipFrom: string | null;
      readonly emptySource: boolean;
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly stage: "layer";
      readonly folder: string;
      readonly target: string;
      readonly name: string;
      readonly commands: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

export interface Provisioned {
  readonly python: string;
  readonly uid: number | null;
  readonly gid: number | null;
  /** Made without the package index; worth another try later. */
  readonly offline: boolean;
  readonly warnings: readonly string[];
}

const CODES = [
  "image-unsuitable",
  "dependencies-unavailable",
  "disk-full",
  "agent-invalid",
] as const satisfies ErrorCode[];

const eventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("progress"), line: z.string() }),
  z.object({
    event: z.literal("done"),
    python: z.string(),
    uid: z.number().nullable(),
    gid: z.number().nullable(),
    offline: z.boolean(),
    warnings: z.array(z.string()),
  }),
  z.object({ event: z.literal("failed"), code: z.enum(CODES), message: z.string(), hint: z.string() }),
]);

/** Our installer script and a hash over everything that decides what it makes. */
export interface Recipe {
  readonly script: string;
  readonly hash: string;
}

/** @param harness folder of the product's Python files */
export async function readRecipe(harness: string): Promise<Recipe> {
  const script = await readFile(path.join(harness, "provision.py"), "utf8");
  return { script, hash: hashOf(script, ...TEST_PACKAGES) };
}

/** Hash over texts, in which neighbours cannot be mistaken for one another. */
export function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** What tests get always, and the part of it that no fallback may lack. */
export const USUAL_PACKAGES = { packages: TEST_PACKAGES, required: [TEST_PACKAGES[0]] } as const;

/** The packages that a problem asks for, without duplicates, in an order that does not depend on the asker. */
export function askedPackages(testDependencies: readonly string[]): readonly string[] {
  return [...new Set(testDependencies.map((name) => name.trim()).filter((name) => name !== ""))].sort();
}

/** Reads what `provision.py` prints, chunk by chunk. */
export class ProvisionReader {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onProgress: (line: string) => void;
  #rest = "";
  #ending: Provisioned | SlopLensError | undefined;

  constructor(onProgress: (line: string) => void) {
    this.#onProgress = onProgress;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  /**
   * @param subject what was being provisioned, for the beginning of an error's sentence, for example an image's name
   * @param words what the script printed besides, shown when it ended without an answer
   * @throws SlopLensError as the script says, or image-unsuitable when it said nothing
   */
  result(subject: string, words: string): Provisioned {
    const ending = this.#ending;
    if (ending === undefined) {
      const tail = words.trim().slice(-400);
      throw new SlopLensError(
        "image-unsuitable",
        `${subject} cannot be made ready${tail === "" ? "" : `: ${tail}`}`,
      );
    }
    if (!(ending instanceof SlopLensError)) return ending;
    if (ending.code !== "image-unsuitable") throw ending;
    throw new SlopLensError(ending.code, `${subject} cannot be used: ${ending.message}`, ending.hint);
  }

  #take(line: string): void {
    const parsed = eventSchema.safeParse(parseJson(line));
    if (!parsed.success) return;
    const event = parsed.data;
    if (event.event === "progress") this.#onProgress(event.line);
    else if (event.event === "done") this.#ending = event;
    else this.#ending = new SlopLensError(event.code, event.message, event.hint);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
