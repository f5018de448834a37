import path from "node:path";
import { readdir, rm } from "node:fs/promises";

import { SlopLensError } from "../../model/errors.js";
import type { TurnLimits } from "../../model/policy.js";
import { hashOf } from "../../problem/hash-of.js";
import { suggestion } from "../../problem/suggest.js";
import type { SandboxSession } from "../../sandbox/sandbox.js";
import type { Agent, AgentResult, AgentTurn } from "../agent.js";
import { sessionLimits, takeCommandTurn, type TurnCommand, type Watcher } from "../command-turn.js";
import { maskFolder } from "../mask-folder.js";
import { overspent, priced, pricesOf, tighter } from "./budget.js";
import { fillTemplate, shellWord, type PlaceholderValues } from "./command-template.js";
import type { AgentDefinition, ThinkingChoice } from "./definition.js";
import { layerOf } from "./install.js";
import { agentType, thinkingDetail } from "./record.js";
import { findSecrets, type SecretSource } from "./secrets.js";
import { readSessionTotals } from "../../transcript/session-totals.js";
import type { SessionTotals } from "../../transcript/tally.js";
import { usageMeter } from "../../transcript/usage-meter.js";

/** What a user chooses for an agent, and where its variables come from. */
export interface ProgramAgentOptions {
  /** Undefined: the first that the agent's file offers, or the program's own choice. */
  readonly model: string | undefined;
  /** Name of one of the agent's thinking choices. */
  readonly thinking: string | undefined;
  readonly secrets: SecretSource;
  /** Host's variables, for those that are no secret. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/**
 * An agent as its file describes it. Its secrets are looked up once, here, and are given to its container alone.
 * @throws SlopLensError agent-invalid for a thinking choice that it does not have
 */
export async function programAgent(
  definition: AgentDefinition,
  options: ProgramAgentOptions,
): Promise<Agent> {
  const model = options.model ?? definition.models[0];
  const thinking = chosenThinking(definition, options.thinking);
  const { values, missing } = await findSecrets(definition, options.secrets);
  const secrets = Object.values(values);
  const passed = definition.variables.flatMap((name): [string, string][] => {
    const value = options.hostEnv[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  const env = { ...definition.env, ...thinking?.env, ...Object.fromEntries(passed), ...values };
  const chosen: Chosen = { definition, model, thinking, env, secrets };
  return {
    description: {
      type: agentType(definition.name),
      version: definition.version,
      model,
      detail: thinkingDetail(options.thinking),
    },
    origin: "agent",
    secrets,
    // A program that is told its bounds holds them itself.
    usageUnknown: definition.usage === "none" && !/\{(?:steps|cost)\}/u.test(definition.command),
    remarks: modelRemarks(definition, options.model),
    layer: layerOf(definition),
    // eslint-disable-next-line @typescript-eslint/require-await -- the contract is asynchronous, this check is not
    check: async () => {
      checkSecrets(definition, missing);
      filled(chosen, { steps: "1", cost: "1", prompt_file: "x" });
    },
    material: () => Promise.resolve(hashOf({ ...definition, file: undefined, title: undefined })),
    takeTurn: (turn, signal) => takeTurn(chosen, turn, signal),
  };
}

/** Any model can be named, so one that is not listed may be new, or misspelt. */
function modelRemarks({ name, models, command }: AgentDefinition, asked: string | undefined): string[] {
  if (asked === undefined) return [];
  if (!command.includes("{model}")) {
    return [`The command of ${name} has no {model}, so the model ${asked} is without effect`];
  }
  if (models.length === 0 || models.includes(asked)) return [];
  return [
    `${name} does not list the model ${asked}${suggestion(asked, models)}; it is handed on as it is. Listed: ${models.join(", ")}`,
  ];
}

interface Chosen {
  readonly definition: AgentDefinition;
  readonly model: string | undefined;
  readonly thinking: ThinkingChoice | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

function chosenThinking(
  { name, thinking }: AgentDefinition,
  choice: string | undefined,
): ThinkingChoice | undefined {
  if (choice === undefined) return undefined;
  const found = thinking.get(choice);
  if (found !== undefined) return found;
  const known = [...thinking.keys()].join(", ");
  const hint = known === "" ? "Leave it out." : `Name one of ${known}.`;
  throw new SlopLensError("agent-invalid", `${name} has no thinking choice ${choice}`, hint);
}

function checkSecrets({ title }: AgentDefinition, missing: readonly (readonly string[])[]): void {
  if (missing.length === 0) return;
  const names = missing.map((choice) => choice.join(" or ")).join(", ");
  throw new SlopLensError(
    "agent-invalid",
    `${title} needs ${names}, which is not set`,
    "Set it in the environment of this process, or in VS Code with Slop Lens: Set Agent Key….",
  );
}

function filled({ definition, model, thinking }: Chosen, values: PlaceholderValues): string {
  const result = fillTemplate(definition.command, {
    ...values,
    ...(model === undefined ? {} : { model: shellWord(model) }),
    ...(thinking === undefined ? {} : { thinking: thinking.flags }),
  });
  if ("command" in result) return result.command;
  throw new SlopLensError(
    "agent-invalid",
    `${definition.title} needs a ${result.missing.join(" and a ").replaceAll("_", " ")}`,
    "Name it, or put that part of the agent's command in brackets.",
  );
}

async function takeTurn(chosen: Chosen, turn: AgentTurn, signal: AbortSignal): Promise<AgentResult> {
  const { definition } = chosen;
  const limits = tighter(turn.limits, definition.limits);
  // An agent that failed early has kept nothing to go on with.
  const stateBefore = await existing(turn.session.stateBefore);
  const earlier =
    stateBefore === undefined ? undefined : await readSessionTotals(definition.usage, stateBefore, signal);
  const watcher = watch(chosen, limits, earlier);
  const known = { ...turn, session: { ...turn.session, stateBefore } };
  return takeCommandTurn(turnCommand(chosen, known, limits, watcher), known, signal);
}

async function existing(folder: string | undefined): Promise<string | undefined> {
  const names = folder === undefined ? [] : await readdir(folder).catch(() => []);
  return names.length === 0 ? undefined : folder;
}

function turnCommand(chosen: Chosen, turn: AgentTurn, limits: TurnLimits, watcher: Watcher): TurnCommand {
  const { definition, secrets } = chosen;
  const resume = turn.session.stateBefore === undefined ? undefined : definition.resume;
  const values: PlaceholderValues = {
    prompt_file: `"$SLOP_LENS_PROMPT_FILE"`,
    ...(limits.steps === undefined ? {} : { steps: String(limits.steps) }),
    ...(limits.costUsd === undefined ? {} : { cost: String(limits.costUsd) }),
    ...(resume === undefined ? {} : { continue: resume.flags }),
  };
  const isPlain = definition.usage === "none";
  return {
    command: filled(chosen, values),
    prompt: turn.attempt > 0 && resume !== undefined ? resume.prompt : turn.prompt,
    env: chosen.env,
    secrets,
    limits: sessionLimits(limits),
    network: limits.network,
    streams: isPlain
      ? { stdout: "stdout.txt", stderr: "stderr.txt" }
      : { stdout: "stdout.jsonl", stderr: "stderr.log" },
    state: definition.state,
    watcher,
    collect: (session, signal) => collectTranscripts(session, chosen, turn, signal),
  };
}

function watch({ definition, model }: Chosen, limits: TurnLimits, earlier?: SessionTotals): Watcher {
  const meter = usageMeter(definition.usage, earlier);
  const prices = pricesOf(definition, model);
  return {
    hear: (text) => {
      meter.push(text);
    },
    get stop() {
      return overspent(this.usage, limits);
    },
    get failure() {
      return meter.report.failure;
    },
    get usage() {
      const { usage, inputHoldsCached } = meter.report;
      return priced(usage, prices, inputHoldsCached);
    },
  };
}

/** Transcripts that the program keeps itself. What lies in the workspace keeps its folder's path. */
async function collectTranscripts(
  session: SandboxSession,
  { definition, secrets }: Chosen,
  { transcriptFolder }: AgentTurn,
  signal: AbortSignal,
): Promise<void> {
  for (const [target, { root, folder }] of definition.transcripts) {
    const place = path.join(transcriptFolder, ...target.split("/"));
    await rm(place, { recursive: true, force: true });
    const isWanted = (relative: string): boolean => relative.startsWith(`${folder}/`);
    const leftOut = await (root === "home"
      ? session.collectHome(folder, place, () => true, signal)
      : session.collect(place, isWanted, signal));
    if (leftOut !== undefined) await maskFolder(place, secrets, signal);
  }
}
