import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gather, NEVER, sessionRequest } from "../unit/sandbox/support.js";
import { bridgeGateway } from "./bridge.js";
import { dockerEnvironment, engine, IMAGE, newSandbox } from "./sandbox-support.js";

/** An agent that is kept to a list of hosts and tries to get at others: each line is a way, and what came of it. */
const SCRIPT = `
import json, os, socket, sys
gateway, port, private = sys.argv[1], int(sys.argv[2]), sys.argv[3]
name, _, number = os.environ["HTTP_PROXY"].rpartition("/")[2].partition(":")
proxy = (name, int(number))

def attempt(action):
    try: return action()
    except OSError as error: return type(error).__name__

def ask(text):
    with socket.create_connection(proxy, 10) as connection:
        connection.settimeout(10)
        connection.sendall(text.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

def status(target):
    with socket.create_connection(proxy, 10) as connection:
        connection.settimeout(10)
        connection.sendall(f"CONNECT {target} HTTP/1.1\\r\\n\\r\\n".encode())
        return connection.recv(65536).decode().split()[1]

def direct(host, to, family=socket.AF_INET):
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        connection.connect((host, to))
        return "reached"

def query(server):
    text = b"\\x12\\x34\\x01\\0\\0\\x01\\0\\0\\0\\0\\0\\0\\x07example\\x03com\\0\\0\\x01\\0\\x01"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.settimeout(1)
        connection.sendto(text, (server, 53))
        return "answered" if connection.recv(512)[7] else "no answer in it"

first = proxy[0].rpartition(".")[0] + ".1"
url = f"http://{gateway}:{port}/x"
print(json.dumps({
    "direct": [attempt(lambda: direct(*to)) for to in [
        (gateway, port), (first, port), ("1.1.1.1", 443), ("169.254.169.254", 80), (private, 8000), (proxy[0], 22)]],
    "ipv6": [attempt(lambda: direct(to, 443, socket.AF_INET6)) for to in ["2606:4700:4700::1111", "ff02::1"]],
    "names": [attempt(lambda: query(to)) for to in ["127.0.0.11", gateway, "1.1.1.1", proxy[0]]],
    "tunnels": {to: attempt(lambda: status(to)) for to in [
        f"{gateway}:{port}", "model:8000", f"{gateway}:22", "169.254.169.254:80", "127.0.0.1:3128", "localhost:3128",
        "[::1]:3128", f"[::ffff:{gateway}]:{port}", f"{private}:8000", "2130706433:80", "0x7f.1:80",
        f"listed@{gateway}:22", f"{gateway}:{port}@1.1.1.1:80", "rebound.example.org:8000"]},
    "odd": [attempt(lambda: status(to)) for to in [
        "1.1.1.1\\0.example.org:8000", "example.com\\0.example.org:8000", "\\u00ad.example.org:8000", "a..example.org:8000",
        "a" * 64 + ".example.org:8000", "a b.example.org:8000", "x.example.org:port", "[::1.example.org:8000"]],
    "rebound": ask("GET http://rebound.example.org:8000/ HTTP/1.1\\r\\n\\r\\n").split("\\r\\n")[-1],
    "hosts": [ask(f"GET {url} HTTP/1.1\\r\\n{lines}\\r\\n\\r\\n").split("\\r\\n")[-1] for lines in [
        "Host: other.example", "Host: a\\r\\nHost: other.example", "X: a\\nHost: other.example", "X: a\\r\\n Host: b"]],
}))`;

const network = `slop-lens-test-${randomBytes(4).toString("hex")}`;
let server: string;
let remove: (() => Promise<void>)[] = [];

/** A server on a network of its own, by a name that anybody could answer for, and by one that nobody outside can. */
beforeAll(async () => {
  const made = await engine.createNetwork({ Name: network });
  remove = [() => made.remove() as Promise<void>];
  const container = await engine.createContainer({
    Image: IMAGE,
    Cmd: ["python3", "-m", "http.server", "8000"],
    HostConfig: { NetworkMode: network },
    NetworkingConfig: { EndpointsConfig: { [network]: { Aliases: ["rebound.example.org", "model"] } } },
  });
  remove.unshift(() => container.remove({ force: true }) as Promise<void>);
  await container.start();
  const { NetworkSettings } = await container.inspect();
  server = NetworkSettings.Networks[network]?.IPAddress ?? "";
});

afterAll(async () => {
  for (const one of remove) await one();
});

it("keeps an agent to its hosts, whatever it tries", async () => {
  const environment = dockerEnvironment({ network });
  const sandbox = newSandbox();
  const image = await sandbox.prepare(
    { environment, testDependencies: [], requirementsFrom: undefined },
    () => undefined,
    NEVER,
  );
  const gateway = await bridgeGateway();
  const listed = createServer((request, response) => response.end(`host ${request.headers.host ?? ""}`));
  await new Promise<void>((resolve) => listed.listen(0, resolve));
  const { port } = listed.address() as AddressInfo;
  const hosts = [`${gateway}:${port}`, "*.example.org:8000", "model:8000"];
  try {
    await using session = await sandbox.open(
      sessionRequest({
        ...{ image, environment, purpose: "agent", network: { hosts } },
        command: () => ["python3", "-c", SCRIPT, gateway, String(port), server],
      }),
      NEVER,
    );
    const { stdout, stderr } = await gather(session);
    expect(stderr).toBe("");
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    const none = expect.stringMatching(/Error$/u) as unknown;
    const tunnels = Object.entries(seen["tunnels"] as Record<string, string>);
    expect(tunnels.filter(([, status]) => status === "200").map(([to]) => to)).toEqual([
      `${gateway}:${port}`,
      "model:8000",
    ]);
    expect(tunnels.slice(2).map(([, status]) => status)).toEqual(Array(12).fill("403"));
    expect(seen).toMatchObject({
      direct: Array(6).fill(none) as unknown,
      odd: Array(8).fill("400") as unknown,
      ipv6: [none, none],
      names: Array(4).fill(expect.stringMatching(/Error$|^no answer/u)) as unknown,
      rebound: expect.stringContaining(`is the private address ${server}`) as unknown,
    });
    const own = `host ${gateway}:${port}`;
    const refused = "lines end with CR LF, and are whole\n";
    expect(seen["hosts"]).toEqual([own, own, refused, refused]);
  } finally {
    listed.close();
  }
});
