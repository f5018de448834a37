import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

import { SlopLensError } from "../../model/errors.js";
import { entryFileName } from "../../problem/entry.js";
import { cancelled, timerMilliseconds, within } from "../../sandbox/deadline.js";
import type { CommandResult, SandboxSession, SessionRequest } from "../../sandbox/sandbox.js";
import type { Agent, AgentResult, AgentTurn } from "../agent.js";
import { MASK, maskable } from "../masking.js";
import type { ChatMessage, ChatModel } from "./chat-model.js";
import { Chronicle } from "./chronicle.js";
import { Conversation, messagesDocument, readMessages } from "./conversation.js";
import { growingBackoff, type Patience } from "./patience.js";
import type { Prices } from "./prices.js";
import { SYSTEM_PROMPT } from "./system-prompt.js";
import { runToolLoop, type LoopEnding } from "./tool-loop.js";
import { ToolServer, toolServerCommand, ToolServerEnded, toolServerPlacement } from "./tool-server.js";

export interface ModelAgentOptions {
  /** Folder of the product's Python files. */
  readonly harness: string;
  readonly prices?: Prices | undefined;
  /** How a model is borne with; the idle limit is the turn's. */
  readonly patience?: Omit<Patience, "onRetry" | "idleSeconds">;
}

/** Changes with the system prompt, the tools and the loop, so that runs tell what they were made with. */
const VERSION = "1";
const STATE = "conversation.json";
/** A silent model is given up after this, unless the turn says otherwise: there is no connection that lives so long. */
const IDLE_SECONDS = 600;
/** How long the tools may take to end, in milliseconds; the sandbox ends what is left. */
const CLOSING = 10_000;
const PATIENCE = { retries: 5, backoff: growingBackoff };
const GO_ON =
  "You were interrupted. Look at what is there and go on until everything that was asked for is done.";

/**
 * An agent that is a model and a loop around it. The loop runs here and talks with the model; only what its tools do
 * happens in the sandbox, which so holds no key and needs no network.
 */
export function modelAgent(model: ChatModel, options: ModelAgentOptions): Agent {
  return {
    description: { type: "model", version: VERSION, model: model.name, detail: model.place },
    origin: "agent",
    secrets: model.secrets,
    layer: undefined,
    check: () => Promise.resolve(),
    takeTurn: (turn, signal) => new ModelTurn(model, options, turn).take(signal),
  };
}

class ModelTurn {
  /** Ends at the time limit. */
  private readonly clock = new AbortController();

  constructor(
    private readonly model: ChatModel,
    private readonly options: ModelAgentOptions,
    private readonly turn: AgentTurn,
  ) {}

  async take(signal: AbortSignal): Promise<AgentResult> {
    const { turn } = this;
    const conversation = await this.begin();
    const chronicle = await this.openChronicle(signal);
    for (const message of conversation.opening) {
      if (message.role === "system" || message.role === "user") chronicle.say(message.role, message.text);
    }
    await using session = await turn.sandbox.open(await this.request(), signal);
    const began = performance.now();
    const ending = this.masked(await this.work(session, conversation.all, chronicle, signal));
    const agentSeconds = (performance.now() - began) / 1000;
    await chronicle.write(ending.reason);
    await this.keepState(conversation.all);
    // Collected however the loop ended: what a model wrote before it failed is never lost.
    const leftOut = await session.collect(turn.workspaceAfter, turn.keep, signal);
    if (leftOut.length > 0) turn.onOutput(`Left out, what a snapshot cannot hold: ${leftOut.join(", ")}\n`);
    return { ...ending, usage: { ...chronicle.usage, agentSeconds } };
  }

  private openChronicle(signal: AbortSignal): Promise<Chronicle> {
    const agent = { type: "slop-lens", version: VERSION, model: this.model.name };
    const mask = (text: string): string => this.mask(text);
    const options = { folder: this.turn.transcriptFolder, agent, mask };
    return Chronicle.open(options, this.turn.attempt > 0, signal);
  }

