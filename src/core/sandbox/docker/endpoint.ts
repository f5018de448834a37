import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";

import type Docker from "dockerode";
import { z } from "zod";

import { SlopLensError } from "../../model/errors.js";

/** Where an engine listens. */
export interface Endpoint {
  /** As a user writes it, for messages: `unix:///var/run/docker.sock`. */
  readonly host: string;
  /** Folder with ca.pem, cert.pem and key.pem; undefined for a connection without TLS. */
  readonly certificates: string | undefined;
}

/** The part of the machine that decides; a parameter so that it can be tested. */
export interface EndpointSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}

const configSchema = z.object({ currentContext: z.string().optional() });
const contextSchema = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string() }) }) });

/**
 * Finds the engine as Docker's own command does: an explicit host, DOCKER_HOST, the current context, and then the
 * usual sockets (system, rootless, Docker Desktop).
 */
export function findEndpoint(host: string | undefined, sources: EndpointSources): Endpoint {
  const { env } = sources;
  const named = host ?? nonEmpty(env["DOCKER_HOST"]);
  if (named !== undefined) {
    const tls = nonEmpty(env["DOCKER_TLS_VERIFY"]) !== undefined;
    const certificates = env["DOCKER_CERT_PATH"] ?? path.join(sources.home, ".docker");
    return { host: named, certificates: tls && /^(tcp|https):/u.test(named) ? certificates : undefined };
  }
  return { host: contextHost(sources) ?? usualSocket(sources), certificates: undefined };
}

export function systemSources(): EndpointSources {
  return { env: process.env, home: homedir(), platform: process.platform };
}

/**
 * Options for dockerode. All that dockerode would otherwise read from the environment is given, so that an explicit
 * host is never mixed with it.
 * @throws SlopLensError bad-input for a host that cannot be read
 */
export function modemOptions(endpoint: Endpoint): Docker.DockerOptions {
  const { host, certificates } = endpoint;
  if (host.startsWith("unix://")) return { socketPath: host.slice("unix://".length) };
  if (host.startsWith("npipe://")) return { socketPath: host.slice("npipe://".length) };
  if (host.startsWith("/")) return { socketPath: host };
  const url = parseUrl(host.includes("://") ? host : `tcp://${host}`);
  return url.protocol === "ssh:" ? sshOptions(url) : tcpOptions(url, certificates);
}

function sshOptions(url: URL): Docker.DockerOptions {
  const agent = process.env["SSH_AUTH_SOCK"];
  return {
    protocol: "ssh",
    host: url.hostname,
    port: url.port === "" ? 22 : Number(url.port),
    username: url.username,
    sshOptions: agent === undefined ? {} : { agent },
  };
}

function tcpOptions(url: URL, certificates: string | undefined): Docker.DockerOptions {
  const secure = certificates !== undefined || url.protocol === "https:";
  const usual = secure ? 2376 : 2375;
  return {
    protocol: secure ? "https" : "http",
    host: url.hostname,
    port: url.port === "" ? usual : Number(url.port),
    ...readCertificates(certificates),
  };
}

function readCertificates(folder: string | undefined): Pick<Docker.DockerOptions, "ca" | "cert" | "key"> {
  if (folder === undefined) return {};
  const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((name) => {
    try {
      return readFileSync(path.join(folder, name), "utf8");
    } catch (error) {
      const place = path.join(folder, name);
      throw new SlopLensError("engine-denied", `${place} cannot be read`, "Check DOCKER_CERT_PATH.", {
        cause: error,
      });
    }
  });
  return { ca, cert, key };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^(tcp|http|https|ssh):$/u.test(url.protocol) && url.hostname !== "") return url;
  throw new SlopLensError(
    "bad-input",
    `\`${text}\` is not the address of a Docker engine`,
    "Write it like unix:///var/run/docker.sock, tcp://host:2375 or ssh://user@host.",
  );
}

function contextHost(sources: EndpointSources): string | undefined {
  const folder = nonEmpty(sources.env["DOCKER_CONFIG"]) ?? path.join(sources.home, ".docker");
  const config = configSchema.safeParse(readJson(path.join(folder, "config.json")));
  const name =
    nonEmpty(sources.env["DOCKER_CONTEXT"]) ?? (config.success ? config.data.currentContext : undefined);
  if (name === undefined || name === "default") return undefined;
  const id = createHash("sha256").update(name).digest("hex");
  const meta = contextSchema.safeParse(readJson(path.join(folder, "contexts", "meta", id, "meta.json")));
  return meta.success ? meta.data.Endpoints.docker.Host : undefined;
}

function usualSocket(sources: EndpointSources): string {
  if (sources.platform === "win32") return "npipe:////./pipe/docker_engine";
  const runtime = nonEmpty(sources.env["XDG_RUNTIME_DIR"]);
  const places = [
    "/var/run/docker.sock",
    ...(runtime === undefined ? [] : [path.join(runtime, "docker.sock")]),
    path.join(sources.home, ".docker", "run", "docker.sock"),
  ];
  return `unix://${places.find((place) => existsSync(place)) ?? "/var/run/docker.sock"}`;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
