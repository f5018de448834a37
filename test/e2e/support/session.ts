/** One person at one VS Code with the packaged extension: started before the tests of a file, ended after them. */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createVSIX } from "@vscode/vsce";
import { afterEach } from "vitest";
import { WorkbenchBrowser } from "./browser.js";
import { Cleanup } from "./cleanup.js";
import { resultsFolder, vsix } from "./places.js";
import { speak } from "./language.js";
import { CodeServer } from "./server.js";
import { THEME_KINDS, Workbench } from "./workbench.js";

export interface SessionOptions {
  /** Names the logs of the session in the folder of results. */
  readonly name: string;
  /** Folder to open; a copy of it is opened. Undefined opens an empty window. */
  readonly workspace?: string | undefined;
  /** Names of folders that are left out of that copy. */
  readonly without?: readonly string[];
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the extension host, for example PATH or DOCKER_HOST. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of extensions that are installed beside ours. */
  readonly extensions?: readonly string[];
  /** Whether extensions may use what VS Code still calls proposed; default false. */
  readonly proposed?: boolean;
  /** What VS Code speaks, for example `zh-cn`; default English. Its own texts stay English, there is no pack for them. */
  readonly language?: string;
  /** Whether the folder starts in restricted mode; default false. */
  readonly restricted?: boolean;
}

export class EditorSession implements AsyncDisposable {
  private constructor(
    readonly workbench: Workbench,
    /** The opened copy of the workspace. */
    readonly workspace: string,
    private readonly cleanup: Cleanup,
  ) {}

  /** Installs the package into a fresh VS Code and opens it; takes some ten seconds. */
  static async start(options: SessionOptions): Promise<EditorSession> {
    const cleanup = new Cleanup();
    try {
      const folder = await mkdtemp(path.join(tmpdir(), "sl-"));
      if (process.env["SLOP_LENS_KEEP"] === undefined) {
        cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      }
      const workspace = path.join(folder, "workspace");
      if (options.workspace === undefined) await mkdir(workspace);
      else {
        const filter = (file: string): boolean => options.without?.includes(path.basename(file)) !== true;
        await cp(options.workspace, workspace, { recursive: true, filter });
      }

      const trust = { "security.workspace.trust.enabled": options.restricted === true };
      const settings = { ...trust, ...options.settings };
      cleanup.add(() => keepLogs(options.name, folder));
      const packages = [vsix(), ...(await packed(options.extensions ?? [], folder))];
      if (options.language !== undefined) await speak(options.language, folder);
      const server = cleanup.use(
        await CodeServer.start(packages, { folder, settings, env: options.env ?? {} }),
      );
      const browser = cleanup.use(await WorkbenchBrowser.open(path.join(folder, "browser-console.log")));
      const workbench = new Workbench(browser.page);
      const opened = options.workspace === undefined ? undefined : workspace;
      await workbench.open(server.url, opened, options.proposed);
      return new EditorSession(workbench, workspace, cleanup);
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  }

  /**
   * Takes a picture of a screen; with SLOP_LENS_ALL_THEMES in a dark, a light and both high-contrast themes, back to the theme before.
   * @param show brings forth what the palette has closed, such as a menu
   */
  async inAllThemes(name: string, show?: () => Promise<void>): Promise<void> {
    const before = await this.workbench.themeKind();
    // Pictures are for people: a run that nobody looks at is not held up by four of each.
    const kinds = process.env["SLOP_LENS_ALL_THEMES"] === undefined ? [before] : THEME_KINDS;
    for (const kind of kinds) {
      await this.workbench.useTheme(kind);
      await show?.();
      await this.workbench.screenshot(`${name}-${kind}`);
    }
    await this.workbench.useTheme(before);
  }

  /** Ends the browser and the server, keeps their logs and removes their folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.cleanup.run();
  }
}

/** Packages extensions, in `folder`. */
async function packed(extensions: readonly string[], folder: string): Promise<string[]> {
  const packages = extensions.map((extension) => path.join(folder, `${path.basename(extension)}.vsix`));
  for (const [index, cwd] of extensions.entries()) {
    const packagePath = packages[index] ?? "";
    await createVSIX({
      cwd,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      skipLicense: true,
    });
  }
  return packages;
}

/** Copies what server, extension host and browser wrote to the folder of results. */
async function keepLogs(name: string, folder: string): Promise<void> {
  const kept = path.join(resultsFolder, `${name}-logs`);
  await rm(kept, { recursive: true, force: true });
  await mkdir(kept, { recursive: true });
  for (const log of ["code-server.log", "browser-console.log", "user-data/logs"]) {
    const source = path.join(folder, log);
    if (existsSync(source)) await cp(source, path.join(kept, path.basename(log)), { recursive: true });
  }
}

/** Takes a picture after every test of the file, named after the session and the test. */
export function pictureEveryTest(session: () => EditorSession | undefined): void {
  let count = 0;
  afterEach(async (context) => {
    count += 1;
    const number = String(count).padStart(2, "0");
    await session()?.workbench.screenshot(
      `${context.task.file.name.replace(/^.*\/|\.test\.ts$/g, "")}-${number}-${context.task.name}`,
    );
  });
}
