import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, jsonLines, lay, wordPack } from "../unit/cli/support.js";
import { IMAGE } from "../support/image.js";
import { ownContainers } from "./sandbox-support.js";

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
