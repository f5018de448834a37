import * as vscode from "vscode";
import type {
  ChatAnswer,
  ChatCall,
  ChatListener,
  ChatMessage,
  ChatModel,
  ChatRequest,
} from "../../core/agent/tool-loop/chat-model.js";
import { isTooLong, ModelError } from "../../core/agent/tool-loop/model-error.js";
import { SlopLensError } from "../../core/model/errors.js";

/** What VS Code shows when it asks the user whether the model may be used. */
const JUSTIFICATION = "Slop Lens lets the model solve the checkpoints of a run, over many requests.";

/** What to do about the errors that VS Code has names for. */
const REMEDIES: Readonly<Record<string, string>> = {
  NoPermissions: "VS Code did not let Slop Lens use it: run again and allow it when VS Code asks",
  Blocked: "it is blocked, by its quota or a filter",
  NotFound: "it is not there any more: choose another model",
};

/** A model that VS Code has, for example from Copilot, as the loop talks to it. */
export function languageModel(model: vscode.LanguageModelChat): ChatModel {
  return new LanguageModel(model);
}

class LanguageModel implements ChatModel {
  readonly name: string;
  readonly place: string;
  readonly contextTokens: number;
  /** VS Code keeps the key, if there is one, to itself. */
  readonly secrets: readonly string[] = [];
  /** Messages are counted once; of a conversation only the newest are new. */
  private readonly counted = new WeakMap<ChatMessage, number>();

  constructor(private readonly model: vscode.LanguageModelChat) {
    this.name = model.id;
    this.place = `VS Code, ${model.vendor}`;
    this.contextTokens = model.maxInputTokens;
  }

  async answer(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => {
      source.cancel();
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await this.request(request, listener, source.token);
    } catch (error) {
      throw signal.aborted ? new SlopLensError("cancelled", "Cancelled") : troubleOf(error, this.model.name);
    } finally {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  }

  private async request(
    { messages, tools }: ChatRequest,
    listener: ChatListener,
    token: vscode.CancellationToken,
  ): Promise<ChatAnswer> {
    const response = await this.model.sendRequest(
      messages.map(toMessage),
      {
        justification: JUSTIFICATION,
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: parameters,
        })),
      },
      token,
    );
    let text = "";
    const calls: ChatCall[] = [];
    for await (const part of response.stream) {
      listener.onSign();
      if (part instanceof vscode.LanguageModelTextPart) {
        text += part.value;
        listener.onText(part.value);
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        calls.push({ id: part.callId, name: part.name, arguments: JSON.stringify(part.input) });
      }
    }
    const answer = { text, thinking: "", calls, isCut: false, isEstimated: true };
    return { ...answer, usage: await this.estimate(messages, { role: "assistant", text, calls }, token) };
  }

  /** VS Code does not tell what a request took, but counts tokens as the model does. */
  private async estimate(
    asked: readonly ChatMessage[],
    said: ChatMessage,
    token: vscode.CancellationToken,
  ): Promise<ChatAnswer["usage"]> {
    const unknown = { costUsd: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined };
    const counts = await Promise.all(asked.map((message) => this.count(message, token)));
    return {
      ...unknown,
      inputTokens: counts.reduce((sum, count) => sum + count, 0),
      outputTokens: await this.count(said, token),
      reasoningTokens: undefined,
    };
  }

  private async count(message: ChatMessage, token: vscode.CancellationToken): Promise<number> {
    const known = this.counted.get(message);
    if (known !== undefined) return known;
    const count = await this.model.countTokens(wordsOf(message), token);
    this.counted.set(message, count);
    return count;
  }
}

function wordsOf(message: ChatMessage): string {
  if (message.role !== "assistant") return message.text;
  return [message.text, ...message.calls.map((call) => `${call.name} ${call.arguments}`)].join("\n");
}

/** VS Code knows no messages of the system; what a user says comes closest. */
function toMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case "system":
    case "user":
      return vscode.LanguageModelChatMessage.User(message.text);
    case "tool": {
      const content = [new vscode.LanguageModelTextPart(message.text)];
      return vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart(message.call, content),
      ]);
    }
    case "assistant": {
      const text = message.text === "" ? [] : [new vscode.LanguageModelTextPart(message.text)];
      const calls = message.calls.map(
        (call) => new vscode.LanguageModelToolCallPart(call.id, call.name, inputOf(call)),
      );
      return vscode.LanguageModelChatMessage.Assistant([...text, ...calls]);
    }
  }
}

function inputOf(call: ChatCall): object {
  const input: unknown = JSON.parse(call.arguments);
  return typeof input === "object" && input !== null ? input : {};
}

function troubleOf(error: unknown, name: string): ModelError {
  const words = (error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
  const remedy = error instanceof vscode.LanguageModelError ? REMEDIES[error.code] : undefined;
  if (remedy !== undefined) {
    const said = words === "" ? "" : ` (${words})`;
    return new ModelError("refused", `The model ${name} gave no answer; ${remedy}${said}`);
  }
  const trouble = isTooLong(words) ? "too-long" : "passing";
  return new ModelError(trouble, `The model ${name} gave no answer (${words})`, undefined, { cause: error });
}
