import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";

import { NO_USAGE } from "../../model/blank-turn.js";
import type { MessageUsage, ToolCall, Transcript, TranscriptMessage } from "../../model/transcript.js";
import type { Usage } from "../../model/turn.js";
import { toAtif } from "../../transcript/atif-export.js";
import { readTranscript } from "../../transcript/read-transcript.js";
import { UsageTally } from "../../transcript/tally.js";
import type { ChatAnswer } from "./chat-model.js";
import type { CheckedCall } from "./tools.js";

const FILE = "trajectory.json";
const ESTIMATED = "Tokens are estimated: the model does not tell how many it takes.";

const PLAIN: Omit<TranscriptMessage, "source" | "text" | "time"> = {
  model: undefined,
  thinking: "",
  calls: [],
  usage: undefined,
  parentCall: undefined,
  copied: false,
};

export interface ChronicleOptions {
  readonly folder: string;
  readonly agent: Transcript["agent"];
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

/** Keeps what is said in a turn as an ATIF trajectory, whole on disk after every step, and adds up what it takes. */
export class Chronicle {
  private readonly tally = new UsageTally();
  /** With those of earlier tries. */
  private readonly total = new UsageTally();
  private readonly messages: TranscriptMessage[];
  private readonly session: string;
  private isEstimated = false;

  private constructor(
    private readonly options: ChronicleOptions,
    earlier: Transcript | undefined,
  ) {
    this.messages = [...(earlier?.messages ?? [])];
    this.session = earlier?.session ?? randomUUID();
    this.isEstimated = earlier?.notes.includes(ESTIMATED) === true;
    if (earlier === undefined) return;
    this.total.add(earlier.usage);
    this.total.step(earlier.usage.steps ?? 0);
  }

  /** Begins a trajectory. @param isRetry goes on with the one that an earlier try of the same turn left, if it did */
  static async open(options: ChronicleOptions, isRetry: boolean, signal: AbortSignal): Promise<Chronicle> {
    await mkdir(options.folder, { recursive: true });
    const earlier = isRetry ? await readTranscript(options.folder, signal).catch(() => undefined) : undefined;
    return new Chronicle(options, earlier);
  }

  /** Of this try alone; steps are answers of the model. Nothing is known before the first. */
  get usage(): Usage {
    return { ...NO_USAGE, ...this.tally.usage };
  }

  say(source: "system" | "user", text: string): void {
    this.push({ ...PLAIN, source, text: this.options.mask(text) });
  }

  /** An answer of the model with what came of its calls. @param usage of the answer, with its cost where it is known */
  answered(answer: ChatAnswer, usage: MessageUsage, used: readonly UsedTool[]): void {
    const { mask, agent } = this.options;
    for (const tally of [this.tally, this.total]) {
      tally.add(usage);
      tally.step();
    }
    this.isEstimated ||= answer.isEstimated;
    this.push({
      ...PLAIN,
      source: "agent",
      model: agent.model,
      text: mask(answer.text),
      thinking: mask(answer.thinking),
      calls: used.map((one) => this.callOf(one)),
      usage,
    });
  }

  /** @param failure why the model's work ended before it was done */
  async write(failure: string | undefined): Promise<void> {
    const file = path.join(this.options.folder, FILE);
    const transcript: Transcript = {
      format: "atif",
      agent: this.options.agent,
      session: this.session,
      messages: this.messages,
      usage: this.total.usage,
      inputHoldsCached: true,
      failure,
      files: [FILE],
      faults: [],
      notes: this.isEstimated ? [ESTIMATED] : [],
    };
    await writeFile(`${file}.part`, `${JSON.stringify(toAtif(transcript), null, 2)}\n`);
    await rename(`${file}.part`, file);
  }

  private callOf({ id, name, call, output, failed }: UsedTool): ToolCall {
    const { mask } = this.options;
    const input = Object.entries(call.input).map(([key, value]) => [key, maskValues(value, mask)] as const);
    return { id, name, input: Object.fromEntries(input), output: mask(output), failed };
  }

  private push(message: Omit<TranscriptMessage, "time">): void {
    this.messages.push({ ...message, time: new Date().toISOString() });
  }
}

function maskValues(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskValues(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValues(item, mask)]));
}
