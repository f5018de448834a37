import { rm, stat } from "node:fs/promises";
import path from "node:path";
import type { AgentResult } from "../agent/agent.js";
import { toTurnQuality } from "../analysis/turn-quality.js";
import { blankTurn, NO_COUNTS } from "../model/blank-turn.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import { testsHash } from "../evaluation/tests-hash.js";
import { sentencesOf, SlopLensError } from "../model/errors.js";
import type { Checkpoint } from "../model/problem.js";
import type { QualityReport } from "../model/quality.js";
import type { RunListener } from "../model/run.js";
import type { Candidate, Turn } from "../model/turn.js";
import { snapshotFilter } from "../problem/snapshot-filter.js";
import { snapshotHash } from "../problem/snapshot-hash.js";
import type { PreparedImage } from "../sandbox/sandbox.js";
import { letWork } from "./agent-work.js";
import type { Beginning } from "./beginning.js";
import { endedBefore } from "../store/read-turn.js";
import { inputsNow } from "./inputs.js";
import { LineBuffer } from "./line-buffer.js";
import { LiveTurn } from "./live-turn.js";
import type { Step } from "./preparation.js";
import type { RunFolderWriter } from "../store/run-folder-writer.js";
import type { TurnFolderWriter } from "../store/turn-folder-writer.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";
import { Stopwatch } from "./stopwatch.js";
import { judgeTurn } from "./verdict.js";
import { layWorkspace, ScratchFolder } from "./workspace.js";

/** What all turns of a trajectory share. */
export interface TurnContext {
  readonly request: TrajectoryRequest;
  readonly services: TrajectoryServices;
  readonly recorder: RunFolderWriter;
  readonly listener: RunListener;
  readonly signal: AbortSignal;
  /** Tells a warning, each text once a run. */
  readonly warn: (message: string) => void;
  readonly agentImage: () => Promise<PreparedImage>;
  /** Takes a turn that was cancelled when its agent was done: a resumed run only has to evaluate it. */
  readonly leave: (turn: Turn) => void;
}

/** A finished turn and where its snapshot lies, for the next one to begin from. */
export interface TakenTurn {
  readonly turn: Turn;
  readonly snapshot: string | undefined;
  /** Trouble of the machinery that ended the turn, and with it the run. */
  readonly trouble: SlopLensError | undefined;
}

/** A turn of an earlier sitting, as it lies in its folder. */
export function takenBefore(turn: Turn): TakenTurn {
  return { turn, snapshot: path.join(turn.folder, "snapshot"), trouble: undefined };
}

/**
 * Takes one turn: prompt, agent, snapshot, hidden tests, measures, record. The snapshot is evaluated and measured also
 * when the agent failed or ran out of time.
 * @throws SlopLensError cancelled; the half-done turn is removed then. Every other trouble of the machinery is
 *   returned, in a turn of verdict `infrastructure` that keeps what there is.
 */
export async function takeTurn(
  context: TurnContext,
  { checkpoint, prompt }: Step,
  from: Beginning,
  candidate?: Candidate,
): Promise<TakenTurn> {
  const startedAt = new Date();
  const files = await context.recorder.openTurn({ checkpoint: checkpoint.name, candidate }, prompt);
  const start = beginTurn(context, checkpoint, from, candidate, files.folder, startedAt);
  const taking = new TurnTaking(context, checkpoint, from, files, prompt, liveTurn(context, start));
  return toItsEnd(context, files, taking, () => taking.takeSteps());
}

/**
 * Runs the hidden tests on a turn's snapshot once more, measures it, and writes its record anew; the agent's part stays
 * as it is.
 * @throws SlopLensError as {@link takeTurn}
 */
export async function evaluateTurn(
  context: TurnContext,
  { checkpoint, prompt }: Step,
  from: Beginning,
  turn: Turn,
): Promise<TakenTurn> {
  const files = await context.recorder.reopenTurn(turn);
  const start: Turn = { ...turn, ...unjudged(turn), parent: from.parent, parentIn: from.parentIn };
  const taking = new TurnTaking(context, checkpoint, from, files, prompt, liveTurn(context, start));
  return toItsEnd(context, files, taking, () => taking.evaluateSteps());
}

async function toItsEnd(
  context: TurnContext,
  files: TurnFolderWriter,
  taking: TurnTaking,
  steps: () => Promise<void>,
): Promise<TakenTurn> {
  try {
    await steps();
    return await taking.finish(undefined);
  } catch (error) {
    if (context.signal.aborted || SlopLensError.is(error, "cancelled")) {
      if (taking.isWorthKeeping) {
        await files.dropEvaluation();
        context.leave(taking.unjudged);
      } else await files.drop();
      throw new SlopLensError("cancelled", "Cancelled", "", { cause: error });
    }
    return taking.finish(SlopLensError.from(error));
  }
}

