/**
 * A process for crash.test.ts: writes run after run into the folder given, and says so after every finished step. The
 * test kills it at any moment.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readEnvironment } from "../../../src/core/problem/environment-file.js";
import { readPack } from "../../../src/core/problem/pack.js";
import { RunFolderWriter } from "../../../src/core/store/run-folder-writer.js";
import { AGENT_RESULT, EVALUATION, exampleTurn, QUALITY } from "./examples.js";
import { DEFAULT_POLICY } from "../../../src/core/model/policy.js";

const [pack = "", environmentFile = "", runsFolder = ""] = process.argv.slice(2);

function say(word: string): void {
  process.stdout.write(`${word}\n`);
}

async function writeRun(): Promise<void> {
  const { problem } = await readPack(pack);
  if (problem === undefined) throw new Error("the pack is not sound");
  const agent = { type: "replay", version: undefined, model: undefined, detail: undefined };
  const writer = await RunFolderWriter.create({
    ...{ runsFolder, agent, problem, policy: DEFAULT_POLICY, isolation: "docker", startedAt: new Date() },
    environment: await readEnvironment(environmentFile),
    prompt: { name: "just-solve", source: "{{ spec }}" },
  });
  say(`run ${writer.folder}`);
  const turns = [];
  let parent: string | undefined;
  for (const { name } of problem.checkpoints) {
    const files = await writer.openTurn({ checkpoint: name }, "Do it.\n".repeat(500));
    say(`opened ${name}`);
    for (let at = 0; at < 5; at += 1) {
      await writeFile(path.join(files.staging, `part_${at}.py`), `# ${name}\n`.repeat(200));
    }
    await files.keepAgentResult(AGENT_RESULT, new Date(), new Date());
    parent = await files.keepSnapshot(parent);
    say(`snapshot ${name}`);
    await files.keepEvaluation(EVALUATION);
    say(`evaluated ${name}`);
    await files.keepQuality(QUALITY);
    const turn = exampleTurn(name, files.folder);
    await files.close(turn);
    say(`closed ${name}`);
    turns.push(turn);
  }
  const problems = [{ problem: problem.name, folder: path.join(writer.folder, problem.name), turns }];
  await writer.close(
    {
      ...{ folder: writer.folder, agent, prompt: undefined, environment: undefined, isolation: "docker" },
      ...{ startedAt: undefined, state: "finished", problems, faults: [] },
    },
    undefined,
  );
  say("finished");
}

async function main(): Promise<void> {
  for (;;) await writeRun();
}

void main();
