import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createTcpServer, connect, type AddressInfo, type Server } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import process from "node:process";
import { createServer as createTlsServer } from "node:tls";
import { createHash } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { DockerSandbox } from "../../src/core/sandbox/docker/docker-sandbox.js";
import { pause } from "../../src/core/sandbox/deadline.js";
import { gather, HARNESS, NEVER, sessionRequest, temporaryFolder } from "../unit/sandbox/support.js";
import { dockerEnvironment, ownContainers } from "./sandbox-support.js";

const ENGINE = "/var/run/docker.sock";
const SSHD = "/usr/sbin/sshd";
const USER = userInfo().username;
const folder = temporaryFolder();
const certificates = path.join(folder.path, "certificates");
const environment = dockerEnvironment();
const kept = { ...process.env };

afterEach(async () => {
  for (const name of ["DOCKER_HOST", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "DOCKER_CONFIG", "PATH"]) {
    if (kept[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = kept[name];
  }
  expect(await ownContainers()).toEqual([]);
});

afterAll(() => {
  folder[Symbol.dispose]();
});

/** All that a turn does: image, files in with their modes, streams both ways, files out. */
async function expectWhole(sandbox: DockerSandbox): Promise<void> {
  const request = { environment, testDependencies: [], requirementsFrom: undefined };
  const image = await sandbox.prepare(request, () => undefined, NEVER);
  using place = temporaryFolder();
  const script = path.join(place.path, "script");
  writeFileSync(script, "#!/bin/sh\ncat; id -u; echo made > made; chmod 700 made; exit 5\n");
  chmodSync(script, 0o755);
  await using session = await sandbox.open(
    sessionRequest({
      image,
      environment,
      purpose: "agent",
      command: () => ["./script"],
      placements: [{ source: { path: script }, root: "workspace", target: "script", owner: "solution" }],
    }),
    NEVER,
  );
  expect(await gather(session, { stdin: "hello\n" })).toMatchObject({ exitCode: 5, stdout: "hello\n1000\n" });
  const target = path.join(place.path, "out");
  expect(await session.collect(target, () => true, NEVER)).toEqual([]);
  expect(readFileSync(path.join(target, "made"), "utf8")).toBe("made\n");
}

function openssl(...words: readonly string[]): void {
  execFileSync("openssl", words, { cwd: certificates, stdio: "pipe" });
}

/** An authority, and certificates of it for an engine on loopback and for its users. */
function makeCertificates(): void {
  mkdirSync(certificates, { recursive: true });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=authority",
    "-days",
    "2",
  );
  for (const name of ["server", "cert"]) {
    const keyFile = name === "cert" ? "key.pem" : "server.key";
    writeFileSync(path.join(certificates, "names"), "subjectAltName=IP:127.0.0.1\n");
    openssl("req", ...key, "-keyout", keyFile, "-out", "request", "-subj", `/CN=${name}`);
    const signing = [
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-days",
      "2",
      "-extfile",
      "names",
    ];
    openssl("x509", "-req", "-in", "request", "-out", `${name}.pem`, ...signing);
  }
}

describe("an engine behind TLS", () => {
  let server: Server;
  let host: string;

  beforeAll(async () => {
    makeCertificates();
    const read = (name: string): Buffer => readFileSync(path.join(certificates, name));
    const options = {
      ca: read("ca.pem"),
      cert: read("server.pem"),
      key: read("server.key"),
      requestCert: true,
      rejectUnauthorized: true,
      allowHalfOpen: true,
    };
    server = createTlsServer(options, (client) => {
      const upstream = connect({ path: ENGINE, allowHalfOpen: true });
      for (const end of [client, upstream]) end.on("error", () => undefined);
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    host = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  it("runs everything that one on this machine does, named by Docker's variables", async () => {
    Object.assign(process.env, { DOCKER_HOST: host, DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: certificates });
    await expectWhole(new DockerSandbox({ harness: HARNESS }));
  });

  it("is found as Docker's current context, with the context's own certificates", async () => {
    const config = path.join(folder.path, "config");
    const id = createHash("sha256").update("faraway").digest("hex");
    const [meta, tls] = ["meta", "tls"].map((kind) => path.join(config, "contexts", kind, id));
    if (meta === undefined || tls === undefined) throw new Error("no folders");
    mkdirSync(meta, { recursive: true });
    mkdirSync(path.join(tls, "docker"), { recursive: true });
    writeFileSync(path.join(config, "config.json"), JSON.stringify({ currentContext: "faraway" }));
    const docker = { Host: host, SkipTLSVerify: false };
    writeFileSync(path.join(meta, "meta.json"), JSON.stringify({ Name: "faraway", Endpoints: { docker } }));
    for (const name of ["ca.pem", "cert.pem", "key.pem"]) {
      writeFileSync(path.join(tls, "docker", name), readFileSync(path.join(certificates, name)));
    }
    Reflect.deleteProperty(process.env, "DOCKER_HOST");
    process.env["DOCKER_CONFIG"] = config;
    const description = await new DockerSandbox({ harness: HARNESS }).describeEngine(NEVER);
    expect(description.host).toBe(host);
  });

  it("that nobody vouches for is not talked to", async () => {
    using other = temporaryFolder();
    for (const [name, from] of [
      ["cert.pem", "cert.pem"],
      ["key.pem", "key.pem"],
      // Signed by the authority, and none itself.
      ["ca.pem", "cert.pem"],
    ] as const) {
      writeFileSync(path.join(other.path, name), readFileSync(path.join(certificates, from)));
    }
    Object.assign(process.env, { DOCKER_HOST: host, DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: other.path });
    await expect(new DockerSandbox({ harness: HARNESS }).describeEngine(NEVER)).rejects.toMatchObject({
      code: "engine-lost",
      message: expect.stringMatching(/certificate|issuer/u) as unknown,
    });
  });
});

describe("an engine behind ssh", () => {
  let daemon: ChildProcess;
  let port: number;
  const at = (name: string): string => path.join(folder.path, name);

  beforeAll(async () => {
    port = await freePort();
    for (const name of ["host-key", "user-key"]) {
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
    }
    writeFileSync(
      at("sshd_config"),
      [
        `Port ${port}`,
        "ListenAddress 127.0.0.1",
        `HostKey ${at("host-key")}`,
        `AuthorizedKeysFile ${at("user-key.pub")}`,
        "StrictModes no",
        "UsePAM no",
        "PermitRootLogin yes",
        `PidFile ${at("sshd.pid")}`,
        `SetEnv PATH=${process.env["PATH"] ?? ""}`,
      ].join("\n"),
    );
    if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
    daemon = spawn(SSHD, ["-D", "-e", "-f", at("sshd_config")], { stdio: "ignore" });
    // The user's own configuration, as it may stand in ~/.ssh/config.
    const [type, key] = readFileSync(at("host-key.pub"), "utf8").split(" ");
    writeFileSync(at("known"), `[127.0.0.1]:${port} ${type ?? ""} ${key ?? ""}\n`);
    writeFileSync(
      at("ssh_config"),
      `Host *\n  IdentityFile ${at("user-key")}\n  UserKnownHostsFile ${at("known")}\n  IdentitiesOnly yes\n`,
    );
    mkdirSync(at("bin"));
    writeFileSync(at("bin/ssh"), `#!/bin/sh\nexec /usr/bin/ssh -F ${at("ssh_config")} "$@"\n`, {
      mode: 0o755,
    });
    while (!existsSync(at("sshd.pid"))) await pause(50);
  });

  afterAll(() => {
    daemon.kill();
  });

  it("runs everything that one on this machine does, through the user's ssh", async () => {
    process.env["PATH"] = `${at("bin")}:${process.env["PATH"] ?? ""}`;
    await expectWhole(
      new DockerSandbox({ harness: HARNESS, host: `ssh://${USER}@127.0.0.1:${port}${ENGINE}` }),
    );
  });

  it("says what ssh says when it cannot get in", async () => {
    const sandbox = new DockerSandbox({ harness: HARNESS, host: `ssh://nobody@127.0.0.1:${port}` });
    await expect(sandbox.describeEngine(NEVER)).rejects.toMatchObject({
      code: "engine-missing",
      message: expect.stringMatching(/Host key verification failed|Permission denied/u) as unknown,
    });
  });
});

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
