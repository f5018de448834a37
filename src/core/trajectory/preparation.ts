import type { Checkpoint } from "../model/problem.js";
import type { RunListener } from "../model/run.js";
import { renderSpec } from "../problem/spec.js";
import { renderPrompt } from "../prompt/prompt.js";
import { throwIfAborted } from "../sandbox/deadline.js";
import type { ImageLayer, PreparedImage } from "../sandbox/sandbox.js";
import { fromReference, fromSnapshot } from "./beginning.js";
import { checkHiddenTests } from "./pack-check.js";
import { chooseCheckpoints } from "./selection.js";
import type { TrajectoryRequest, TrajectoryServices } from "./services.js";
import { startWarnings } from "./start-warnings.js";

/** A checkpoint to take, with the prompt as the agent gets it. */
export interface Step {
  readonly checkpoint: Checkpoint;
  readonly prompt: string;
}

type RenderedRequest = Pick<TrajectoryRequest, "problem" | "environment" | "prompt" | "agent" | "policy">;

/** What is made ready before a run folder is made. */
export interface Preparation {
  readonly steps: readonly Step[];
  /** The image that the agent works in; the hidden tests' dependencies do not belong in it. */
  readonly agentImage: () => Promise<PreparedImage>;
}

/**
 * Checks and makes ready all that can be before the first turn: recordings, specs, template, rules, images. Trouble
 * with any of them is told before an agent's time is spent, and leaves nothing behind.
 * @throws SlopLensError bad-input, pack-invalid, agent-invalid, rules-invalid, whatever `Sandbox.prepare` throws, and
 *   cancelled
 * @param isKept whether a checkpoint's turn is there already, so that nothing begins from what it began from
 */
export async function prepareTrajectory(
  request: TrajectoryRequest,
  services: TrajectoryServices,
  listener: RunListener,
  signal: AbortSignal,
  isKept: (checkpoint: Checkpoint) => boolean = () => false,
): Promise<Preparation> {
  throwIfAborted(signal);
  const chosen = chooseCheckpoints(request);
  const toTake = chosen.filter((checkpoint) => !isKept(checkpoint));
  const oddities = await checkHiddenTests(request.problem, toTake, services.analyzer, signal);
  await request.agent.check({ ...request.problem, checkpoints: chosen });
  for (const message of [...oddities, ...agentRemarks(request)]) {
    listener({ type: "log", level: "warn", message });
  }
  await checkStart(request, chosen, isKept, listener);
  const steps = await renderSteps(request, chosen);
  await services.analyzer.ruleSet();
  const prepare = (testDependencies: readonly string[], layer?: ImageLayer): Promise<PreparedImage> =>
    services.sandbox.prepare(
      { environment: request.environment, testDependencies, requirementsFrom: undefined, layer },
      (message) => {
        listener({ type: "log", level: "info", message });
      },
      signal,
    );
  await prepare(request.problem.testDependencies);
  let image: Promise<PreparedImage> | undefined;
  const agentImage = (): Promise<PreparedImage> => (image ??= prepare([], request.agent.layer));
  if (request.agent.origin === "agent") await agentImage();
  throwIfAborted(signal);
  return { steps, agentImage };
}

/** What of an agent's choice and limits has not the effect that somebody may count on. */
function agentRemarks({ agent, policy: { limits } }: TrajectoryRequest): string[] {
  const remarks = agent.remarks ?? [];
  const { steps, costUsd, problemCostUsd } = limits;
  const isLimited = [steps, costUsd, problemCostUsd].some((limit) => limit !== undefined);
  return agent.usageUnknown === true && isLimited
    ? [
        ...remarks,
        `Steps and cost are not known of ${agent.description.type}, so their limits do not hold it`,
      ]
    : [...remarks];
}

/** @throws SlopLensError agent-invalid, bad-input when what turns are to begin from is not there */
async function checkStart(
  { policy, problem, environment }: TrajectoryRequest,
  chosen: readonly Checkpoint[],
  isKept: (checkpoint: Checkpoint) => boolean,
  listener: RunListener,
): Promise<void> {
  const { start } = policy;
  const [first] = chosen;
  if (start.kind === "snapshot" && first !== undefined && !isKept(first)) {
    await fromSnapshot(start);
    for (const message of await startWarnings(problem, environment, start)) {
      listener({ type: "log", level: "warn", message });
    }
  }
  if (start.kind !== "reference") return;
  for (const checkpoint of chosen) if (!isKept(checkpoint)) await fromReference(problem, checkpoint);
}

/** The prompts of the chosen checkpoints. @throws SlopLensError pack-invalid, bad-input */
export async function renderSteps(
  { problem, environment, prompt, agent, policy }: RenderedRequest,
  chosen: readonly Checkpoint[],
): Promise<Step[]> {
  const { type, version, model } = agent.description;
  return Promise.all(
    chosen.map(async (checkpoint, index) => ({
      checkpoint,
      prompt: renderPrompt(prompt, {
        spec: await renderSpec(problem, checkpoint, environment),
        isContinuation: index > 0 || (policy.start.kind !== "empty" && checkpoint !== problem.checkpoints[0]),
        agentType: type,
        agentVersion: version,
        modelName: model,
      }),
    })),
  );
}
