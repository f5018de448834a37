import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAiModel } from "../../../src/core/agent/openai/openai-model.js";
import { proxyFor } from "../../../src/core/agent/openai/proxy.js";
import { ScriptedChat, sendStream, streamOf } from "../../support/scripted-chat.js";

const KEY = "sk-test-0123456789";

beforeEach(() => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function ask(endpoint: string): Promise<string> {
  const model = openAiModel({
    endpoint,
    model: "tiny",
    key: KEY,
    keyName: "MY_KEY",
    contextTokens: undefined,
  });
  const listener = { onText: () => undefined, onSign: () => undefined };
  const request = { messages: [{ role: "user" as const, text: "Hello" }], tools: [] };
  return (await model.answer(request, listener, new AbortController().signal)).text;
}

/** A proxy that leads wherever it is asked for to one port of this machine, and keeps what it saw. */
class Proxy implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** What came through tunnels, from the client. */
  readonly tunnelled: Buffer[] = [];
  private readonly server = createServer();

  async start(port: number): Promise<string> {
    this.server.on("connect", (request, client, head) => {
      this.asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
      this.headers.push(request.headers);
      const onward = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.write(head);
        client.on("data", (chunk: Buffer) => this.tunnelled.push(chunk));
        client.pipe(onward).pipe(client);
      });
      for (const side of [client, onward]) side.on("error", () => client.destroy());
    });
    await new Promise<void>((resolve) => {
      this.server.listen(0, "127.0.0.1", resolve);
    });
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    return Promise.resolve();
  }
}

const answering = () =>
  ScriptedChat.start((_asked, response) => {
    sendStream(response, streamOf("hello from afar"));
  });

const portOf = ({ url }: ScriptedChat): number => Number(new URL(url).port);

describe("an endpoint behind a proxy", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("is asked through the one that %s names", async (variable) => {
    await using chat = await answering();
    await using proxy = new Proxy();
    vi.stubEnv(variable, `http://user:word@${await proxy.start(portOf(chat))}`);
    expect(await ask("http://model.invalid/v1")).toBe("hello from afar");
    expect(proxy.asked).toEqual(["CONNECT model.invalid:80"]);
    expect(proxy.headers[0]?.["proxy-authorization"]).toBe(`Basic ${btoa("user:word")}`);
    expect(chat.asked).toHaveLength(1);
  });

  it("is given the key within TLS only: the proxy sees a tunnel", async () => {
    await using chat = await answering();
    await using proxy = new Proxy();
    vi.stubEnv("HTTPS_PROXY", await proxy.start(portOf(chat)));
    // What answers here speaks no TLS, so it ends with the handshake.
    await expect(ask("https://model.invalid/v1")).rejects.toThrow(
      /model\.invalid cannot be reached .*; asked was the proxy that HTTPS_PROXY names$/u,
    );
    expect(proxy.asked).toEqual(["CONNECT model.invalid:443"]);
    expect(JSON.stringify(proxy.headers)).not.toContain(KEY);
    const sent = Buffer.concat(proxy.tunnelled);
    // A record of a handshake, RFC 8446, 5.1.
    expect(sent[0]).toBe(0x16);
    expect(sent.includes(KEY)).toBe(false);
    expect(chat.asked).toHaveLength(0);
  });

  it.each(["model.invalid", ".invalid", "other, model.invalid:80", "*"])(
    "is asked itself where NO_PROXY is %s",
    async (list) => {
      await using chat = await answering();
      await using proxy = new Proxy();
      vi.stubEnv("HTTP_PROXY", await proxy.start(portOf(chat)));
      vi.stubEnv("NO_PROXY", list);
      await expect(ask("http://model.invalid/v1")).rejects.toThrow(/cannot be reached/u);
      expect(proxy.asked).toEqual([]);
    },
  );

  it.each(["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "api.localhost"])(
    "is asked itself on %s",
    (host) => {
      expect(
        proxyFor(new URL(`http://${host}:11434/v1`), { HTTP_PROXY: "proxy.example:3128" }),
      ).toBeUndefined();
    },
  );

  it.each([
    ["http://a.example", { http_proxy: "one", HTTP_PROXY: "two" }, "http_proxy", "http://one"],
    ["https://a.example", { HTTP_PROXY: "one", HTTPS_PROXY: "https://two" }, "HTTPS_PROXY", "https://two"],
    ["http://127.0.0.1.example", { HTTP_PROXY: "one", HTTPS_PROXY: "two" }, "HTTP_PROXY", "http://one"],
    ["https://a.example", { https_proxy: "", HTTPS_PROXY: "two" }, "HTTPS_PROXY", "http://two"],
  ])("of %s by %j is %s", (url, env, variable, address) => {
    expect(proxyFor(new URL(url), env)).toEqual({ variable, address, except: "" });
  });

  it("has none by a variable of the other protocol", () => {
    expect(proxyFor(new URL("https://a.example"), { HTTP_PROXY: "one" })).toBeUndefined();
  });

  it.each(["socks5://user:word@proxy.example", "http://", "http://a b", "ftp://proxy.example"])(
    "cannot be asked when the variable is %s, and no password is told",
    async (address) => {
      vi.stubEnv("HTTP_PROXY", address);
      const error: unknown = await ask("http://model.invalid/v1").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        trouble: "refused",
        message: expect.stringContaining("HTTP_PROXY") as string,
      });
      expect(String(error)).not.toContain("word");
    },
  );
});
