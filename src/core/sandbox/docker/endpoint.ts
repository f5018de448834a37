import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Agent } from "node:https";
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
  /** Folder with ca.pem, cert.pem and key.pem, as far as they are needed; undefined for a connection without TLS. */
  readonly certificates: string | undefined;
  /** Whether the engine need not show who it is; default no. */
  readonly unverified?: boolean;
}

/** The part of the machine that decides; a parameter so that it can be tested. */
export interface EndpointSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}

const configSchema = z.object({ currentContext: z.string().optional() });
const contextSchema = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string(), SkipTLSVerify: z.boolean().default(false) }) }),
});

/**
 * Finds the engine as Docker's own command does: an explicit host, DOCKER_HOST, the current context, and then the
 * usual sockets (system, rootless, Docker Desktop).
 */
export function findEndpoint(host: string | undefined, sources: EndpointSources): Endpoint {
  const { env } = sources;
  const named = host ?? nonEmpty(env["DOCKER_HOST"]);
  if (named !== undefined) return namedEndpoint(named, sources);
  return contextEndpoint(sources) ?? { host: usualSocket(sources), certificates: undefined };
}

function namedEndpoint(host: string, { env, home }: EndpointSources): Endpoint {
  const verified = nonEmpty(env["DOCKER_TLS_VERIFY"]) !== undefined;
  const secure = verified || nonEmpty(env["DOCKER_TLS"]) !== undefined;
  if (!secure || !/^(tcp|https):/u.test(host)) return { host, certificates: undefined };
  const certificates = nonEmpty(env["DOCKER_CERT_PATH"]) ?? path.join(home, ".docker");
  return { host, certificates, unverified: !verified };
}

export function systemSources(): EndpointSources {
  return { env: process.env, home: homedir(), platform: process.platform };
}

/**
 * Options for dockerode. All that dockerode would otherwise read from the environment is given, so that an explicit
 * host is never mixed with it.
 * @throws SlopLensError bad-input for a host that cannot be read
 */
export function modemOptions(endpoint: Endpoint): Docker.DockerOptions & { readonly agent?: Agent } {
  const { host } = endpoint;
  if (host.startsWith("unix://")) return socketOptions(host.slice("unix://".length));
  if (host.startsWith("npipe://")) return socketOptions(host.slice("npipe://".length));
  if (host.startsWith("/")) return socketOptions(host);
  return tcpOptions(parseUrl(host.includes("://") ? host : `tcp://${host}`), endpoint);
}

/** The address as a URL when the engine is to be reached through ssh. @throws SlopLensError bad-input */
export function sshUrl({ host }: Endpoint): URL | undefined {
  return host.startsWith("ssh://") ? parseUrl(host) : undefined;
}

/** Options for an engine that listens on a socket of this machine. */
export function socketOptions(socketPath: string): Docker.DockerOptions {
  return { socketPath, protocol: "http", ...NOTHING_ELSE };
}

/** dockerode would take these from the environment where they are not given, also for another engine's address. */
const NOTHING_ELSE = { host: undefined, port: undefined, ca: undefined, cert: undefined, key: undefined };

function tcpOptions(url: URL, endpoint: Endpoint): Docker.DockerOptions & { readonly agent?: Agent } {
  const { certificates } = endpoint;
  const secure = certificates !== undefined || url.protocol === "https:";
  const files = readCertificates(certificates);
  const usual = secure ? 2376 : 2375;
  return {
    protocol: secure ? "https" : "http",
    host: url.hostname,
    port: url.port === "" ? usual : Number(url.port),
    ...files,
    ...(endpoint.unverified === true ? { agent: new Agent({ ...files, rejectUnauthorized: false }) } : {}),
  };
}

function readCertificates(folder: string | undefined): Pick<Docker.DockerOptions, "ca" | "cert" | "key"> {
  if (folder === undefined) return { ca: undefined, cert: undefined, key: undefined };
  const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((name) => {
    const place = path.join(folder, name);
    try {
      return readFileSync(place, "utf8");
    } catch (error) {
      // An engine may be known without a certificate of its own kind, and may want none of ours.
      if (existsSync(folder) && !existsSync(place)) return undefined;
      const hint = "Check DOCKER_CERT_PATH, or Docker's context.";
      throw new SlopLensError("engine-denied", `${place} cannot be read`, hint, { cause: error });
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

function contextEndpoint(sources: EndpointSources): Endpoint | undefined {
  const folder = nonEmpty(sources.env["DOCKER_CONFIG"]) ?? path.join(sources.home, ".docker");
  const config = configSchema.safeParse(readJson(path.join(folder, "config.json")));
  const name =
    nonEmpty(sources.env["DOCKER_CONTEXT"]) ?? (config.success ? config.data.currentContext : undefined);
  if (name === undefined || name === "default") return undefined;
  const id = createHash("sha256").update(name).digest("hex");
  const meta = contextSchema.safeParse(readJson(path.join(folder, "contexts", "meta", id, "meta.json")));
  if (!meta.success) {
    throw new SlopLensError(
      "engine-missing",
      `Docker's current context \`${name}\` is not there`,
      "Choose another with `docker context use`, or set DOCKER_HOST.",
    );
  }
  const { Host: host, SkipTLSVerify: unverified } = meta.data.Endpoints.docker;
  const certificates = path.join(folder, "contexts", "tls", id, "docker");
  return { host, certificates: existsSync(certificates) ? certificates : undefined, unverified };
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
