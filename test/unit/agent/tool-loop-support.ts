import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { AgentResult, AgentTurn } from "../../../src/core/agent/agent.js";
import type {
  ChatAnswer,
  ChatCall,
  ChatModel,
  ChatRequest,
} from "../../../src/core/agent/tool-loop/chat-model.js";
import { modelAgent, type ModelAgentOptions } from "../../../src/core/agent/tool-loop/model-agent.js";
import { DEFAULT_LIMITS, type TurnLimits } from "../../../src/core/model/policy.js";
import { cancelled } from "../../../src/core/sandbox/deadline.js";
import { LocalSandbox } from "../../../src/core/sandbox/local/local-sandbox.js";
import type { PreparedImage } from "../../../src/core/sandbox/sandbox.js";
import { aProblem, anEnvironment } from "../trajectory/samples.js";
import { FIRST_TRY } from "./support.js";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const HARNESS = path.join(ROOT, "harness");
export const SECRET = "sk-hidden-0123456789";
export const sandbox = new LocalSandbox({ harness: HARNESS, cacheFolder: path.join(ROOT, ".cache/local") });
export const never = new AbortController().signal;
const environment = anEnvironment();

export function prepareImage(): Promise<PreparedImage> {
  const request = { environment, testDependencies: [], requirementsFrom: undefined };
  return sandbox.prepare(request, () => undefined, never);
}

export type Reply =
  Partial<ChatAnswer> | Error | ((request: ChatRequest, signal: AbortSignal) => Promise<ChatAnswer>);

/** A model that gives these answers one after the other, the last again and again. */
export class ScriptedModel implements ChatModel {
  readonly name = "scripted";
  readonly place = "this test";
  readonly secrets = [SECRET];
  readonly asked: ChatRequest[] = [];

  constructor(
    private readonly replies: readonly Reply[],
    readonly contextTokens = 100_000,
  ) {}

  answer(
    request: ChatRequest,
    listener: { onText(text: string): void },
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const reply = this.replies[Math.min(this.asked.length, this.replies.length - 1)] ?? {};
    this.asked.push({ ...request, messages: [...request.messages] });
    if (typeof reply === "function") return reply(request, signal);
    if (reply instanceof Error) return Promise.reject(reply);
    const answer = answerOf(reply);
    listener.onText(answer.text);
    return Promise.resolve(answer);
  }

  /** What the tools answered last before the request of this number. */
  outputs(request: number): string[] {
    const messages = this.asked[request]?.messages ?? [];
    const from = messages.findLastIndex(({ role }) => role === "assistant");
    return messages.slice(from + 1).flatMap((message) => (message.role === "tool" ? [message.text] : []));
  }
}

export function answerOf(part: Partial<ChatAnswer>): ChatAnswer {
  const tokens = { costUsd: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined };
  const usage = { ...tokens, inputTokens: 100, outputTokens: 20, reasoningTokens: undefined };
  return { text: "", thinking: "", calls: [], usage, isEstimated: false, isCut: false, ...part };
}

export function calls(
  ...made: readonly (readonly [name: string, given: object | string])[]
): Partial<ChatAnswer> {
  return {
    calls: made.map(([name, given], index): ChatCall => ({
      id: `call_${index}`,
      name,
      arguments: typeof given === "string" ? given : JSON.stringify(given),
    })),
  };
}

export const bash = (command: string, more: object = {}): Partial<ChatAnswer> =>
  calls(["bash", { command, ...more }]);
export const finish = calls(["finish", { summary: "done" }]);

interface Wish {
  readonly limits?: Partial<TurnLimits>;
  readonly turn?: Partial<AgentTurn>;
  readonly options?: Partial<ModelAgentOptions>;
  readonly signal?: AbortSignal;
}

/** A folder in which a model takes turns, each from a workspace with a `shelf.py` that prints `old`. */
export class TurnFolder implements AsyncDisposable {
  /** What the user hears of the turns. */
  heard = "";

  private constructor(readonly path: string) {}

  static async make(): Promise<TurnFolder> {
    const folder = new TurnFolder(await mkdtemp(path.join(os.tmpdir(), "slop-lens-tool-loop-")));
    await mkdir(folder.in("before"));
    await writeFile(folder.in("before/shelf.py"), "print('old')\n");
    return folder;
  }

  in(file: string): string {
    return path.join(this.path, file);
  }

  /** A file as the turn left it. */
  after(file: string): Promise<string> {
    return readFile(this.in(`after/${file}`), "utf8");
  }

  trajectory(): Promise<string> {
    return readFile(this.in("agent/trajectory.json"), "utf8");
  }

  /** One turn; a second one in a test takes the place of the first. */
  async take(model: ChatModel, wish: Wish = {}): Promise<AgentResult> {
    await rm(this.in("after"), { recursive: true, force: true });
    const problem = aProblem(this.in("pack"), 1);
    const [checkpoint] = problem.checkpoints;
    if (checkpoint === undefined) throw new Error("the sample has one checkpoint");
    const turn: AgentTurn = {
      ...FIRST_TRY,
      problem,
      checkpoint,
      environment,
      sandbox,
      image: prepareImage,
      owner: { run: this.path, turn: "sample/checkpoint_1" },
      prompt: "Write a shelf.",
      workspaceBefore: this.in("before"),
      workspaceAfter: this.in("after"),
      keep: (relative) => !relative.endsWith(".pyc"),
      transcriptFolder: this.in("agent"),
      limits: { ...DEFAULT_LIMITS, ...wish.limits },
      onOutput: (text) => {
        this.heard += text;
      },
      ...wish.turn,
    };
    const patience = { retries: 2, backoff: () => 1 };
    const agent = modelAgent(model, { harness: HARNESS, patience, ...wish.options });
    return agent.takeTurn(turn, wish.signal ?? never);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}

/** A reply that never comes. */
export const hang: Reply = (_request, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(cancelled());
    });
  });