function liveTurn(context: TurnContext, start: Turn): LiveTurn {
  return new LiveTurn(start, (turn, progress) => {
    context.listener({ type: "turn-progress", folder: context.recorder.folder, turn, progress });
  });
}

function beginTurn(
  { request }: TurnContext,
  checkpoint: Checkpoint,
  { parent, parentIn }: Beginning,
  candidate: Candidate | undefined,
  folder: string,
  startedAt: Date,
): Turn {
  const { agent, policy, problem } = request;
  const continues = agent.origin === "agent" && parent !== null && policy.session === "continued";
  return {
    ...blankTurn(problem.name, checkpoint, agent.origin, folder),
    ...{ parent, parentIn, candidate },
    session: continues ? "continued" : "fresh",
    startedAt: startedAt.toISOString(),
  };
}

/** What an evaluation decides, before it. */
function unjudged({ usage }: Turn): Partial<Turn> {
  const blank = { verdict: undefined, reason: undefined, quality: undefined, recorded: undefined };
  return { ...blank, counts: NO_COUNTS, outcomes: [], usage: { ...usage, testSeconds: undefined } };
}

/** The steps of one turn, with what they leave to each other. */
class TurnTaking {
  private readonly watch = new Stopwatch();
  private snapshot: string | undefined;
  private agentResult: AgentResult | undefined;
  private evaluation: Evaluation | undefined;

  constructor(
    private readonly context: TurnContext,
    private readonly checkpoint: Checkpoint,
    private readonly from: Beginning,
    private readonly files: TurnFolderWriter,
    private readonly prompt: string,
    private readonly live: LiveTurn,
  ) {}

  /** Whether the turn can be evaluated without its agent, which may have cost money; a recording costs nothing. */
  get isWorthKeeping(): boolean {
    const { origin } = this.live.current;
    return this.snapshot !== undefined && (origin === "agent" || origin === "import");
  }

  /** The turn as its folder reads when it has no record. */
  get unjudged(): Turn {
    const { current } = this.live;
    const blank = { counts: NO_COUNTS, outcomes: [], quality: undefined };
    return {
      ...current,
      ...blank,
      verdict: "infrastructure",
      reason: endedBefore("the hidden tests were run"),
    };
  }

  async takeSteps(): Promise<void> {
    await this.watch.time("agent", () => this.runAgent());
    await this.judgeSnapshot(await this.watch.time("snapshot", () => this.keepSnapshot()));
  }

  async evaluateSteps(): Promise<void> {
    const { usage } = this.live.current;
    this.agentResult = { status: "done", reason: undefined, retryable: false, usage };
    const snapshot = path.join(this.files.folder, "snapshot");
    this.snapshot = snapshot;
    this.live.update({ snapshotHash: await snapshotHash(snapshot) });
    await this.files.keepDiff(this.from.snapshot);
    await this.judgeSnapshot(snapshot);
  }

  private async judgeSnapshot(snapshot: string): Promise<void> {
    // A snapshot is usually measured by the time its container has started, so that the tests have the machine alone.
    const report = this.analyze(snapshot);
    report.catch(() => undefined);
    const [tests] = await this.watch.time("tests", () => Promise.allSettled([this.runTests(snapshot)]));
    this.live.enter("measuring");
    await this.watch.time("measures", async () => this.keepMeasures(await report));
    if (tests.status === "rejected") throw tests.reason;
  }

  async finish(trouble: SlopLensError | undefined): Promise<TakenTurn> {
    this.live.update({ ...this.judge(trouble), finishedAt: new Date().toISOString() });
    const turn = this.live.current;
    let kept = trouble;
    // Half a snapshot is of no use; what it takes up is wanted for the record.
    if (trouble?.code === "disk-full") await rm(this.files.staging, { recursive: true, force: true });
    try {
      await this.watch.time("record", () => this.files.close(turn));
    } catch (error) {
      kept ??= SlopLensError.from(error);
    }
    this.logTimings(turn);
    const { folder } = this.context.recorder;
    this.context.listener({ type: "turn-finished", folder, turn, seconds: this.watch.seconds });
    return { turn, snapshot: this.snapshot, trouble: kept };
  }

