/** A Docker engine apart from the machine's own, that may be killed at any time. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";

const script = path.resolve(import.meta.dirname, "../docker-engine.sh");

export class OwnEngine {
  /** @param {string} folder everything it has */
  constructor(folder) {
    this.folder = folder;
    this.socket = path.join(folder, "docker.sock");
  }

  /**
   * A fresh one with an image of the machine's engine, and all that were derived there.
   * @param {string} image
   */
  static async withImage(image) {
    const engine = new OwnEngine(await mkdtemp(path.join(os.tmpdir(), "slop-lens-engine-")));
    engine.start();
    const format = [
      "images",
      "--format",
      "{{.Repository}}:{{.Tag}}",
      "--filter",
      "label=slop-lens.kind=derived",
    ];
    const derived = spawnSync("docker", format, { encoding: "utf8" })
      .stdout.trim()
      .split("\n")
      .filter(Boolean);
    await engine.load([image, ...derived]);
    return engine;
  }

  /** @param {readonly string[]} images */
  async load(images) {
    const save = spawn("docker", ["save", ...images], { stdio: ["ignore", "pipe", "inherit"] });
    const load = spawn("docker", ["--host", `unix://${this.socket}`, "load"], {
      stdio: [save.stdout, "ignore", "inherit"],
    });
    await new Promise((resolve, reject) => {
      load.once("error", reject).once("exit", resolve);
    });
  }

  start() {
    this.ask("start");
  }

  /** Ends its daemon as a lack of memory would. */
  async kill() {
    process.kill(Number(await readFile(path.join(this.folder, "docker.pid"), "utf8")), "SIGKILL");
  }

  async remove() {
    this.ask("stop");
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @param {"start" | "stop"} verb */
  ask(verb) {
    const { status, stdout, stderr } = spawnSync("bash", [script, verb, this.folder], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the engine apart did not ${verb}: ${stdout}${stderr}`);
  }
}
