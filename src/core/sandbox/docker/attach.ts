import { Duplex } from "node:stream";

import type Docker from "dockerode";

import type { Engine } from "./engine.js";
import { lost } from "./engine-errors.js";

/** What dockerode's transport takes, as far as it is used here; its types leave it out. */
interface Transport {
  dial(options: object, callback: (error: Error | null, stream: unknown) => void): void;
}

const WHAT = "attaching";

/**
 * A two-way stream to the command of a container. dockerode's own call sends its options as the request's body, too, which
 * Podman hands to the command as its first input.
 * @param over ends the connection, also one that was refused; Podman keeps those open
 * @throws SlopLensError engine-lost
 */
export async function attach(
  engine: Engine,
  container: Docker.Container,
  over: AbortSignal,
): Promise<Duplex> {
  const transport = engine.docker.modem as Transport;
  const attaching = new Promise<unknown>((resolve, reject) => {
    const options = {
      path: `/containers/${container.id}/attach?`,
      method: "POST",
      options: { stream: true, stdin: true, stdout: true, stderr: true },
      headers: { "Content-Type": "text/plain" },
      file: Buffer.alloc(0),
      statusCodes: { 200: true, 404: "no such container", 500: "server error" },
      isStream: true,
      hijack: true,
      openStdin: true,
      abortSignal: over,
    };
    transport.dial(options, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(error);
    });
  });
  const stream = await engine.call(WHAT, attaching);
  if (stream instanceof Duplex) return stream;
  throw lost(WHAT, "the engine offers no two-way connection");
}
