/** A code-server of our own: real VS Code server and extension host, with nothing of the user's in it. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { codeServer } from "./places.js";
import { until } from "./poll.js";

/** Settings without which welcome pages, chat and updates would stand in front of what is tested. */
const quietSettings = {
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "git.enabled": false,
  // Older releases ask in a dialog that stands before everything; newer ones start restricted without a word.
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  "workbench.editor.useModal": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

export interface ServerOptions {
  /** Private folder for everything the server writes; its path must be short, sockets lie in it. */
  readonly folder: string;
  /** User settings besides those that keep VS Code quiet. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Environment of the server and so of the extension host, besides that of the tests. */
  readonly env: Readonly<Record<string, string>>;
}

export class CodeServer implements AsyncDisposable {
  private constructor(
    /** Where a browser finds the workbench. */
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Installs extension packages and starts a server on a free port of this machine only. */
  static async start(vsixFiles: readonly string[], options: ServerOptions): Promise<CodeServer> {
    const userData = path.join(options.folder, "user-data");
    await mkdir(path.join(userData, "User"), { recursive: true });
    const settings = JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2);
    await writeFile(path.join(userData, "User/settings.json"), settings);
    await writeFile(path.join(options.folder, "config.yaml"), "auth: none\n");
    for (const file of vsixFiles) await install(file, options);

    const port = await freePort();
    const logFile = path.join(options.folder, "code-server.log");
    const log = openSync(logFile, "w");
    const { node, entry } = codeServer();
    const child = spawn(node, [entry, ...commonArguments(options), ...serveArguments(port)], {
      env: environment(options),
      stdio: ["ignore", log, log],
      // A process group of its own, so that the extension host ends with the server.
      detached: true,
    });
    closeSync(log);
    const server = new CodeServer(`http://127.0.0.1:${port}`, child);
    try {
      await server.ready(logFile);
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  private async ready(logFile: string): Promise<void> {
    await until(async () => {
      if (this.ended) return true;
      return (await fetch(`${this.url}/healthz`)).ok;
    }, "code-server");
    if (this.ended) throw new Error(`code-server ended:\n${await readFile(logFile, "utf8")}`);
  }

  private get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Asks the server to end, and makes it after five seconds. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.ended || this.child.pid === undefined) return;
    const group = -this.child.pid;
    process.kill(group, "SIGTERM");
    const ended = () => Promise.resolve(this.ended);
    await until(ended, "code-server's end", 5_000).catch(() => process.kill(group, "SIGKILL"));
  }
}

function commonArguments({ folder }: ServerOptions): string[] {
  return [
    ...["--config", path.join(folder, "config.yaml")],
    ...["--user-data-dir", path.join(folder, "user-data")],
    ...["--extensions-dir", path.join(folder, "extensions")],
  ];
}

function serveArguments(port: number): string[] {
  return [
    ...["--auth", "none"],
    ...["--bind-addr", `127.0.0.1:${port}`],
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-getting-started-override",
    "--ignore-last-opened",
  ];
}

/** The tests may themselves run inside VS Code, or under a Node with options; neither must reach the server. */
function environment({ folder, env }: ServerOptions): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|CODE_SERVER|NODE_OPTIONS$|PORT$|VITEST|NODE_ENV$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: path.join(folder, "xdg"),
    XDG_DATA_HOME: path.join(folder, "xdg"),
    XDG_RUNTIME_DIR: folder,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...env,
  };
}

async function install(vsixFile: string, options: ServerOptions): Promise<void> {
  const { node, entry } = codeServer();
  const parameters = [entry, ...commonArguments(options), "--install-extension", vsixFile];
  const { stdout, stderr } = await promisify(execFile)(node, parameters, { env: environment(options) });
  // VS Code may complain and still exit with 0.
  if (!stdout.includes("successfully installed"))
    throw new Error(`${vsixFile} not installed:\n${stdout}${stderr}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => {
        resolve(port);
      });
    });
  });
}
