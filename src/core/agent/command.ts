import { SlopLensError } from "../model/errors.js";
import { entryFileName } from "../problem/entry.js";
import type { SandboxSession, SessionLimits, SessionRequest } from "../sandbox/sandbox.js";
import type { Agent, AgentResult, AgentTurn } from "./agent.js";
import { judgeEnding } from "./ending.js";
import { NO_USAGE } from "../model/blank-turn.js";
import { TranscriptStream } from "./transcript.js";

export interface CommandAgentOptions {
  /** Names of host variables that the command gets, for example the key of a model's API. */
  readonly passEnv: readonly string[];
  /** Where those variables are looked up. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly limits: SessionLimits;
}

const PROMPT_FILE = "prompt.md";

/**
 * An agent that is any shell command, run by `sh -c` in a fresh sandbox that holds the workspace and nothing else.
 * The prompt is on stdin and in the file that `SLOP_LENS_PROMPT_FILE` names.
 */
export function commandAgent(command: string, options: CommandAgentOptions): Agent {
  return {
    description: { type: "command", version: undefined, model: undefined, detail: command },
    origin: "agent",
    secrets: secretsOf(options),
    layer: undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- the contract is asynchronous, this check is not
    check: async () => {
      checkCommand(command, options);
    },
    takeTurn: (turn, signal) => takeTurn(command, options, turn, signal),
  };
}

function secretsOf({ passEnv, hostEnv }: CommandAgentOptions): string[] {
  return passEnv.flatMap((name) => hostEnv[name] ?? []);
}

function checkCommand(command: string, options: CommandAgentOptions): void {
  if (command.trim() === "") {
    throw new SlopLensError("agent-invalid", "The agent's command is empty", "Give the command to run.");
  }
  const missing = options.passEnv.filter((name) => options.hostEnv[name] === undefined);
  if (missing.length > 0) {
    throw new SlopLensError(
      "agent-invalid",
      `The agent is to be given ${missing.join(", ")}, which is not set`,
      "Set it in the environment, or leave it out.",
    );
  }
}

async function takeTurn(
  command: string,
  options: CommandAgentOptions,
  turn: AgentTurn,
  signal: AbortSignal,
): Promise<AgentResult> {
  const image = await turn.image();
  const request = sessionRequest(command, options, turn, image);
  await using session = await turn.sandbox.open(request, signal);
  const ending = await runWithTranscript(session, turn, secretsOf(options), signal);
  // Collected however the command ended: what an agent wrote before it failed is never lost.
  const leftOut = await session.collect(turn.workspaceAfter, turn.keep, signal);
  if (leftOut.length > 0) turn.onOutput(`Left out, what a snapshot cannot hold: ${leftOut.join(", ")}\n`);
  const judged = judgeEnding({
    ...ending,
    timeoutSeconds: options.limits.timeoutSeconds,
    place: turn.sandbox.kind === "docker" ? "image" : "machine",
  });
  // A shell command knows nothing of going on: to run it again is to begin again.
  return { ...judged, retryable: false, usage: { ...NO_USAGE, agentSeconds: ending.result.seconds } };
}

async function runWithTranscript(
  session: SandboxSession,
  turn: AgentTurn,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Parameters<typeof judgeEnding>[0], "result" | "lastWords">> {
  const stdout = await TranscriptStream.create(turn.transcriptFolder, "stdout.txt", turn.onOutput, secrets);
  const stderr = await TranscriptStream.create(turn.transcriptFolder, "stderr.txt", turn.onOutput, secrets);
  const run = session
    .run(
      {
        stdin: turn.prompt,
        onStdout: (chunk) => {
          stdout.write(chunk);
        },
        onStderr: (chunk) => {
          stderr.write(chunk);
        },
      },
      signal,
    )
    .finally(async () => {
      await stdout.close();
      await stderr.close();
    });
  return { result: await run, lastWords: stderr.lastLine() };
}

function sessionRequest(
  command: string,
  options: CommandAgentOptions,
  turn: AgentTurn,
  image: SessionRequest["image"],
): SessionRequest {
  const passed = options.passEnv.map((name): [string, string] => [name, options.hostEnv[name] ?? ""]);
  return {
    image,
    environment: turn.environment,
    purpose: "agent",
    owner: turn.owner,
    placements: [
      { source: { path: turn.workspaceBefore }, root: "workspace", target: ".", owner: "solution" },
      { source: { content: turn.prompt }, root: "harness", target: PROMPT_FILE, owner: "harness" },
    ],
    command: () => ["sh", "-c", command],
    env: (roots) => ({
      ...Object.fromEntries(passed),
      SLOP_LENS_PROMPT_FILE: `${roots.harness}/${PROMPT_FILE}`,
      SLOP_LENS_PROBLEM: turn.problem.name,
      SLOP_LENS_CHECKPOINT: turn.checkpoint.name,
      SLOP_LENS_ENTRY_FILE: entryFileName(turn.environment, turn.problem),
    }),
    limits: options.limits,
  };
}
