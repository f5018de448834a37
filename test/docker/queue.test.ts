import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cli, jsonLines, lay, wordPack } from "../unit/cli/support.js";
import { IMAGE } from "../support/image.js";
import { Way } from "./engine-way.js";
import { engine, ownContainers } from "./sandbox-support.js";

const PROBLEMS = ["words", "nouns", "verbs", "names"];
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-queue-"));
  for (const name of PROBLEMS) {
    await lay(root, wordPack(name));
    const config = path.join(root, name, "config.yaml");
    await writeFile(config, (await readFile(config, "utf8")).replace("name: words", `name: ${name}`));
  }
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

interface Taken {
  /** What each turn came to, without its times and places. */
  readonly outcomes: readonly string[];
  readonly code: number;
  readonly err: string;
}

/** Knows the word of the second checkpoint for half of the problems only. */
const COMMAND = `echo "print('word1')" > words.py
case $SLOP_LENS_PROBLEM in verbs | names) echo "print('word2')" >> words.py ;; esac`;

async function takeAll(jobs: number): Promise<Taken> {
  const agents = ["--agent", "reference", "--agent", `mine=command:${COMMAND}`];
  const options = [
    "--jobs",
    String(jobs),
    "--memory",
    "0.5",
    "--image",
    IMAGE,
    "--checkpoints",
    "1-2",
    "--json",
  ];
  const { code, out, err } = await cli(root, ["queue", ...PROBLEMS, ...agents, ...options]);
  const outcomes = jsonLines(out)
    .filter(({ type }) => type === "turn")
    .map(({ agent, problem, checkpoint, verdict, counts, failures, snapshot }) =>
      JSON.stringify({ agent, problem, checkpoint, verdict, counts, failures, snapshot }),
    );
  return { outcomes: outcomes.sort(), code, err };
}

describe("two agents and four problems", () => {
  it("come out the same in parallel as one by one, and leave no container", async () => {
    const parallel = await takeAll(4);
    const single = await takeAll(1);
    expect(parallel).toMatchObject({ code: 0, err: "" });
    expect(parallel.outcomes).toHaveLength(16);
    expect(parallel.outcomes).toEqual(single.outcomes);
    const verdicts = parallel.outcomes.map((line) => (JSON.parse(line) as { verdict: string }).verdict);
    expect(verdicts.filter((verdict) => verdict === "failed")).toHaveLength(6);
    expect(await ownContainers()).toEqual([]);
  });
});

/** Tells how many turns it took, and that it works. */
const SLOW = "echo '# turn' >> words.py; echo at work; sleep 1; echo \"print('word1')\" >> words.py";

describe("an engine that falls silent while a queue runs", { timeout: 90_000 }, () => {
  afterEach(async () => {
    vi.unstubAllEnvs();
    // What the engine could not be told to remove while it was gone goes with the next start.
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
    expect(code).toBe(0);
    const turns = jsonLines(out).filter(({ type }) => type === "turn");
    expect(turns.map(({ checkpoint, verdict }) => [checkpoint, verdict])).toEqual([
      ["checkpoint_1", "passed"],
      ["checkpoint_2", "infrastructure"],
      ["checkpoint_2", "failed"],
    ]);
    const runs = (await readdir(path.join(root, "runs"))).filter((name) => !name.startsWith("queue-"));
    expect(runs).toHaveLength(1);
    const snapshot = path.join(root, "runs", runs[0] ?? "", "words/checkpoint_2/snapshot/words.py");
    expect((await readFile(snapshot, "utf8")).match(/# turn/gu)).toHaveLength(2);
  });
});