  private async work(
    session: SandboxSession,
    conversation: Conversation,
    chronicle: Chronicle,
    signal: AbortSignal,
  ): Promise<LoopEnding> {
    const { limits } = this.turn;
    const { seconds } = limits;
    const expire = (): void => {
      this.clock.abort();
    };
    const timer = seconds === undefined ? undefined : setTimeout(expire, timerMilliseconds(seconds));
    const server = new ToolServer(session, signal);
    try {
      const idleSeconds = limits.idleSeconds ?? IDLE_SECONDS;
      return await runToolLoop(
        {
          ...{ model: this.model, conversation, chronicle, prices: this.options.prices },
          ...{ steps: limits.steps, costUsd: limits.costUsd },
          patience: { ...PATIENCE, ...this.options.patience, idleSeconds },
          useTool: (name, input, limit, abort) => server.ask(name, input, limit, abort),
          onOutput: (text) => {
            this.turn.onOutput(this.mask(text));
          },
        },
        AbortSignal.any([signal, this.clock.signal]),
      );
    } catch (error) {
      if (signal.aborted) throw cancelled();
      return this.endingOf(error);
    } finally {
      clearTimeout(timer);
      const limit = { milliseconds: CLOSING, onExpiry: cancelled, signal };
      await within(server.close(), limit).catch(() => undefined);
    }
  }

  /** @throws the error itself when it is no end of the agent's own */
  private endingOf(error: unknown): LoopEnding {
    if (this.clock.signal.aborted && SlopLensError.is(error, "cancelled")) {
      const limit = `its time limit of ${this.turn.limits.seconds ?? 0} s`;
      const reason = `The agent did not finish within ${limit}; what it had written was kept`;
      return { status: "timeout", reason, retryable: false };
    }
    if (!(error instanceof ToolServerEnded)) throw error;
    return { status: "error", reason: serverReason(error.result, error.lastWords), retryable: true };
  }

  private async request(): Promise<SessionRequest> {
    const { turn } = this;
    const { memoryBytes, cpus, pids, diskBytes, network } = turn.limits;
    return {
      image: await turn.image(),
      environment: turn.environment,
      purpose: "agent",
      owner: turn.owner,
      placements: [
        { source: { path: turn.workspaceBefore }, root: "workspace", target: ".", owner: "solution" },
        toolServerPlacement(this.options.harness),
      ],
      command: toolServerCommand,
      env: () => ({
        SLOP_LENS_PROBLEM: turn.problem.name,
        SLOP_LENS_CHECKPOINT: turn.checkpoint.name,
        SLOP_LENS_ENTRY_FILE: entryFileName(turn.environment, turn.problem),
      }),
      limits: { timeoutSeconds: undefined, memoryBytes, cpus, pids, diskBytes },
      network,
    };
  }

  /** A new conversation, or the one before with what is asked now; `opening` is what is said before the model answers. */
  private async begin(): Promise<{
    readonly all: Conversation;
    readonly opening: readonly ChatMessage[];
  }> {
    const { prompt, session, attempt } = this.turn;
    const before = await readState(session.stateBefore);
    const asked: ChatMessage = { role: "user", text: before !== undefined && attempt > 0 ? GO_ON : prompt };
    const opening =
      before === undefined ? [{ role: "system" as const, text: SYSTEM_PROMPT }, asked] : [asked];
    return { all: new Conversation([...(before ?? []), ...opening], this.model.contextTokens), opening };
  }

  private async keepState(conversation: Conversation): Promise<void> {
    const folder = this.turn.session.stateAfter;
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    const messages = answeredMessages(conversation.messages);
    await writeFile(path.join(folder, STATE), this.mask(messagesDocument(messages)));
  }

  private mask(text: string): string {
    return maskable(this.model.secrets).reduce((clean, secret) => clean.replaceAll(secret, MASK), text);
  }

  private masked(ending: LoopEnding): LoopEnding {
    return { ...ending, reason: ending.reason === undefined ? undefined : this.mask(ending.reason) };
  }
}

async function readState(folder: string | undefined): Promise<readonly ChatMessage[] | undefined> {
  if (folder === undefined) return undefined;
  const text = await readFile(path.join(folder, STATE), "utf8").catch(() => undefined);
  return text === undefined ? undefined : readMessages(text);
}

/** Without calls at the end that were never answered: models refuse such a conversation. */
function answeredMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.calls.length > 0 ? messages.slice(0, -1) : messages;
}

function serverReason({ outOfMemory, stoppedFor, exitCode }: CommandResult, lastWords: string): string {
  if (stoppedFor === "disk") return "The agent wrote more than its disk limit and was stopped";
  if (outOfMemory) return "The agent ran out of memory and was killed; allow it more memory";
  const words = lastWords === "" ? "" : ` (${lastWords})`;
  return `The agent's tools were ended by what it ran: exit code ${exitCode}${words}`;
}
