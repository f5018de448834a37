import { createConnection, createServer, type Socket } from "node:net";

/** A way to the engine on which nothing moves any more once it is frozen, while every connection stays. */
export class Way {
  readonly host: string;
  #frozen = false;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (client) => {
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

  /** Lets new connections through again; those that stood still are gone. */
  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
