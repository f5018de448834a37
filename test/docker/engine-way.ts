import { createConnection, createServer, type Socket } from "node:net";

/** A way to the engine on which nothing moves any more once it is frozen, while every connection stays; or that is cut. */
export class Way {
  readonly host: string;
  #frozen = false;
  #cut = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => {
    if (this.#cut) {
      client.destroy();
      return;
    }
    const upstream = createConnection({ path: "/var/run/docker.sock", allowHalfOpen: true });
    for (const end of [client, upstream]) {
      this.#sockets.add(end);
      end.on("error", () => undefined);
    }
    if (this.#frozen) return;
    client.pipe(upstream).pipe(client);
  });

  /** @param socket path of the socket that is made */
  constructor(socket: string) {
    this.#server.listen(socket);
    this.host = `unix://${socket}`;
  }

  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** As by an engine that ends: connections break, and there are no new ones. */
  cut(): void {
    this.#cut = true;
    this.#breakAll();
  }

  /** Lets new connections through again; those that stood still are gone. */
  thaw(): void {
    this.#frozen = false;
    this.#cut = false;
    this.#breakAll();
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
