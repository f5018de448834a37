import type { IncomingHttpHeaders } from "node:http";

/** What an agent asks of a model, whatever the dialect. */
export interface ModelRequest {
  readonly dialect: string;
  /** The newest words of the user, without what tools answered. */
  readonly prompt: string;
  /** How many answers of tools stand behind these words. */
  readonly answers: number;
  /** The newest answer of a tool; empty when there is none. */
  readonly answer: string;
  /** Names of the tools that the agent offers. */
  readonly tools: readonly string[];
  /** Every word of the request, as it was sent. */
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** What the model says. Every answer but a trouble takes 100 tokens in and 20 out. */
export type ModelReply =
  | { readonly kind: "text"; readonly text: string }
  /** Calls the agent's own shell. */
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "trouble"; readonly status: number; readonly message: string }
  /** Says nothing and keeps the connection. */
  | { readonly kind: "hang" };

export const TOKENS = { input: 100, output: 20 } as const;

export type Said = Extract<ModelReply, { kind: "text" | "shell" }>;

/** One way of talking to a model over HTTP. */
export interface Dialect {
  readonly name: string;
  /** Whether a POST to this path is a question in this dialect. */
  readonly takes: (path: string) => boolean;
  readonly read: (body: unknown) => Pick<ModelRequest, "prompt" | "answers" | "answer" | "tools">;
  /** Server-sent events: each with its name, when the dialect names them, and its data. */
  readonly say: (reply: Said, tools: readonly string[], id: string) => readonly StreamEvent[];
  readonly trouble: (status: number, message: string) => unknown;
}

export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}
