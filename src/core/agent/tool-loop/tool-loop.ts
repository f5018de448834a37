import type { MessageUsage } from "../../model/transcript.js";
import type { AgentResult } from "../agent.js";
import type { ChatAnswer, ChatCall, ChatModel } from "./chat-model.js";
import type { Chronicle, UsedTool } from "./chronicle.js";
import type { Conversation } from "./conversation.js";
import { ModelError } from "./model-error.js";
import { askPatiently, ModelIdle, type Patience } from "./patience.js";
import { priced, type Prices } from "./prices.js";
import { CHAT_TOOLS, checkCall, FINISH, MOST_COMMAND_SECONDS, type CheckedCall } from "./tools.js";
import type { ToolAnswer } from "./tool-server.js";

/** Uses a tool that the model asked for. */
export type UseTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  seconds: number,
  signal: AbortSignal,
) => Promise<ToolAnswer>;

export interface LoopOptions {
  readonly model: ChatModel;
  readonly useTool: UseTool;
  readonly conversation: Conversation;
  readonly chronicle: Chronicle;
  readonly steps: number | undefined;
  readonly costUsd: number | undefined;
  readonly prices: Prices | undefined;
  readonly patience: Omit<Patience, "onRetry">;
  readonly onOutput: (text: string) => void;
}

export type LoopEnding = Pick<AgentResult, "status" | "reason" | "retryable">;

const DONE: LoopEnding = { status: "done", reason: undefined, retryable: false };
/** What a tool takes beyond its own limit before its answer is missed, in seconds. */
const TOOL_GRACE = 60;
/** So many answers without a use in a row, and the model is given up. */
const MOST_EMPTY = 3;
/** A conversation that is refused as too long is shortened so often before it is given up. */
const MOST_REFUSALS = 3;

const GO_ON = "Your answer was cut off at its length limit. Go on, in smaller pieces.";
const SAY_SOMETHING =
  "Your answer was empty. Go on with the tools, or end with the finish tool if everything is done.";

/**
 * Lets a model work with the tools until it is done, a limit is met or it gives no answer.
 * @throws SlopLensError cancelled and trouble of the machinery; ToolServerEnded
 */
export async function runToolLoop(options: LoopOptions, signal: AbortSignal): Promise<LoopEnding> {
  return new ToolLoop(options, signal).run();
}

class ToolLoop {
  private empty = 0;
  private shortenedFor = 0;

  constructor(
    private readonly options: LoopOptions,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<LoopEnding> {
    try {
      for (;;) {
        const ending = this.limitMet() ?? (await this.step());
        if (ending !== undefined) return ending;
      }
    } catch (error) {
      if (ModelError.is(error)) return giveUp(error);
      if (!(error instanceof ModelIdle)) throw error;
      const limit = this.options.patience.idleSeconds ?? 0;
      return { status: "timeout", reason: `The model said nothing for ${limit} s`, retryable: false };
    }
  }

  private limitMet(): LoopEnding | undefined {
    const { steps, costUsd, chronicle } = this.options;
    const { usage } = chronicle;
    if (steps !== undefined && (usage.steps ?? 0) >= steps) {
      return limited(`The agent reached its limit of ${steps} steps`);
    }
    if (costUsd === undefined || usage.steps === undefined) return undefined;
    if (usage.costUsd === undefined) {
      return limited("The cost is limited, but nobody tells what the model costs: give its prices");
    }
    if (usage.costUsd < costUsd) return undefined;
    return limited(`The agent reached its cost limit of $${costUsd}`);
  }

  /** @returns how it ended, undefined to go on */
  private async step(): Promise<LoopEnding | undefined> {
    const { conversation, prices } = this.options;
    const answer = await this.ask();
    if (answer === undefined) return undefined;
    const usage = priced(answer.usage, prices);
    conversation.add({ role: "assistant", text: answer.text, calls: answer.calls });
    const used: UsedTool[] = [];
    try {
      for (const call of answer.calls) used.push(await this.use(call));
    } finally {
      await this.keep(answer, usage, used);
    }
    for (const { id, output } of used) conversation.add({ role: "tool", call: id, text: output });
    if (used.some(({ name, failed }) => name === FINISH && !failed)) return DONE;
    if (answer.calls.length === 0) return this.withoutCalls(answer);
    this.goOn(usage);
    return undefined;
  }

  private goOn({ inputTokens, outputTokens }: MessageUsage): void {
    this.empty = 0;
    this.shortenedFor = 0;
    const tokens = inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0);
    this.tellShortened(this.options.conversation.fit(tokens));
  }

