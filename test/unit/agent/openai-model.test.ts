import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openAiModel, type OpenAiOptions } from "../../../src/core/agent/openai/openai-model.js";
import type { ChatAnswer, ChatModel, ChatRequest } from "../../../src/core/agent/tool-loop/chat-model.js";
import { ModelError } from "../../../src/core/agent/tool-loop/model-error.js";
import { askPatiently, type Patience } from "../../../src/core/agent/tool-loop/patience.js";
import { pause } from "../../../src/core/sandbox/deadline.js";
import { CHAT_TOOLS } from "../../../src/core/agent/tool-loop/tools.js";
import {
  ScriptedChat,
  sendError,
  sendStream,
  streamOf,
  type ChatScript,
} from "../../support/scripted-chat.js";

const KEY = "sk-test-0123456789";
const never = new AbortController().signal;
const request: ChatRequest = {
  messages: [
    { role: "system", text: "be good" },
    { role: "user", text: "Schönes Gerät" },
    { role: "assistant", text: "", calls: [{ id: "c1", name: "bash", arguments: '{"command":"ls"}' }] },
    { role: "tool", call: "c1", text: "a.py" },
  ],
  tools: CHAT_TOOLS,
};

let chat: ScriptedChat | undefined;

afterEach(async () => {
  await chat?.[Symbol.asyncDispose]();
  chat = undefined;
});

async function model(script: ChatScript, part: Partial<OpenAiOptions> = {}): Promise<ChatModel> {
  chat = await ScriptedChat.start(script);
  return openAiModel({
    ...{ endpoint: chat.url, model: "tiny", key: KEY, keyName: "MY_KEY", contextTokens: undefined },
    ...part,
  });
}

async function ask(asked: ChatModel, signal = never): Promise<ChatAnswer & { readonly heard: string }> {
  let heard = "";
  const listener = {
    onText: (text: string) => {
      heard += text;
    },
    onSign: () => undefined,
  };
  return { ...(await asked.answer(request, listener, signal)), heard };
}

function scriptOf(...steps: readonly ((response: ServerResponse) => void)[]): ChatScript {
  let count = 0;
  return (_asked, response) => {
    const step = steps[Math.min(count, steps.length - 1)];
    count += 1;
    step?.(response);
  };
}

function patience(part: Partial<Patience> = {}): Patience & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    ...{ retries: 3, backoff: () => 1, idleSeconds: undefined },
    onRetry: (_error, wait) => waits.push(wait),
    ...part,
    waits,
  };
}

const events = (...data: readonly unknown[]): string =>
  data.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("");
const delta = (part: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: part, finish_reason }],
});

