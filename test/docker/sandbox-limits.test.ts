import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { formatStamp, ownStamp } from "../../src/core/sandbox/process-stamp.js";
import type { PreparedImage, SandboxSession, SessionRequest } from "../../src/core/sandbox/sandbox.js";
import { gather, NEVER, sessionRequest } from "../unit/sandbox/support.js";
import { bridgeGateway } from "./bridge.js";
import { dockerEnvironment, engine, newSandbox, ownContainers } from "./sandbox-support.js";

const sandbox = newSandbox();
const plain = dockerEnvironment();
const noLimits = { timeoutSeconds: undefined, memoryBytes: undefined, cpus: undefined, pids: undefined };
let image: PreparedImage;

beforeAll(async () => {
  const request = { environment: plain, testDependencies: [], requirementsFrom: undefined };
  image = await sandbox.prepare(request, () => undefined, NEVER);
});

async function ownNetworks(): Promise<string[]> {
  const filters = { label: [`slop-lens.process=${formatStamp(ownStamp())}`] };
  return (await engine.listNetworks({ filters })).map(({ Name }) => Name);
}

afterEach(async () => {
  expect(await ownContainers()).toEqual([]);
  expect(await ownNetworks()).toEqual([]);
});

function open(command: readonly string[], fields: Partial<SessionRequest>): Promise<SandboxSession> {
  const request = { image, environment: plain, purpose: "agent", command: () => command, ...fields } as const;
  return sandbox.open(sessionRequest(request), NEVER);
}

describe("a command is killed", () => {
  it("when it is silent for too long, however long it has spoken before", async () => {
    const script = "for i in 1 2 3 4 5; do echo $i; sleep 1; done; sleep 300";
    await using session = await open(["sh", "-c", script], { limits: { ...noLimits, idleSeconds: 3 } });
    const result = await gather(session);
    expect(result).toMatchObject({ stoppedFor: "idle", timedOut: false, exitCode: 137 });
    expect(result.stdout).toBe("1\n2\n3\n4\n5\n");
  });

  it("when it has written too much, in whatever folder; what was placed does not count", async () => {
    const script = "for i in 1 2 3; do head -c 15000000 /dev/zero >/tmp/$i; done; sleep 300";
    await using session = await open(["sh", "-c", script], {
      limits: { ...noLimits, diskBytes: 40_000_000 },
      placements: [
        {
          source: { content: new Uint8Array(50_000_000) },
          root: "workspace",
          target: "big",
          owner: "solution",
        },
      ],
    });
    expect(await gather(session)).toMatchObject({ stoppedFor: "disk", timedOut: false, exitCode: 137 });
  });
});

describe("an agent with a list of hosts", () => {
  async function listen(text: string): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer((request, response) => response.end(`${text} ${request.url ?? ""}`));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return { server, port: (server.address() as AddressInfo).port };
  }

  const SCRIPT = `
import http.client, json, os, socket, sys, urllib.request
host, allowed, other = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def attempt(action):
    try: return action()
    except Exception as error: return f"{type(error).__name__}: {error}"
def get(port): return urllib.request.urlopen(f"http://{host}:{port}/a?b=c", timeout=10).read().decode()
def tunnel(port):
    proxy = os.environ["HTTPS_PROXY"].rpartition("/")[2].split(":")
    connection = http.client.HTTPConnection(proxy[0], int(proxy[1]), timeout=10)
    connection.set_tunnel(host, port)
    connection.request("GET", "/tunnel")
    return connection.getresponse().read().decode()
def direct():
    with socket.create_connection((host, allowed), 3): return "reached"
print(json.dumps({
    "get": attempt(lambda: get(allowed)), "getOther": attempt(lambda: get(other)),
    "tunnel": attempt(lambda: tunnel(allowed)), "tunnelOther": attempt(lambda: tunnel(other)),
    "direct": attempt(direct), "name": attempt(lambda: socket.getaddrinfo("example.com", 80)),
}))`;

  it("reaches these through the proxy, and nothing else in any way", async () => {
    const gateway = await bridgeGateway();
    const allowed = await listen("allowed");
    const other = await listen("other");
    try {
      const words = [gateway, `${allowed.port}`, `${other.port}`];
      await using session = await open(["python3", "-c", SCRIPT, ...words], {
        network: { hosts: [`${gateway}:${allowed.port}`, "*.example.org"] },
      });
      const { stdout, stderr } = await gather(session);
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual({
        get: "allowed /a?b=c",
        getOther: "HTTPError: HTTP Error 403: Forbidden",
        tunnel: "allowed /tunnel",
        tunnelOther: "OSError: Tunnel connection failed: 403 Forbidden",
        direct: expect.stringMatching(/^OSError|^TimeoutError/u) as unknown,
        name: expect.stringMatching(/^gaierror/u) as unknown,
      });
    } finally {
      allowed.server.close();
      other.server.close();
    }
  });

  it("is told when a name cannot be a host's", async () => {
    await expect(open(["true"], { network: { hosts: ["https://example.org/x"] } })).rejects.toMatchObject({
      code: "bad-input",
    });
  });
});