  /** @returns undefined when the conversation was too long and was shortened */
  private async ask(): Promise<ChatAnswer | undefined> {
    const { model, conversation, patience, onOutput } = this.options;
    const onRetry = (error: ModelError, wait: number): void => {
      this.note(`${error.message}; asking again in ${Math.ceil(wait / 1000)} s`);
    };
    try {
      const request = { messages: conversation.messages, tools: CHAT_TOOLS };
      const answer = await askPatiently(model, request, onOutput, { ...patience, onRetry }, this.signal);
      if (answer.text !== "" && !answer.text.endsWith("\n")) onOutput("\n");
      return answer;
    } catch (error) {
      if (!ModelError.is(error) || error.trouble !== "too-long") throw error;
      const count = this.shortenedFor < MOST_REFUSALS ? conversation.fit(undefined, true) : 0;
      if (count === 0) throw error;
      this.shortenedFor += 1;
      this.tellShortened(count);
      return undefined;
    }
  }

  private async use({ id, name, arguments: text }: ChatCall): Promise<UsedTool> {
    const call = checkCall(name, text);
    this.options.onOutput(`▸ ${name} ${shortLine(text)}\n`);
    const { ok, text: output } = await this.answerOf(call);
    return { id, name, call, output, failed: !ok };
  }

  private async answerOf(call: CheckedCall): Promise<ToolAnswer> {
    if ("refusal" in call) return { ok: false, text: call.refusal };
    if (call.name === FINISH) return { ok: true, text: "Finished." };
    const { seconds } = call.input;
    const limit = typeof seconds === "number" ? seconds : MOST_COMMAND_SECONDS;
    return this.options.useTool(call.name, call.input, limit + TOOL_GRACE, this.signal);
  }

  /** An answer without calls is the end, unless it was cut off or there is nothing in it. */
  private withoutCalls(answer: ChatAnswer): LoopEnding | undefined {
    if (!answer.isCut && answer.text.trim() !== "") return DONE;
    this.empty += 1;
    if (this.empty >= MOST_EMPTY) {
      const reason = answer.isCut
        ? "The model's answers are cut off at its length limit"
        : "The model gives empty answers";
      return { status: "error", reason, retryable: true };
    }
    const text = answer.isCut ? GO_ON : SAY_SOMETHING;
    this.options.conversation.add({ role: "user", text });
    this.options.chronicle.say("user", text);
    return undefined;
  }

  private async keep(answer: ChatAnswer, usage: MessageUsage, used: readonly UsedTool[]): Promise<void> {
    this.options.chronicle.answered(answer, usage, used);
    await this.options.chronicle.write(undefined);
  }

  private tellShortened(count: number): void {
    if (count > 0) this.note(`Old messages shortened to save room in the model's context: ${count}`);
  }

  private note(text: string): void {
    this.options.chronicle.say("system", text);
    this.options.onOutput(`[${text}]\n`);
  }
}

function limited(words: string): LoopEnding {
  return { status: "error", reason: `${words}; what it had written was kept`, retryable: false };
}

function giveUp(error: ModelError): LoopEnding {
  return { status: "error", reason: error.message, retryable: error.trouble === "passing" };
}

function shortLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length <= 200 ? line : `${line.slice(0, 200)}…`;
}
