import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

/** An engine behind `ssh://[user@]host[:port][/path/of/its.sock]`, offered as a socket of this machine. */
export interface SshBridge {
  readonly socketPath: string;
  /** What ssh said last when it could not connect; for an error's sentence. */
  lastWords(): string;
}

/** Seconds that ssh may take to get in touch. */
const CONNECT_SECONDS = 20;
/** Seconds that ssh keeps its connection for the next call. */
const PERSIST_SECONDS = 60;

/**
 * Opens a socket whose every connection is one of the user's own ssh client to `docker system dial-stdio`, as Docker's
 * own command does. So keys, agents, jump hosts and aliases are what the user's configuration says; nothing is asked.
 * The socket lives as long as this process and does not keep it alive.
 */
export async function openSshBridge(url: URL): Promise<SshBridge> {
  const isWindows = process.platform === "win32";
  const folder = mkdtempSync(path.join(tmpdir(), "slop-lens-ssh-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const socketPath = isWindows ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, "docker.sock");
  const words = sshArguments(url, isWindows ? undefined : path.join(folder, "c"));
  let said = "";
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connect(client, words, (text) => {
      said = text;
    });
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return { socketPath, lastWords: () => said };
}

/** @param control socket through which calls share one connection, where ssh can do that */
export function sshArguments(url: URL, control: string | undefined): string[] {
  const options = [
    "BatchMode=yes",
    `ConnectTimeout=${CONNECT_SECONDS}`,
    ...(control === undefined
      ? []
      : ["ControlMaster=auto", `ControlPath=${control}`, `ControlPersist=${PERSIST_SECONDS}`]),
  ];
  const socket = decodeURIComponent(url.pathname).replace(/\/$/u, "");
  return [
    "-T",
    ...options.flatMap((option) => ["-o", option]),
    ...(url.username === "" ? [] : ["-l", decodeURIComponent(url.username)]),
    ...(url.port === "" ? [] : ["-p", url.port]),
    "--",
    url.hostname.replace(/^\[|\]$/gu, ""),
    socket === ""
      ? "docker system dial-stdio"
      : `docker --host 'unix://${socket.replaceAll("'", "")}' system dial-stdio`,
  ];
}

function connect(client: Socket, words: readonly string[], onWords: (text: string) => void): void {
  const ssh = spawn("ssh", words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  let said = "";
  ssh.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2000);
  });
  const end = (): void => {
    client.destroy();
    ssh.kill();
  };
  ssh.once("error", (error) => {
    onWords(`ssh cannot be started: ${error.message}`);
    end();
  });
  // Only a failure to connect is told: 255 is ssh's own, 127 the remote shell's for a command that is not there.
  ssh.once("close", (code) => {
    if (code === 255 || code === 127) onWords(said.trim());
    client.end();
  });
  client.once("error", end);
  client.once("close", end);
  ssh.stdin.on("error", () => undefined);
  client.pipe(ssh.stdin);
  // Ended with ssh itself, so that its words are there before anybody asks why.
  ssh.stdout.pipe(client, { end: false });
}
