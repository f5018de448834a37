import { expect, it } from "vitest";
import { openAiModel } from "../../../src/core/agent/openai/openai-model.js";
import { ScriptedChat, sendError, sendStream, streamOf } from "../../support/scripted-chat.js";

async function ask(endpoint: string): Promise<unknown> {
  const model = openAiModel({
    ...{ endpoint, model: "tiny", key: "sk-test-0123456789", keyName: "MY_KEY", contextTokens: undefined },
  });
  const listener = { onText: () => undefined, onSign: () => undefined };
  const request = { messages: [{ role: "user" as const, text: "Hello" }], tools: [] };
  return model.answer(request, listener, new AbortController().signal);
}

it.each([301, 302, 307, 308])(
  "follows no redirect: neither key nor conversation go elsewhere (%i)",
  async (status) => {
    await using elsewhere = await ScriptedChat.start((_asked, response) => {
      sendStream(response, streamOf("thank you"));
    });
    await using chat = await ScriptedChat.start((_asked, response) => {
      sendError(response, status, "", { location: `${elsewhere.url}/chat/completions` });
    });
    const { host } = new URL(elsewhere.url);
    await expect(ask(chat.url)).rejects.toMatchObject({
      trouble: "refused",
      message: expect.stringContaining(`sends requests on to ${host}`) as string,
    });
    expect(elsewhere.asked).toHaveLength(0);
  },
);

it.each(["text/event-stream", "application/json"])("refuses an answer without an end (%s)", async (type) => {
  const line = Buffer.alloc(1024 * 1024, "x");
  await using chat = await ScriptedChat.start((_asked, response) => {
    response.writeHead(200, { "content-type": type });
    const more = (): void => {
      if (!response.destroyed) response.write(line, more);
    };
    more();
  });
  await expect(ask(chat.url)).rejects.toMatchObject({
    trouble: "refused",
    message: "The model's answer has no end",
  });
});
