import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  hardenedOptions,
  limitOptions,
  mounts,
  sessionNetwork,
} from "../../../src/core/sandbox/docker/container-options.js";
import { protectionWarning } from "../../../src/core/sandbox/docker/docker-sandbox.js";
import { Demultiplexer } from "../../../src/core/sandbox/docker/demux.js";
import { findEndpoint, modemOptions } from "../../../src/core/sandbox/docker/endpoint.js";
import type { EngineInfo } from "../../../src/core/sandbox/docker/engine.js";
import {
  connectionError,
  isMissingProgram,
  wordsOf,
  workingError,
} from "../../../src/core/sandbox/docker/engine-errors.js";
import { checkImageName } from "../../../src/core/sandbox/docker/image-name.js";
import { containerRoots } from "../../../src/core/sandbox/docker/layout.js";
import { fullReference, PullProgress, pullError } from "../../../src/core/sandbox/docker/pull.js";
import { environment, temporaryFolder } from "./support.js";

const info: EngineInfo = {
  MemTotal: 2 * 1024 ** 3,
  NCPU: 2,
  MemoryLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  SecurityOptions: [],
  OSType: "linux",
  ServerVersion: "1",
};
const none = { timeoutSeconds: undefined, memoryBytes: undefined, cpus: undefined, pids: undefined };

function docker(
  fields: Partial<NonNullable<ReturnType<typeof environment>["docker"]>> = {},
): ReturnType<typeof environment> {
  const settings = {
    image: "python",
    workdir: "/workspace",
    extraMounts: {},
    network: undefined,
    user: undefined,
  };
  return environment({ type: "docker", docker: { ...settings, ...fields } });
}

describe("demultiplexer", () => {
  function frame(type: number, text: string): Buffer {
    const header = Buffer.alloc(8);
    header[0] = type;
    header.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([header, Buffer.from(text)]);
  }

  it.each([1, 3, 8, 1000])("takes frames apart whatever the chunks of %i bytes cut", (size) => {
    const stream = Buffer.concat([
      frame(1, "out "),
      frame(2, "err"),
      frame(1, ""),
      frame(1, "put"),
      frame(2, "or"),
    ]);
    let [out, err] = ["", ""];
    const demultiplexer = new Demultiplexer(
      (chunk) => (out += Buffer.from(chunk).toString()),
      (chunk) => (err += Buffer.from(chunk).toString()),
    );
    for (let at = 0; at < stream.length; at += size) demultiplexer.push(stream.subarray(at, at + size));
    expect([out, err]).toEqual(["out put", "error"]);
  });
});

describe("errors of the engine", () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { code });
  const refusal = (statusCode: number, message: string): Error =>
    Object.assign(new Error(`(HTTP code ${statusCode}) server error - ${message} `), {
      statusCode,
      json: { message },
    });

  it.each([
    ["ENOENT", "engine-missing"],
    ["ECONNREFUSED", "engine-missing"],
    ["ENOTFOUND", "engine-missing"],
    ["EACCES", "engine-denied"],
    ["ECONNRESET", "engine-lost"],
  ])("while connecting, %s means %s", (code, expected) => {
    expect(connectionError(failure(code), "unix:///x").code).toBe(expected);
  });

  it("looks into the attempts of a connection with several addresses", () => {
    const attempts = new AggregateError([failure("ECONNREFUSED"), failure("EHOSTUNREACH")]);
    const withCode = Object.assign(attempts, { code: undefined });
    expect(connectionError(withCode, "tcp://x").code).toBe("engine-missing");
  });

  it("names the group when permission is missing", () => {
    expect(connectionError(failure("EACCES"), "unix:///x").hint).toContain("usermod -aG docker");
  });

  it("later, a refused connection is a lost engine and a full disk is a full disk", () => {
    expect(workingError(failure("ECONNREFUSED"), "x").code).toBe("engine-lost");
    expect(workingError(refusal(500, "write /x: no space left on device"), "x").code).toBe("disk-full");
  });

  it("keeps only the engine's own words", () => {
    expect(wordsOf(refusal(500, "pull access denied"))).toBe("pull access denied");
    expect(wordsOf(new Error("(HTTP code 404) no such image - what a pity "))).toBe("what a pity");
  });

  it("tells a missing program from other refusals", () => {
    expect(
      isMissingProgram(refusal(400, 'exec: "python3": executable file not found in $PATH: unknown')),
    ).toBe(true);
    expect(isMissingProgram(refusal(500, "driver failed programming external connectivity"))).toBe(false);
    expect(isMissingProgram(failure("ENOENT"))).toBe(false);
  });
});

describe("endpoint", () => {
  const sources = { env: {}, home: "/nowhere", platform: "linux" };

  it("prefers the explicit host to DOCKER_HOST, and that to everything else", () => {
    const env = { DOCKER_HOST: "tcp://elsewhere:2375" };
    expect(findEndpoint("unix:///mine", { ...sources, env }).host).toBe("unix:///mine");
    expect(findEndpoint(undefined, { ...sources, env }).host).toBe("tcp://elsewhere:2375");
  });

  it("follows Docker's current context", () => {
    using home = temporaryFolder();
    const id = createHash("sha256").update("colima").digest("hex");
    const folder = path.join(home.path, ".docker", "contexts", "meta", id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(home.path, ".docker", "config.json"),
      JSON.stringify({ currentContext: "colima" }),
    );
    const meta = { Name: "colima", Endpoints: { docker: { Host: "unix:///colima/docker.sock" } } };
    writeFileSync(path.join(folder, "meta.json"), JSON.stringify(meta));
    expect(findEndpoint(undefined, { ...sources, home: home.path }).host).toBe("unix:///colima/docker.sock");
    const env = { DOCKER_CONTEXT: "default" };
    expect(findEndpoint(undefined, { ...sources, env, home: home.path }).host).not.toContain("colima");
  });

  it.each([
    ["unix:///run/x.sock", { socketPath: "/run/x.sock" }],
    ["npipe:////./pipe/docker_engine", { socketPath: "//./pipe/docker_engine" }],
    ["tcp://box:1234", { protocol: "http", host: "box", port: 1234 }],
    ["box", { protocol: "http", host: "box", port: 2375 }],
  ])("reads %s", (host, expected) => {
    expect(modemOptions({ host, certificates: undefined })).toMatchObject(expected);
  });

  it.each(["gopher://box", "tcp://", "not a host"])("refuses %s", (host) => {
    expect(() => modemOptions({ host, certificates: undefined })).toThrow(
      expect.objectContaining({ code: "bad-input" }),
    );
  });
});

