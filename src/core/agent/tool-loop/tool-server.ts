import path from "node:path";

import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";
import { within } from "../../sandbox/deadline.js";
import type { CommandResult, Placement, SandboxRoots, SandboxSession } from "../../sandbox/sandbox.js";

const SERVER = "tool_server.py";
const PARTS = /^(tool_server\.py|slop_lens_harness(\/[^/]+\.py)?)$/u;
/** An answer is far shorter; what goes on for longer is not one. In characters. */
const LONGEST_ANSWER = 1024 * 1024;

const answerSchema = z.object({ id: z.number(), ok: z.boolean(), text: z.string() });

export interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
}

/** The server's end, which came before its input's: somebody killed it, or a limit of the sandbox. */
export class ToolServerEnded extends Error {
  override readonly name = "ToolServerEnded";

  constructor(
    readonly result: CommandResult,
    /** The end of what it wrote to standard error. */
    readonly lastWords: string,
  ) {
    super("The tool server ended");
  }
}

/** What has to lie in the sandbox for {@link toolServerCommand}. @param harness folder of the product's Python files */
export function toolServerPlacement(harness: string): Placement {
  return {
    source: { path: harness },
    root: "harness",
    target: ".",
    owner: "harness",
    keep: (relativePath) => PARTS.test(relativePath),
  };
}

/** In Python's isolated mode, so that nothing of the workspace is loaded into it. */
export function toolServerCommand(roots: SandboxRoots): string[] {
  return [roots.testPython, "-I", "-B", path.posix.join(roots.harness, SERVER)];
}

/** Talks with `harness/tool_server.py` in a sandbox: a line of JSON for a request, one for its answer. */
export class ToolServer {
  readonly #requests = new LineQueue();
  readonly #decoder = new TextDecoder();
  readonly #end: Promise<CommandResult>;
  #pending = "";
  #stderr = "";
  #asked = 0;
  #waiting: ((answer: z.infer<typeof answerSchema>) => void) | undefined;

  /** Starts the session's command. @param signal ends it */
  constructor(session: SandboxSession, signal: AbortSignal) {
    const streams = {
      stdin: this.#requests,
      onStdout: (chunk: Uint8Array) => {
        this.#take(this.#decoder.decode(chunk, { stream: true }));
      },
      onStderr: (chunk: Uint8Array) => {
        this.#stderr = (this.#stderr + Buffer.from(chunk).toString("utf8")).slice(-300);
      },
    };
    this.#end = session.run(streams, signal).finally(() => {
      this.#requests.end();
    });
    this.#end.catch(() => undefined);
  }

  /**
   * Has a tool used. One at a time.
   * @param seconds after which the server is taken for lost
   * @throws ToolServerEnded, SlopLensError cancelled, and what `SandboxSession.run` throws
   */
  async ask(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    seconds: number,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const id = ++this.#asked;
    const answer = new Promise<ToolAnswer>((resolve) => {
      this.#waiting = (told) => {
        if (told.id === id) resolve(told);
      };
    });
    this.#requests.push(`${JSON.stringify({ id, tool, arguments: input })}\n`);
    const ended = this.#end.then((result) => {
      throw new ToolServerEnded(result, this.#stderr.trim().split("\n").at(-1) ?? "");
    });
    return within(Promise.race([answer, ended]), {
      milliseconds: seconds * 1000,
      onExpiry: () => new SlopLensError("engine-lost", `The sandbox did not answer within ${seconds} s`),
      signal,
    });
  }

  /** Ends the server, and with it whatever a tool still does. */
  close(): Promise<CommandResult> {
    this.#requests.end();
    return this.#end;
  }

  #take(text: string): void {
    const lines = (this.#pending + text).split("\n");
    this.#pending = (lines.pop() ?? "").slice(0, LONGEST_ANSWER);
    for (const line of lines) {
      const answer = answerSchema.safeParse(parseJson(line));
      // Where agents run as root they can write into this stream. What is no answer is passed over.
      if (answer.success) this.#waiting?.(answer.data);
    }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** An input that is written to while it is read. */
class LineQueue implements AsyncIterable<Uint8Array> {
  readonly #lines: Uint8Array[] = [];
  #isEnded = false;
  #wake = (): void => undefined;

  push(line: string): void {
    this.#lines.push(Buffer.from(line, "utf8"));
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) yield line;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
