import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { findRuns } from "../../../src/core/store/find-runs.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { readOutcomes } from "../../../src/core/store/turn-details.js";
import { OUTCOMES } from "./examples.js";
import { ledgerPack, ROOT, temporaryFolder } from "./support.js";

/** Moments differ from run to run; a failure prints the words after which the writer was killed. */
const KILLS = 30;
const LONGEST_LIFE_MS = 250;

async function bundledWriter(): Promise<string> {
  const outfile = path.join(await temporaryFolder(), "writer.cjs");
  await build({
    entryPoints: [path.join(ROOT, "test/unit/packs/crashing-writer.ts")],
    ...{ outfile, bundle: true, platform: "node", format: "cjs", logLevel: "error" },
  });
  return outfile;
}

/** Starts the writer and kills it `delay` ms after its first word. @returns all it said, whole lines only */
async function writeAndKill(script: string, args: readonly string[], delay: number): Promise<string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (said === "") setTimeout(() => child.kill("SIGKILL"), delay);
    said += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject).once("close", () => {
      resolve();
    });
  });
  return said.split("\n").slice(0, -1);
}

describe("a writer that is killed", () => {
  it("leaves folders that read correctly up to the last finished step", { timeout: 120_000 }, async () => {
    const script = await bundledWriter();
    const pack = await ledgerPack();
    const killedAfter = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const runsFolder = path.join(await temporaryFolder(), "runs");
      const args = [pack, path.join(ROOT, "environments/local.yaml"), runsFolder];
      const said = await writeAndKill(script, args, (LONGEST_LIFE_MS * kill) / KILLS);
      killedAfter.add(said.at(-1)?.split(" ")[0] ?? "nothing");
      await expectReadable(runsFolder, said);
    }
    // The moments were spread over the steps; otherwise the test would prove little.
    expect(killedAfter.size, [...killedAfter].join(", ")).toBeGreaterThan(2);
  });
});

async function expectReadable(runsFolder: string, said: readonly string[]): Promise<void> {
  const words = said.join("; ");
  const started = said.filter((line) => line.startsWith("run ")).map((line) => line.slice(4));
  const { runs } = await findRuns(runsFolder);
  // A run whose folder had just appeared may not have been told of.
  expect(runs.length - started.length, words).toBeOneOf([0, 1]);
  for (const folder of runs) {
    const told = said.slice(said.indexOf(`run ${folder}`) + 1);
    const next = told.findIndex((line) => line.startsWith("run "));
    await expectRun(
      folder,
      started.includes(folder) ? told.slice(0, next < 0 ? undefined : next) : [],
      words,
    );
  }
}

async function expectRun(folder: string, told: readonly string[], words: string): Promise<void> {
  const run = await readRun(folder);
  expect(run.faults, words).toEqual([]);
  expect(run.state, words).toBeOneOf(told.includes("finished") ? ["finished"] : ["finished", "interrupted"]);
  const turns = run.problems.flatMap((own) => own.turns);
  expect(
    turns.map(({ checkpoint }) => checkpoint),
    words,
  ).toEqual(["checkpoint_1", "checkpoint_2"]);
  for (const turn of turns) {
    if (told.includes(`snapshot ${turn.checkpoint}`)) {
      const names = (await readdir(path.join(turn.folder, "snapshot"))).sort();
      expect(names, words).toEqual([0, 1, 2, 3, 4].map((at) => `part_${at}.py`));
      const text = await readFile(path.join(turn.folder, "snapshot/part_4.py"), "utf8");
      expect(text, words).toBe(`# ${turn.checkpoint}\n`.repeat(200));
    }
    if (told.includes(`evaluated ${turn.checkpoint}`))
      expect(await readOutcomes(turn), words).toHaveLength(OUTCOMES.length);
    if (told.includes(`closed ${turn.checkpoint}`)) {
      expect(turn, words).toMatchObject({
        verdict: "failed",
        snapshotHash: "5ea1",
        quality: { totals: { erosion: 0.75 } },
      });
      const rows = (await readFile(path.join(folder, "checkpoint_results.jsonl"), "utf8")).trim().split("\n");
      const checkpoints = rows.map((row) => /"checkpoint":"(?<name>\w+)"/u.exec(row)?.groups?.["name"]);
      expect(checkpoints, words).toContain(turn.checkpoint);
    }
  }
}
