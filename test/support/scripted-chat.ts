import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as an endpoint of chat completions gets it. */
export interface AskedChat {
  readonly model: string;
  readonly stream_options?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
}

/** Answers a request as it likes: whole, in pieces, with an error, or never. */
export type ChatScript = (
  asked: AskedChat,
  response: ServerResponse,
  request: IncomingMessage,
) => void | Promise<void>;

/** An endpoint on this machine that answers by a script. */
export class ScriptedChat implements AsyncDisposable {
  readonly asked: AskedChat[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(script: ChatScript): Promise<ScriptedChat> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    const chat = new ScriptedChat(server, `http://127.0.0.1:${port}/v1`);
    server.on("request", (request, response) => {
      void chat.answer(request, response, script);
    });
    return chat;
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    script: ChatScript,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as AskedChat;
    this.asked.push(asked);
    await script(asked, response, request);
  }

  /** Ends connections that hang, too. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export interface SaidCall {
  readonly name: string;
  readonly arguments: object;
}

/** The events of a streamed answer: text, then calls, then how it ended, then what it took. */
export function streamOf(
  text: string,
  calls: readonly SaidCall[] = [],
  usage: object = { prompt_tokens: 100, completion_tokens: 20 },
): string {
  const tool_calls = calls.map((call, index) => ({
    ...{ index, id: `call_${index}`, type: "function" },
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const finish_reason = calls.length === 0 ? "stop" : "tool_calls";
  const events = [
    { choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
    ...(calls.length === 0 ? [] : [{ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] }]),
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ];
  return [...events.map((event) => JSON.stringify(event)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

/** Sends a whole stream at once. */
export function sendStream(response: ServerResponse, stream: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(stream);
}

export function sendError(
  response: ServerResponse,
  status: number,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
