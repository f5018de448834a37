import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Run } from "../../src/core/model/run.js";
import { readRun } from "../../src/core/store/read-run.js";
import { IMAGE } from "../support/image.js";
import { cli, jsonLines, lay, wordPack } from "../unit/cli/support.js";
import { Way } from "./engine-way.js";
import { engine, ownContainers } from "./sandbox-support.js";

const CLI = path.resolve(import.meta.dirname, "../../dist/cli.js");
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-queue-"));
  await lay(root, wordPack("words"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function runs(): Promise<Run[]> {
  const names = (await readdir(path.join(root, "runs"))).filter((name) => !name.startsWith("queue-"));
  return Promise.all(names.map((name) => readRun(path.join(root, "runs", name))));
}

/** Containers of runs below this test's folder, whichever process made them. */
async function containers(): Promise<string[]> {
  const all = await engine.listContainers({ all: true, filters: { label: ["slop-lens.kind=session"] } });
  return all.filter(({ Labels }) => Labels["slop-lens.run"]?.startsWith(root) === true).map(({ Id }) => Id);
}

const LINES = `name: lines
title: Lines
version: "1"
command: sleep 1; echo 'print("word1")' >> words.py
usage: none
`;

/** Runs the command as a process of its own and kills it while the turn after the first is at work. */
async function killedAfterTurn(args: readonly string[]): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [CLI, ...args, "--json"], { cwd: root });
  child.stdout.once("data", () => {
    setTimeout(() => child.kill("SIGKILL"), 500);
  });
  return new Promise((resolve) => {
    child.once("close", (_code, signal) => {
      resolve(signal);
    });
  });
}

describe("a queue whose process is killed", { timeout: 180_000 }, () => {
  it("goes on with each attempt as if nothing had been, and leaves no container", async () => {
    await lay(root, { ".slop-lens/agents/lines.yaml": LINES });
    const agents = ["--agent", "lines", "--agent", "wrong=command:sleep 1; echo > words.py"];
    const options = ["--policy", "independent(2)", "--memory", "0.5", "--image", IMAGE, "--jobs", "2"];
    const args = ["queue", "words", ...agents, ...options, "--checkpoints", "1"];
    expect(await killedAfterTurn(args)).toBe("SIGKILL");
    const { code, out } = await cli(root, ["queue", "--resume"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^words {2,}lines {2,}2 of 2 {2,}100/mu);
    expect(out).toMatch(/^words {2,}wrong {2,}2 of 2 {2,}0/mu);
    const ended = await runs();
    expect(ended.map(({ agent, attempt }) => `${agent.type} ${attempt?.index ?? 0}`).sort()).toEqual([
      ...["command 1", "command 2", "lines 1", "lines 2"],
    ]);
    expect(new Set(ended.map(({ attempt }) => attempt?.group)).size).toBe(2);
    expect(await containers()).toEqual([]);
  });
});

/** Tells how many turns it took, and that it works. */
const SLOW = "echo '# turn' >> words.py; echo at work; sleep 1; echo \"print('word1')\" >> words.py";

describe("an engine that falls silent while a queue runs", { timeout: 180_000 }, () => {
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const id of await ownContainers()) await engine.getContainer(id).remove({ force: true });
  });

  it("pauses it; when the engine answers again, what had begun goes on in its own folder", async () => {
    const way = new Way(path.join(root, "engine.sock"));
    vi.stubEnv("DOCKER_HOST", way.host);
    const heard: string[] = [];
    let isGone = false;
    const options = ["--memory", "0.5", "--image", IMAGE, "--checkpoints", "1-2", "--jobs", "1"];
    const args = ["queue", "words", "--agent", `mine=command:${SLOW}`, ...options, "--verbose", "--json"];
    const { code, out } = await cli(root, args, {
      err: (text) => {
        heard.push(text);
        // In the second turn, so that the first is there to be kept.
        if (!isGone && heard.filter((line) => line.includes("at work")).length === 2) {
          isGone = true;
          way.freeze();
        }
        if (text.includes("the queue waits for the engine")) way.thaw();
      },
    });
    way.end();
    expect(isGone).toBe(true);
    expect(await ownContainers()).toEqual([]);
    expect(code).toBe(0);
    const turns = jsonLines(out).filter(({ type }) => type === "turn");
    expect(turns.map(({ checkpoint, verdict }) => [checkpoint, verdict])).toEqual([
      ["checkpoint_1", "passed"],
      ["checkpoint_2", "infrastructure"],
      ["checkpoint_2", "failed"],
    ]);
    const ended = await runs();
    expect(ended).toHaveLength(1);
    const snapshot = path.join(ended[0]?.folder ?? "", "words/checkpoint_2/snapshot/words.py");
    expect((await readFile(snapshot, "utf8")).match(/# turn/gu)).toHaveLength(2);
  });
});
