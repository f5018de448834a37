import { createServer, type Socket } from "node:net";
import path from "node:path";

import { afterAll, afterEach, beforeEach, expect, it } from "vitest";

import { attach } from "../../../src/core/sandbox/docker/attach.js";
import { Engine } from "../../../src/core/sandbox/docker/engine.js";
import { temporaryFolder } from "./support.js";

const folder = temporaryFolder();
const PONG = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nOK";
const UPGRADED = "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
const REFUSED = "HTTP/1.1 409 Conflict\r\nContent-Length: 17\r\n\r\n" + '{"message": "no"}';

/** An engine as Podman's: what comes after an attach's head is input, and a connection stays open when it is refused. */
class Podman {
  input = "";
  head = "";
  readonly connections = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.connections.add(socket);
    socket.on("error", () => undefined).on("close", () => this.connections.delete(socket));
    socket.on("data", (data) => {
      this.#take(socket, data.toString());
    });
  });
  readonly socket: string;

  constructor(
    name: string,
    private readonly answer: string,
  ) {
    this.socket = path.join(folder.path, name);
    this.#server.listen(this.socket);
  }

  #take(socket: Socket, text: string): void {
    if (text.includes("/_ping")) socket.end(PONG);
    else if (this.head !== "") this.input += text;
    else {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      this.head = head;
      this.input = rest.join("\r\n\r\n");
      socket.write(this.answer);
    }
  }

  close(): void {
    for (const socket of this.connections) socket.destroy();
    this.#server.close();
  }
}

afterAll(() => {
  folder[Symbol.dispose]();
});

let over: AbortController;

beforeEach(() => {
  over = new AbortController();
});

afterEach(() => {
  over.abort();
});

it("gives the command nothing that it was not told", async () => {
  const podman = new Podman("upgrades", UPGRADED);
  const engine = await Engine.connect(`unix://${podman.socket}`);
  const stream = await attach(engine, engine.docker.getContainer("abc"), over.signal);
  stream.write("nonce\n");
  await expect.poll(() => podman.input).toBe("nonce\n");
  expect(podman.head).toMatch(/^POST \/containers\/abc\/attach\?\S*\bstdin=true/u);
  podman.close();
});

it("keeps no connection that was refused", async () => {
  const podman = new Podman("refuses", REFUSED);
  const engine = await Engine.connect(`unix://${podman.socket}`);
  const attaching = attach(engine, engine.docker.getContainer("abc"), over.signal);
  await expect(attaching).rejects.toMatchObject({ code: "engine-lost" });
  over.abort();
  await expect.poll(() => podman.connections.size).toBe(0);
  podman.close();
});
