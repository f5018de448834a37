import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { anthropic } from "./anthropic.js";
import type { Dialect, ModelReply, ModelRequest, StreamEvent } from "./dialect.js";
import { gemini } from "./gemini.js";
import { openaiChat } from "./openai-chat.js";
import { openaiResponses } from "./openai-responses.js";

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini];

/** A model that follows a script, on this machine, for agents in containers. It answers only what it knows. */
export class ModelEndpoint implements AsyncDisposable {
  readonly requests: ModelRequest[] = [];
  /** What was asked and is no question to a model. */
  readonly strangers: string[] = [];
  script: (request: ModelRequest) => ModelReply = () => ({ kind: "text", text: "Done." });

  private constructor(private readonly server: Server) {
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#take(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async start(): Promise<ModelEndpoint> {
    const server = createServer();
    const endpoint = new ModelEndpoint(server);
    await new Promise<void>((resolve) => {
      server.listen(0, "0.0.0.0", resolve);
    });
    return endpoint;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = await bodyOf(request);
    const dialect = request.method === "POST" ? DIALECTS.find(({ takes }) => takes(path)) : undefined;
    if (dialect === undefined) {
      // No web sockets here: agents that try one first then go on with plain requests.
      const isSocket = request.headers.upgrade !== undefined;
      if (!isSocket) this.strangers.push(`${request.method ?? ""} ${path}`);
      sendJson(response, isSocket ? 426 : 404, {});
      return;
    }
    const asked = {
      dialect: dialect.name,
      ...dialect.read(JSON.parse(body)),
      body,
      headers: request.headers,
    };
    this.requests.push(asked);
    const reply = this.script(asked);
    if (reply.kind === "hang") return;
    if (reply.kind === "trouble") {
      sendJson(response, reply.status, dialect.trouble(reply.status, reply.message));
    } else sendEvents(response, dialect.say(reply, asked.tools, String(this.requests.length)));
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