  private async runAgent(): Promise<void> {
    const { request, services, signal } = this.context;
    const startedAt = new Date();
    const output = new LineBuffer((message) => {
      this.context.listener({ type: "log", level: "info", message });
    });
    this.live.enter("preparing");
    await using scratch = await ScratchFolder.createIn(this.files.folder);
    const workspaceBefore = path.join(scratch.path, "workspace");
    await layWorkspace(workspaceBefore, this.from.snapshot, request.problem, signal);
    this.live.enter("agent");
    const { policy } = request;
    this.live.update({ inputs: await inputsNow(request, this.checkpoint, this.from) });
    const result = await letWork(
      request.agent,
      {
        problem: request.problem,
        checkpoint: this.checkpoint,
        environment: request.environment,
        sandbox: services.sandbox,
        image: this.context.agentImage,
        owner: this.owner(),
        prompt: this.prompt,
        workspaceBefore,
        workspaceAfter: this.files.staging,
        keep: snapshotFilter(request.environment, request.problem),
        transcriptFolder: this.files.transcripts,
        limits: policy.limits,
        onOutput: output.push,
        scratch: scratch.path,
        mode: this.live.current.session,
        stateBefore: await this.conversation(),
        stateAfter: policy.session === "continued" ? this.files.session : undefined,
      },
      signal,
    );
    output.end();
    this.agentResult = result;
    result.warnings?.forEach(this.context.warn);
    this.live.update({ usage: result.usage });
    await this.files.keepAgentResult(result, startedAt, new Date());
  }

  /** The parent's conversation, when it is gone on with and there is one. */
  private async conversation(): Promise<string | undefined> {
    const { session } = this.from;
    if (this.live.current.session === "fresh" || session === undefined) return undefined;
    return (await stat(session).catch(() => undefined)) === undefined ? undefined : session;
  }

  private async keepSnapshot(): Promise<string> {
    this.live.enter("snapshot");
    const hash = await snapshotHash(this.files.staging);
    this.snapshot = await this.files.keepSnapshot(this.from.snapshot);
    this.live.update({ snapshotHash: hash });
    return this.snapshot;
  }

  private async runTests(snapshot: string): Promise<void> {
    const { request, services, signal } = this.context;
    this.live.enter("testing");
    const evaluation = await services.evaluate(
      {
        problem: request.problem,
        checkpoint: this.checkpoint,
        environment: request.environment,
        sandbox: services.sandbox,
        snapshot,
        owner: this.owner(),
      },
      this.live,
      signal,
    );
    this.evaluation = evaluation;
    const hash = await testsHash(request.problem, this.checkpoint);
    const { inputs } = this.live.current;
    const { evaluation: how, evaluationSecrets } = await inputsNow(request, this.checkpoint, undefined);
    evaluation.warnings.forEach(this.context.warn);
    this.live.update({
      outcomes: evaluation.outcomes,
      counts: evaluation.counts,
      testsHash: hash,
      ...(inputs === undefined ? {} : { inputs: { ...inputs, evaluation: how, evaluationSecrets } }),
      usage: { ...this.live.current.usage, testSeconds: evaluation.seconds },
    });
    await this.files.keepEvaluation(evaluation);
  }

  /**
   * Measures a snapshot. Trouble with that is no reason to lose a turn: it can be measured again at any time.
   * @returns undefined when there is nothing to measure, or it cannot be measured
   * @throws SlopLensError cancelled
   */
  private async analyze(snapshot: string): Promise<QualityReport | undefined> {
    const { request, services, signal, warn } = this.context;
    try {
      return await services.analyzer.analyzePaths([snapshot], request.analysis, signal);
    } catch (error) {
      const { code, message } = SlopLensError.from(error);
      if (code === "cancelled") throw error;
      if (code !== "bad-input") warn(`${this.checkpoint.name} was not measured: ${message}`);
      return undefined;
    }
  }

  private async keepMeasures(report: QualityReport | undefined): Promise<void> {
    if (report === undefined) return;
    this.live.update({ quality: toTurnQuality(report) });
    await this.files.keepQuality(report);
  }

  private judge(trouble: SlopLensError | undefined): Pick<Turn, "verdict" | "reason"> {
    if (trouble !== undefined) {
      const reason = sentencesOf(trouble);
      return { verdict: "infrastructure", reason };
    }
    if (this.agentResult === undefined || this.evaluation === undefined) {
      throw new SlopLensError("internal", "A turn was judged before it was taken");
    }
    return judgeTurn(this.agentResult, this.evaluation);
  }

  private owner(): { run: string; turn: string } {
    return { run: this.context.recorder.folder, turn: this.live.current.id };
  }

  private logTimings(turn: Turn): void {
    const others = (turn.usage.agentSeconds ?? 0) + (turn.usage.testSeconds ?? 0);
    this.context.listener({
      type: "log",
      level: "debug",
      message: this.watch.line(turn.checkpoint, others),
    });
  }
}