describe("an engine's protections", () => {
  it("are worth a word only where one is missing", () => {
    expect(protectionWarning(info)).toBeUndefined();
    const rootless = { ...info, MemoryLimit: false, PidsLimit: false, SecurityOptions: ["name=rootless"] };
    expect(protectionWarning(rootless)).toBe(
      "This rootless Docker engine holds no limits on: memory, number of processes",
    );
  });
});

describe("container options", () => {
  it("never ask for more than the machine has, nor for less than engines accept", () => {
    expect(limitOptions(none, info)).toMatchObject({
      Memory: info.MemTotal,
      MemorySwap: info.MemTotal,
      PidsLimit: 512,
    });
    expect(limitOptions({ ...none, memoryBytes: 1 }, info).Memory).toBe(6 * 1024 ** 2);
    expect(limitOptions({ ...none, cpus: 64 }, info).NanoCpus).toBe(2e9);
  });

  it("drop every capability", () => {
    expect(hardenedOptions(none, info, docker())).toMatchObject({
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Init: false,
    });
  });

  it("give an evaluation a network only when the environment names one", () => {
    const mine = docker({ network: "mine" });
    expect(sessionNetwork(docker(), { purpose: "evaluation" })).toBe("none");
    expect(sessionNetwork(docker(), { purpose: "evaluation", network: "bridge" })).toBe("bridge");
    expect(sessionNetwork(docker(), { purpose: "agent" })).toBe("bridge");
    expect(sessionNetwork(mine, { purpose: "evaluation" })).toBe("mine");
    expect(sessionNetwork(mine, { purpose: "agent", network: "none" })).toBe("none");
  });

  it("read extra mounts with and without mode", () => {
    expect(mounts(docker({ extraMounts: { "/a": "/b:ro", "/c": "/d" } }))).toEqual([
      { Type: "bind", Source: "/a", Target: "/b", ReadOnly: true },
      { Type: "bind", Source: "/c", Target: "/d", ReadOnly: false },
    ]);
  });

  it.each(["/", "relative", "/tmp", "/opt/slop-lens/tests", "/usr/"])(
    "refuse the working folder %s",
    (workdir) => {
      expect(() => containerRoots(docker({ workdir }))).toThrow(
        expect.objectContaining({ code: "environment-invalid" }),
      );
    },
  );
});

describe("an image's name", () => {
  it.each([
    ...[
      "python",
      "python:3.12-slim",
      "team/py__thon:A_1.2",
      "localhost:5000/python",
      "Registry.Example.com/a/b-c",
    ],
    ...["[::1]:5000/a", `python@sha256:${"a1".repeat(32)}`, `sha256:${"0f".repeat(32)}`, "0bbe339daa34"],
  ])("can be %s", (name) => {
    expect(checkImageName(name)).toBe(name);
  });

  it.each([
    ...[
      "",
      " ",
      "bad image",
      "Python",
      "python:",
      "python:a b",
      ":3.12",
      "/python",
      "python/",
      "a//b",
      "a/../b",
    ],
    ...[
      "../containers/json",
      "python?x=1",
      "python#3",
      "python%2f",
      "python\n",
      "-python",
      "http://a/b",
      "a@b",
    ],
  ])("cannot be %j", (name) => {
    expect(() => checkImageName(name)).toThrow(expect.objectContaining({ code: "environment-invalid" }));
  });
});

describe("pulling", () => {
  it.each([
    ["python", "python:latest"],
    ["python:3.12-slim", "python:3.12-slim"],
    ["localhost:5000/python", "localhost:5000/python:latest"],
    ["python@sha256:abc", "python@sha256:abc"],
  ])("asks for one tag of %s", (name, expected) => {
    expect(fullReference(name)).toBe(expected);
  });

  it("sums up the layers and reports the registry's failure", () => {
    const lines: string[] = [];
    const progress = new PullProgress("python:3", (line) => lines.push(line));
    const event = (id: string, current: number, total: number): string =>
      JSON.stringify({ id, status: "Downloading", progressDetail: { current, total } });
    expect(progress.take(event("a", 10_000_000, 40_000_000))).toBeUndefined();
    expect(progress.take("not json")).toBeUndefined();
    expect(progress.take(JSON.stringify({ error: "toomanyrequests" }))).toBe("toomanyrequests");
    expect(lines).toEqual(["Pulling python:3: 25 % of 40 MB"]);
  });
});

describe("a pull that failed", () => {
  it("names what a user of either host can set", () => {
    expect(pullError("surely:missing", new Error("manifest unknown"))).toMatchObject({
      code: "image-unavailable",
      message: "The image surely:missing is not here and cannot be pulled: manifest unknown",
      hint:
        "Check the name and the network, pull it yourself with `docker pull surely:missing`, " +
        "name another image (--image, or the setting slopLens.docker.image), " +
        "or do without Docker, not isolated (--environment local, or the setting slopLens.environment).",
    });
  });
});
