import { randomBytes } from "node:crypto";
import { SlopLensError } from "../model/errors.js";
import type { ProductFiles } from "../model/files.js";
import { entryCommand } from "../problem/entry.js";
import { IdleTimer } from "../sandbox/idle-timer.js";
import type { CommandResult, PreparedImage, SandboxSession } from "../sandbox/sandbox.js";
import { checkTests, command, placements, variables } from "./assembly.js";
import { CapturedText } from "./captured-text.js";
import type { Evaluation, EvaluationListener, EvaluationRequest } from "./evaluation.js";
import { parseHarnessEvent } from "./events.js";
import { FrameReader } from "./frames.js";
import { countByGroup } from "./groups.js";
import { requirementsTrouble, warningsOf } from "./hints.js";
import { whyInvalid } from "./judgement.js";
import { inLocalTurn } from "./local-lock.js";
import { whatOverloaded } from "./overload.js";
import { Recorder } from "./recorder.js";

/** Without any sign of life for this long, the tests are taken to hang; plus twice the limit of a single test. */
const SILENCE_SECONDS = 30 * 60;

/** What a container of tests may take where the request names nothing; the disk of the engine is everybody's. */
const LIMITS = {
  timeoutSeconds: undefined,
  memoryBytes: undefined,
  cpus: undefined,
  pids: undefined,
  diskBytes: 8 * 1024 ** 3,
} as const;

/** One run of the harness and what came out of it. */
interface Run {
  readonly recorder: Recorder;
  readonly result: CommandResult | undefined;
  readonly damage: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a checkpoint's hidden tests against a snapshot in a fresh sandbox.
 * Trouble with the tests themselves (none there, not collectable, pytest killed) comes back as `valid: false`.
 * @throws SlopLensError what the sandbox throws when it cannot be had (engine, image, dependencies), and `cancelled`
 */
export async function evaluate(
  request: EvaluationRequest,
  listener: EvaluationListener,
  files: ProductFiles,
  signal: AbortSignal,
): Promise<Evaluation> {
  const { problem, checkpoint, environment, sandbox } = request;
  const entrypoint = entryCommand(environment, problem, "evaluation");
  const { refusal, warnings } = await checkTests(problem, checkpoint);
  if (refusal !== undefined) return refusedEvaluation(entrypoint, refusal);
  const image = await sandbox.prepare(
    { environment, testDependencies: problem.testDependencies, requirementsFrom: request.snapshot },
    (line) => {
      listener.onPreparing(line);
    },
    signal,
  );
  const tests = (): Promise<Run> => runTests(request, image, entrypoint, listener, files, signal);
  const onWait = (): void => {
    listener.onPreparing("Waiting for another evaluation on this machine to end");
  };
  const run = sandbox.kind === "local" ? await inLocalTurn(tests, onWait, signal) : await tests();
  const { recorder } = run;
  const exit = recorder.first("exit");
  const verdict = verdictOf(run);
  return {
    ...verdict,
    reason: verdict.reason ?? requirementsTrouble(image),
    outcomes: recorder.outcomes,
    counts: countByGroup(recorder.outcomes),
    collected: recorder.collected,
    seconds: exit?.seconds ?? run.result?.seconds ?? 0,
    entrypoint,
    pythonVersion: image.pythonVersion,
    warnings: [...warnings, ...warningsOf(recorder, image)],
    stdout: run.stdout,
    stderr: run.stderr,
  };
}

/** Whether the outcomes hold. Tests that an overload kept from running get theirs here. */
function verdictOf(run: Run): Pick<Evaluation, "valid" | "reason" | "pytestExitCode"> {
  const { recorder } = run;
  const overload = whatOverloaded(run);
  if (overload !== undefined) {
    recorder.closeOverloaded(overload);
    // What pytest says when tests have failed; it could not say it any more.
    return { valid: true, reason: undefined, pytestExitCode: 1 };
  }
  const reason = whyInvalid(run);
  const pytestExitCode = recorder.first("finish")?.code ?? recorder.first("exit")?.code;
  return { valid: reason === undefined, reason, pytestExitCode };
}

async function runTests(
  request: EvaluationRequest,
  image: PreparedImage,
  entrypoint: string,
  listener: EvaluationListener,
  files: ProductFiles,
  signal: AbortSignal,
): Promise<Run> {
  const { environment, sandbox } = request;
  await using session = await sandbox.open(
    {
      image,
      environment,
      purpose: "evaluation",
      owner: request.owner,
      placements: placements(request, entrypoint, files),
      command,
      supervising: true,
      env: () => variables(request),
      limits: { ...LIMITS, ...request.limits },
    },
    signal,
  );
  if (environment.setup.commands.length + environment.setup.evalCommands.length > 0) {
    listener.onPreparing("Running the environment's setup commands");
  }
  return await follow(session, request, listener, signal);
}

/** Starts the harness and listens to it until it ends, is cancelled, or falls silent. */
async function follow(
  session: SandboxSession,
  { problem, checkpoint }: EvaluationRequest,
  listener: EvaluationListener,
  signal: AbortSignal,
): Promise<Run> {
  const nonce = randomBytes(16).toString("hex");
  const recorder = new Recorder(checkpoint.name, problem.markers, listener);
  const stdout = new CapturedText();
  const stderr = new CapturedText();
  const stopping = new AbortController();
  const silence = new IdleTimer(SILENCE_SECONDS + 2 * (checkpoint.timeoutSeconds ?? 0), () => {
    stopping.abort();
  });
  let unknown: string | undefined;
  const reader = new FrameReader(nonce, {
    onText: (bytes) => {
      stderr.push(bytes);
    },
    onMessage: (text) => {
      silence.reset();
      const event = parseHarnessEvent(text);
      if (event === undefined) unknown ??= `a message is not understood: ${text.slice(0, 200)}`;
      else recorder.take(event);
    },
  });
  const result = await session
    .run(
      {
        stdin: `${nonce}\n`,
        onStdout: (chunk) => {
          stdout.push(chunk);
        },
        onStderr: (chunk) => {
          reader.push(chunk);
        },
      },
      AbortSignal.any([signal, stopping.signal]),
    )
    .catch((error: unknown) => {
      if (stopping.signal.aborted && !signal.aborted && SlopLensError.is(error, "cancelled"))
        return undefined;
      throw error;
    })
    .finally(() => {
      silence.stop();
    });
  reader.end();
  return {
    recorder,
    result,
    damage: reader.damage ?? unknown,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
  };
}

function refusedEvaluation(entrypoint: string, reason: string): Evaluation {
  return {
    valid: false,
    reason,
    outcomes: [],
    counts: countByGroup([]),
    pytestExitCode: undefined,
    collected: 0,
    seconds: 0,
    entrypoint,
    pythonVersion: undefined,
    warnings: [],
    stdout: "",
    stderr: "",
  };
}
