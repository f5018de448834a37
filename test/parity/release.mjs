/** The real scb-check in a virtual environment, run as a black box. */
import { execFile } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const LARGE = { maxBuffer: 256 * 1024 * 1024 };
/** Beyond this a tree cannot be compared. */
const MINUTES = 30;
const BEGIN = '{"verbosity"';

export class Release {
  /** @param {string} venv folder of the virtual environment */
  constructor(venv) {
    this.bin = path.resolve(venv, "bin");
    this.env = { ...process.env, PATH: `${this.bin}${path.delimiter}${process.env.PATH}` };
  }

  async version() {
    return (
      await this.#python(["-c", "import importlib.metadata as m; print(m.version('scb-check'))"])
    ).trim();
  }

  /** Folder of the standard library that the environment's Python runs with. */
  async standardLibrary() {
    return (await this.#python(["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"])).trim();
  }

  /** Folder of the rules that the package brings. */
  async rules() {
    const script =
      "import scb_check.resources as r, pathlib; print(pathlib.Path(r.__file__).parent / 'slop_rules')";
    return (await this.#python(["-c", script])).trim();
  }

  /** @returns its report on a tree, or what it says instead */
  async check(tree, withRules) {
    const args = [
      "check",
      "--report",
      "--include-all",
      ...(withRules ? [] : await this.#withoutRules()),
      tree,
    ];
    const env = withRules ? this.env : { ...this.env, PATH: "/nowhere" };
    try {
      // A folder without a configuration of its own, so that none is picked up.
      const options = { ...LARGE, env, cwd: "/", timeout: MINUTES * 60_000 };
      const { stdout } = await run(path.join(this.bin, "scb-check"), args, options);
      return { report: reportIn(stdout) };
    } catch (error) {
      // 0.2.0 exits with 1 when it finds something.
      if (error.code === 1 && error.stdout.includes(BEGIN)) return { report: reportIn(error.stdout) };
      return { trouble: `${error.stderr ?? ""}${error.stdout ?? ""}`.slice(-400) || String(error) };
    }
  }

  /** @returns files of a tree that its analysis raises on, with what it raises */
  async unreadable(tree) {
    const stdout = await this.#python([path.join(import.meta.dirname, "unreadable.py"), tree]);
    return stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }

  /** Before 0.1.3 there is no such option; it applies no rules when it finds no ast-grep. */
  async #withoutRules() {
    const option = "--disable-sg";
    const { stdout } = await run(path.join(this.bin, "scb-check"), ["check", "--help"], { env: this.env });
    return stdout.includes(option) ? [option] : [];
  }

  async #python(args) {
    return (await run(path.join(this.bin, "python"), args, { ...LARGE, env: this.env })).stdout;
  }
}

function reportIn(stdout) {
  return JSON.parse(stdout.slice(stdout.indexOf(BEGIN)));
}
