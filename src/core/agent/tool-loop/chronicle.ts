import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

import { z } from "zod";

import type { Usage } from "../../model/turn.js";
import type { MessageUsage } from "../../model/transcript.js";
import { NO_USAGE } from "../../model/blank-turn.js";
import type { ChatAnswer } from "./chat-model.js";
import type { CheckedCall } from "./tools.js";

const FILE = "trajectory.json";
const SCHEMA_VERSION = "ATIF-v1.7";
const AGENT = "slop-lens";

/** The parts of an earlier file of ours that a new one goes on from. */
const earlierSchema = z.object({
  session_id: z.string(),
  steps: z.array(z.record(z.string(), z.unknown())),
  final_metrics: z.object({
    total_prompt_tokens: z.number().optional(),
    total_completion_tokens: z.number().optional(),
    total_cached_tokens: z.number().optional(),
    total_cost_usd: z.number().optional(),
    total_steps: z.number(),
  }),
});

export interface ChronicleOptions {
  readonly folder: string;
  readonly version: string;
  readonly model: string;
  readonly session: string;
  /** Masks what must not be written. */
  readonly mask: (text: string) => string;
}

/** One call as it was made and answered. */
export interface UsedTool {
  readonly id: string;
  readonly name: string;
  readonly call: CheckedCall;
  readonly output: string;
  readonly failed: boolean;
}

type Step = Record<string, unknown>;

/** Keeps what is said in a turn as an ATIF trajectory, whole on disk after every step, and adds up what it takes. */
export class Chronicle {
  private readonly steps: Step[] = [];
  private sum: Usage = NO_USAGE;
  private session: string;
  private earlier: Usage = NO_USAGE;
  private isEstimated = false;

  private constructor(private readonly options: ChronicleOptions) {
    this.session = options.session;
  }

  /** Begins a trajectory, or goes on with one that an earlier try of the same turn left. */
  static async open(options: ChronicleOptions): Promise<Chronicle> {
    const chronicle = new Chronicle(options);
    await mkdir(options.folder, { recursive: true });
    const text = await readFile(path.join(options.folder, FILE), "utf8").catch(() => undefined);
    if (text !== undefined) chronicle.goOn(text);
    return chronicle;
  }

  /** Of this try alone; steps are answers of the model. */
  get usage(): Usage {
    return this.sum;
  }

  say(source: "system" | "user", message: string): void {
    this.push({ source, message: this.options.mask(message) });
  }

  /** An answer of the model with what came of its calls. @param usage of the answer, with its cost where it is known */
  answered(answer: ChatAnswer, usage: MessageUsage, used: readonly UsedTool[]): void {
    const { mask, model } = this.options;
    this.sum = addUsage(this.sum, { ...usage, steps: 1 });
    this.isEstimated ||= answer.isEstimated;
    const thinking = answer.thinking === "" ? {} : { reasoning_content: mask(answer.thinking) };
    const extra = answer.isEstimated ? { extra: { estimated: true } } : {};
    this.push({
      source: "agent",
      model_name: model,
      message: mask(answer.text),
      ...thinking,
      ...(used.length === 0 ? {} : this.toolsOf(used)),
      metrics: { ...metrics(usage, ""), ...extra },
    });
  }

  /** @param failure why the model's work ended before it was done */
  async write(failure: string | undefined): Promise<void> {
    const file = path.join(this.options.folder, FILE);
    await writeFile(`${file}.part`, `${JSON.stringify(this.document(failure), null, 2)}\n`);
    await rename(`${file}.part`, file);
  }

  private toolsOf(used: readonly UsedTool[]): Step {
    const { mask } = this.options;
    return {
      tool_calls: used.map(({ id, name, call }) => ({
        tool_call_id: id,
        function_name: name,
        arguments: maskValues(call.input, mask),
      })),
      observation: {
        results: used.map(({ id, output, failed }) => ({
          source_call_id: id,
          content: mask(output),
          ...(failed ? { extra: { is_error: true } } : {}),
        })),
      },
    };
  }

  private push(step: Step): void {
    this.steps.push({ step_id: this.steps.length + 1, timestamp: new Date().toISOString(), ...step });
  }

  private document(failure: string | undefined): Step {
    const { version, model } = this.options;
    const total = addUsage(this.earlier, this.sum);
    const notes = "Tokens are estimated: the model does not tell how many it takes.";
    return {
      schema_version: SCHEMA_VERSION,
      session_id: this.session,
      agent: { name: AGENT, version, model_name: model },
      steps: this.steps,
      ...(this.isEstimated ? { notes } : {}),
      final_metrics: { ...metrics(total, "total_"), total_steps: total.steps ?? 0 },
      ...(failure === undefined ? {} : { extra: { slop_lens: { failure } } }),
    };
  }

  private goOn(text: string): void {
    const found = earlierSchema.safeParse(parseJson(text));
    if (!found.success) return;
    const { session_id, steps, final_metrics } = found.data;
    this.session = session_id;
    this.steps.push(...steps);
    this.earlier = {
      ...NO_USAGE,
      inputTokens: final_metrics.total_prompt_tokens,
      outputTokens: final_metrics.total_completion_tokens,
      cacheReadTokens: final_metrics.total_cached_tokens,
      costUsd: final_metrics.total_cost_usd,
      steps: final_metrics.total_steps,
    };
  }
}

/** Part by part; what neither knows stays unknown. */
function addUsage(left: Usage, right: Partial<Usage>): Usage {
  const plus = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined ? b : a + (b ?? 0);
  return {
    ...left,
    costUsd: plus(left.costUsd, right.costUsd),
    steps: plus(left.steps, right.steps),
    inputTokens: plus(left.inputTokens, right.inputTokens),
    outputTokens: plus(left.outputTokens, right.outputTokens),
    cacheReadTokens: plus(left.cacheReadTokens, right.cacheReadTokens),
    cacheWriteTokens: plus(left.cacheWriteTokens, right.cacheWriteTokens),
    reasoningTokens: plus(left.reasoningTokens, right.reasoningTokens),
  };
}

/** ATIF has no name for tokens of thinking; they are among those of completion. */
function metrics(usage: MessageUsage, prefix: "" | "total_"): Step {
  const told = {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cacheReadTokens,
    cost_usd: usage.costUsd,
  };
  const known = Object.entries(told).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [`${prefix}${name}`, value]));
}

function maskValues(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskValues(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValues(item, mask)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
