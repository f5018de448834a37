import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { Environment } from "../../../src/core/model/environment.js";
import type { SandboxSession, SessionRequest } from "../../../src/core/sandbox/sandbox.js";

export const HARNESS = path.resolve("harness");
export const NEVER = new AbortController().signal;

export function environment(changes: Partial<Environment> = {}): Environment {
  return {
    name: "test",
    type: "local",
    env: {},
    includeOsEnv: false,
    setup: { commands: [], evalCommands: [], resumeCommands: [] },
    commands: { entryFile: "{entry_file}.py", command: "python", agentCommand: undefined },
    snapshot: { keepGlobs: undefined, ignoreGlobs: [] },
    docker: undefined,
    local: { requiresTty: false, shell: undefined },
    source: "",
    ...changes,
  };
}

/** A temporary folder that is removed by `await using`/`using`. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbox-test-"));
  return {
    path: folder,
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function sessionRequest(
  fields: Pick<SessionRequest, "image" | "environment" | "command"> & Partial<SessionRequest>,
): SessionRequest {
  return {
    purpose: "evaluation",
    owner: { run: "/runs/test", turn: "shelf/checkpoint_1" },
    placements: [],
    env: () => ({}),
    ...fields,
    limits: {
      timeoutSeconds: undefined,
      memoryBytes: undefined,
      cpus: undefined,
      pids: undefined,
      ...fields.limits,
    },
  };
}

/** Runs a session's command and gathers its output as text. */
export async function gather(
  session: SandboxSession,
  options: { stdin?: string; signal?: AbortSignal } = {},
): Promise<{ exitCode: number; timedOut: boolean; outOfMemory: boolean; stdout: string; stderr: string }> {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const result = await session.run(
    {
      stdin: options.stdin,
      onStdout: (chunk) => out.push(chunk),
      onStderr: (chunk) => err.push(chunk),
    },
    options.signal ?? NEVER,
  );
  return {
    ...result,
    stdout: Buffer.concat(out).toString("utf8"),
    stderr: Buffer.concat(err).toString("utf8"),
  };
}

/** Asks a command that answers each line with one, the next only once the last is answered; then ends its input. */
export async function converse(session: SandboxSession, questions: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  let answered = (): void => undefined;
  async function* ask(): AsyncGenerator<Uint8Array> {
    for (const question of questions) {
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield Buffer.from(`${question}\n`);
      await answer;
    }
  }
  const onStdout = (chunk: Uint8Array): void => {
    answers.push(Buffer.from(chunk).toString("utf8"));
    answered();
  };
  const { exitCode } = await session.run({ stdin: ask(), onStdout, onStderr: () => undefined }, NEVER);
  return [...answers, `exit code ${exitCode}`];
}