describe("a request", () => {
  it("carries messages, calls, tools and the key, and asks for the usage of a stream", async () => {
    let authorization: string | undefined;
    await ask(
      await model((_asked, response, { headers }) => {
        authorization = headers.authorization;
        sendStream(response, streamOf("hi"));
      }),
    );
    expect(authorization).toBe(`Bearer ${KEY}`);
    const [asked] = chat?.asked ?? [];
    expect(asked).toMatchObject({ model: "tiny", stream: true, stream_options: { include_usage: true } });
    expect(asked?.messages).toEqual([
      { role: "system", content: "be good" },
      { role: "user", content: "Schönes Gerät" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "a.py" },
    ]);
    const bash = asked?.tools.find((tool) => tool.function.name === "bash");
    expect(bash?.function.parameters).toMatchObject({ type: "object", required: ["command"] });
  });

  it("leaves out an option that an endpoint does not know, from then on", async () => {
    const asked = await model(({ stream_options }, response) => {
      if (stream_options !== undefined) sendError(response, 400, { error: "unknown field: stream_options" });
      else sendStream(response, streamOf("hi"));
    });
    expect((await ask(asked)).text).toBe("hi");
    expect((await ask(asked)).text).toBe("hi");
    expect(chat?.asked.map(({ stream_options }) => stream_options !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("tells where it goes without what may be a key", () => {
    const options = { model: "m", key: undefined, keyName: undefined, contextTokens: undefined };
    for (const endpoint of ["https://host/v1?key=sk-1", "https://host/v1/chat/completions?key=sk-1#a"]) {
      expect(openAiModel({ ...options, endpoint }).place).toBe("https://host/v1");
    }
  });

  it.each(["ftp://x/v1", "not an address", "https://user:sk-1@host/v1"])("is not sent to %s", (endpoint) => {
    const options = { endpoint, model: "m", key: undefined, keyName: undefined, contextTokens: undefined };
    expect(() => openAiModel(options)).toThrow(/not an http or https address/u);
  });
});

describe("an answer", () => {
  const stream = events(
    delta({ role: "assistant", content: "Grüße 🌍\n" }),
    delta({ content: "", reasoning_content: "hm" }),
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "read_file", arguments: '{"pa' } }] }),
    delta({ tool_calls: [{ index: 1, id: "b", function: { name: "bash", arguments: "" } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: 'th":"ä.py"}' } }] }),
    delta({ tool_calls: [{ index: 1, function: { arguments: '{"command":"ls"}' } }] }),
    delta({}, "tool_calls"),
    {
      choices: [],
      usage: {
        ...{ prompt_tokens: 1000, completion_tokens: 50, cost: 0.25 },
        ...{
          prompt_tokens_details: { cached_tokens: 400 },
          completion_tokens_details: { reasoning_tokens: 7 },
        },
      },
    },
    "[DONE]",
  );

  it.each([1, 2, 3, 7, 64, 100_000])("is put together from pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(`: a comment\r\n\r\n${stream}`);
    const asked = await model(async (_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (let at = 0; at < bytes.length; at += size) {
        if (!response.write(bytes.subarray(at, at + size))) await once(response, "drain");
      }
      response.end();
    });
    expect(await ask(asked)).toEqual({
      text: "Grüße 🌍\n",
      heard: "Grüße 🌍\n",
      thinking: "hm",
      calls: [
        { id: "a", name: "read_file", arguments: '{"path":"ä.py"}' },
        { id: "b", name: "bash", arguments: '{"command":"ls"}' },
      ],
      usage: {
        ...{ costUsd: 0.25, inputTokens: 1000, outputTokens: 50, cacheReadTokens: 400 },
        ...{ cacheWriteTokens: undefined, reasoningTokens: 7 },
      },
      isEstimated: false,
      isCut: false,
    });
  });

  it("is taken whole from an endpoint that does not stream", async () => {
    const message = { content: null, tool_calls: [{ id: "x", function: { name: "bash", arguments: "{}" } }] };
    const whole = { choices: [{ message, finish_reason: "tool_calls" }], usage: { prompt_tokens: 3 } };
    const asked = await model((_asked, response) => {
      sendError(response, 200, whole);
    });
    expect(await ask(asked)).toMatchObject({
      text: "",
      calls: [{ id: "x", name: "bash", arguments: "{}" }],
      usage: { inputTokens: 3, outputTokens: undefined },
    });
  });

  it("keeps calls apart that come whole, without ids or an index", async () => {
    const call = (command: string): object => ({ function: { name: "bash", arguments: command } });
    const asked = await model((_asked, response) => {
      sendStream(response, events(delta({ tool_calls: [call("1"), call("2")] }), delta({}, "tool_calls")));
    });
    const { calls } = await ask(asked);
    expect(calls.map(({ arguments: given }) => given)).toEqual(["1", "2"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it("says when it was cut off, and ends with the endpoint's word though the end has no reason", async () => {
    const cut = await model((_asked, response) => {
      sendStream(response, events(delta({ content: "half" }, "length"), "[DONE]"));
    });
    expect(await ask(cut)).toMatchObject({ text: "half", isCut: true });
    await chat?.[Symbol.asyncDispose]();
    const bare = await model((_asked, response) => {
      sendStream(response, events(delta({ content: "all" }), "[DONE]"));
    });
    expect(await ask(bare)).toMatchObject({ text: "all", isCut: false });
  });
});

describe("trouble", () => {
  it.each([
    [
      401,
      { error: { message: "Incorrect API key" } },
      "refused",
      /refused the key; check the variable MY_KEY \(401: Incorrect API key\)/u,
    ],
    [403, "<html>\n<h1>Forbidden</h1>", "refused", /refused the key.*403: <html> <h1>Forbidden/u],
    [
      404,
      { error: { message: "no model tiny", code: "model_not_found" } },
      "refused",
      /refused the request \(404: no model tiny \[model_not_found\]\)/u,
    ],
    [
      400,
      { error: { message: "maximum context length is 8192 tokens" } },
      "too-long",
      /grown too long.*8192/u,
    ],
    [429, { error: { message: "slow down" } }, "passing", /is in trouble \(429: slow down\)/u],
    [429, { error: { message: "pay", code: "insufficient_quota" } }, "refused", /429: pay/u],
    [500, "", "passing", /is in trouble \(500 Internal Server Error\)/u],
    [503, { message: "busy" }, "passing", /503: busy/u],
  ])("%i is told as what it is", async (status, body, trouble, message) => {
    const asked = await model((_asked, response) => {
      sendError(response, status, body);
    });
    await expect(ask(asked)).rejects.toMatchObject({
      name: "ModelError",
      trouble,
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ["broken JSON", events("{not json", "[DONE]"), /no chat completion/u],
    ["another form", events({ choices: "none" }), /no chat completion/u],
    [
      "an error in the stream",
      events(delta({ content: "a" }), { error: { message: "overloaded" } }),
      /overloaded/u,
    ],
    ["an early end", events(delta({ content: "half an ans" })), /in the middle of an answer/u],
  ])("%s may pass", async (_what, body, message) => {
    const asked = await model((_asked, response) => {
      sendStream(response, body);
    });
    await expect(ask(asked)).rejects.toMatchObject({
      trouble: "passing",
      message: expect.stringMatching(message) as string,
    });
  });

  it("is a cut connection and an endpoint that is not there", async () => {
    const cut = await model((_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(events(delta({ content: "a" })), () => response.destroy());
    });
    await expect(ask(cut)).rejects.toMatchObject({ trouble: "passing" });
    await chat?.[Symbol.asyncDispose]();
    await expect(ask(cut)).rejects.toMatchObject({
      trouble: "passing",
      message: expect.stringMatching(/cannot be reached \(.*ECONNREFUSED/u) as string,
    });
  });

  it("withholding an answer is final", async () => {
    const asked = await model((_asked, response) => {
      sendStream(response, events(delta({ content: "a" }, "content_filter")));
    });
    await expect(ask(asked)).rejects.toMatchObject({ trouble: "refused" });
  });
});

describe("patience", () => {
  const ok = (response: ServerResponse): void => {
    sendStream(response, streamOf("at last"));
  };

  it("asks again after what may pass, for as long as the endpoint says", async () => {
    const asked = await model(
      scriptOf(
        (response) => {
          sendError(response, 429, { error: { message: "slow" } }, { "retry-after": "0.05" });
        },
        (response) => {
          sendError(response, 502, "");
        },
        ok,
      ),
    );
    const how = patience();
    expect(await askPatiently(asked, request, () => undefined, how, never)).toMatchObject({
      text: "at last",
    });
    expect(how.waits).toEqual([50, 1]);
  });

  it("does not ask again after what will not, nor for longer than it should wait", async () => {
    const refused = await model((_asked, response) => {
      sendError(response, 401, "");
    });
    await expect(askPatiently(refused, request, () => undefined, patience(), never)).rejects.toThrow(/key/u);
    expect(chat?.asked).toHaveLength(1);
    await chat?.[Symbol.asyncDispose]();
    const far = await model((_asked, response) => {
      sendError(response, 429, "", { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() });
    });
    await expect(askPatiently(far, request, () => undefined, patience(), never)).rejects.toThrow(/429/u);
    expect(chat?.asked).toHaveLength(1);
  });

  it("ends with the last reason", async () => {
    const asked = await model((_asked, response) => {
      sendError(response, 500, { error: { message: "down" } });
    });
    await expect(askPatiently(asked, request, () => undefined, patience(), never)).rejects.toThrow(
      /500: down/u,
    );
    expect(chat?.asked).toHaveLength(4);
  });

  it.each([
    ["never answers", (): void => undefined],
    [
      "stops in the middle",
      (response: ServerResponse): void => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(events(delta({ content: "a" })));
      },
    ],
  ])("ends at the idle limit with an endpoint that %s", async (_what, step) => {
    const asked = await model(scriptOf(step));
    const how = patience({ idleSeconds: 0.2 });
    await expect(askPatiently(asked, request, () => undefined, how, never)).rejects.toMatchObject({
      name: "ModelIdle",
    });
    expect(chat?.asked).toHaveLength(1);
  });

  it("does not take a slow answer for silence", async () => {
    vi.useFakeTimers();
    try {
      const slow: Pick<ChatModel, "answer"> = {
        answer: async (_request, listener, signal) => {
          for (let piece = 0; piece < 5; piece++) {
            await pause(400, signal);
            listener.onSign();
          }
          throw new ModelError("refused", "to the end");
        },
      };
      const how = patience({ idleSeconds: 0.5 });
      const asking = expect(askPatiently(slow, request, () => undefined, how, never)).rejects.toThrow(
        "to the end",
      );
      await vi.advanceTimersByTimeAsync(2000);
      await asking;
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["is waited for", (): void => undefined],
    [
      "is to be asked again",
      (response: ServerResponse): void => {
        sendError(response, 429, "", { "retry-after": "200" });
      },
    ],
  ])("is cancelled at once while a model %s", async (_what, step) => {
    const controller = new AbortController();
    const asked = await model(scriptOf(step));
    const how = patience({
      onRetry: () => {
        controller.abort();
      },
    });
    const asking = askPatiently(asked, request, () => undefined, how, controller.signal);
    setTimeout(() => {
      controller.abort();
    }, 200);
    await expect(asking).rejects.toMatchObject({ code: "cancelled" });
  });
});
