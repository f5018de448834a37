import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { totalText } from "../../../src/cli/queue-progress.js";
import { DEFAULT_LIMITS } from "../../../src/core/model/policy.js";
import { CONTAINER_MEMORY } from "../../../src/core/queue/capacity.js";
import { readRun } from "../../../src/core/store/read-run.js";
import { ScriptedChat, sendStream, streamOf } from "../../support/scripted-chat.js";
import { FakeLoop, items, queueOf, settle } from "../queue/support.js";
import { cli, jsonLines, lay, wordPack } from "./support.js";

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-cli-"));
  await lay(cwd, wordPack("words"));
  await lay(cwd, wordPack("other"));
  const config = path.join(cwd, "other/config.yaml");
  await writeFile(config, (await readFile(config, "utf8")).replace("name: words", "name: other"));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

const LOCAL = ["--environment", "local", "--checkpoints", "1"];

async function queueFiles(): Promise<string[]> {
  return (await readdir(path.join(cwd, "runs"))).filter((name) => name.startsWith("queue-"));
}

async function runFolders(): Promise<string[]> {
  return (await readdir(path.join(cwd, "runs"))).filter((name) => !name.startsWith("queue-")).sort();
}

function turnsOf(out: string): Record<string, unknown>[] {
  return jsonLines(out).filter(({ type }) => type === "turn");
}

/** Tells how many turns it took. */
const LOGGING = "echo '# turn' >> words.py";

/** Runs the command until the first turn is told. */
function interruptedAfterTurn(args: readonly string[]): ReturnType<typeof cli> {
  const controller = new AbortController();
  return cli(cwd, [...args, "--json"], {
    signal: controller.signal,
    out: () => {
      controller.abort();
    },
  });
}

describe("a queue", () => {
  it("takes every problem by every agent, and prints a row for each", async () => {
    const agents = ["--agent", "reference", "--agent", "wrong=command:echo pass > words.py"];
    const { code, out, err } = await cli(cwd, ["queue", "words", ...agents, ...LOCAL]);
    expect(code).toBe(0);
    const rows = out.split("\n").map((line) => line.split(/ {2,}/u).slice(0, 4));
    expect(rows.slice(0, 4)).toEqual([
      ["problem", "agent", "finished", "strict"],
      ["words", "reference", "1 of 1", "100\u202f%"],
      ["words", "wrong", "1 of 1", "0\u202f%"],
      [""],
    ]);
    expect(err).toContain("words · reference: checkpoint_1: passed, 1 of 1 tests");
    expect(err).toContain("words · wrong: checkpoint_1: failed, 0 of 1 tests");
    expect((await readdir(path.join(cwd, "runs"))).filter((name) => !name.startsWith("queue-"))).toHaveLength(
      2,
    );
  });

  it("keeps what is finished when it is interrupted, and goes on with the rest", async () => {
    const controller = new AbortController();
    await lay(cwd, {
      "many.yaml": `problems: [words, other]
agents: [reference]
jobs: 1
environment: local
checkpoints: [checkpoint_1]
`,
    });
    const heard: string[] = [];
    const first = await cli(cwd, ["queue", "many.yaml", "--json"], {
      signal: controller.signal,
      out: (text) => {
        heard.push(text);
        if (text.includes('"type":"run"')) controller.abort();
      },
    });
    expect(first.code).toBe(130);
    expect(first.err).toContain("--resume");
    const ends = jsonLines(heard.join("")).filter(({ type }) => type === "run");
    expect(ends.map(({ problem, state }) => [problem, state])).toEqual([
      ["words", "finished"],
      ["other", "interrupted"],
    ]);
    const second = await cli(cwd, ["queue", "--resume", "--json"]);
    expect(second.code).toBe(0);
    const taken = jsonLines(second.out);
    expect(taken.map(({ type, problem }) => [type, problem])).toEqual([
      ["turn", "other"],
      ["run", "other"],
    ]);
    expect(await queueFiles()).toHaveLength(1);
    const nothing = await cli(cwd, ["queue", "--resume"]);
    expect(nothing).toMatchObject({ code: 2, out: "" });
  });

  it("goes on with what had begun in its own folder, turn by turn", async () => {
    const args = ["queue", "words", "--agent", `mine=command:${LOGGING}`, "--environment", "local"];
    const first = await interruptedAfterTurn(args);
    expect(first.code).toBe(130);
    const [begun = ""] = await runFolders();
    // As a crash leaves it that comes before the queue's file tells of the folder.
    const [name = ""] = await queueFiles();
    const file = path.join(cwd, "runs", name);
    const stored = JSON.parse(await readFile(file, "utf8")) as { items: { folder?: string }[] };
    expect(stored.items[0]?.folder).toBe(begun);
    delete stored.items[0]?.folder;
    await writeFile(file, JSON.stringify(stored));
    const second = await cli(cwd, ["queue", "--resume", "--json"]);
    expect(second.code).toBe(0);
    expect(turnsOf(second.out).map(({ checkpoint }) => checkpoint)).toEqual(["checkpoint_2"]);
    expect(await runFolders()).toEqual([begun]);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      items: [{ state: "finished", folder: begun, left: [] }],
    });
    const snapshot = path.join(cwd, "runs", begun, "words/checkpoint_2/snapshot/words.py");
    expect(await readFile(snapshot, "utf8")).toBe("# turn\n# turn\n");
  });

  it("takes a whole policy, and its attempts are one group for scores, agent by agent", async () => {
    await lay(cwd, {
      ".slop-lens/policies/twice.yaml":
        "pass: core-cases\nattempts: { independent: 2 }\nlimits: { seconds: 50 }\n",
    });
    const good = "good=command:echo 'print(\"word1\")' > words.py";
    const args = [
      "queue",
      "words",
      "--agent",
      good,
      "--agent",
      "wrong=command:echo > words.py",
      "--policy",
      "twice",
      "--jobs",
      "2",
    ];
    const { code } = await cli(cwd, [...args, "--environment", "local"]);
    expect(code).toBe(0);
    const runs = await Promise.all((await runFolders()).map((name) => readRun(path.join(cwd, "runs", name))));
    expect(runs.map(({ policy }) => policy)).toEqual(
      Array(4).fill(
        expect.objectContaining({
          ...{ name: "twice", pass: "core-cases", attempts: { kind: "independent", count: 2 } },
          limits: { ...DEFAULT_LIMITS, seconds: 50, memoryBytes: CONTAINER_MEMORY },
        }),
      ),
    );
    const attempts = runs.map(
      ({ agent, attempt }) => `${agent.detail ?? ""} ${attempt?.group ?? ""} ${attempt?.index ?? 0}`,
    );
    expect(new Set(attempts).size).toBe(4);
    expect(new Set(runs.map(({ attempt }) => attempt?.group)).size).toBe(2);
    const scores = JSON.parse((await cli(cwd, ["scores", "runs", "--json", "--k", "2"])).out) as unknown[];
    expect(scores).toMatchObject([
      { agent: "good · just-solve", attempts: [2, 2] },
      { agent: "wrong · just-solve", attempts: [2, 2] },
    ]);
  });

  it("takes a model with the tool loop around it", async () => {
    await using chat = await ScriptedChat.start((_request, response) => {
      sendStream(response, streamOf("Done."));
    });
    const model = ["--agent", "api=model", "--endpoint", chat.url, "--model", "tiny"];
    const { code, out } = await cli(cwd, ["queue", "words", ...model, ...LOCAL, "--json"]);
    expect(code).toBe(0);
    expect(turnsOf(out)).toMatchObject([{ agent: "api", verdict: "failed" }]);
    const [name = ""] = await runFolders();
    expect((await readRun(path.join(cwd, "runs", name))).agent).toMatchObject({
      type: "model",
      model: "tiny",
    });
  });

  it("goes on in the place that is named anew, and refuses what cannot be changed any more", async () => {
    await cli(cwd, ["queue", "words", ...LOCAL]);
    const [name = ""] = await queueFiles();
    const file = path.join(cwd, "runs", name);
    interface Stored {
      plan: Record<string, unknown>;
      items: Record<string, unknown>[];
    }
    const stored = JSON.parse(await readFile(file, "utf8")) as Stored;
    const items = stored.items.map(({ id, left }) => ({ id, left, state: "failed", reason: "no image" }));
    const plan = { ...stored.plan, environment: "docker", image: "slop-lens-test/gone:1" };
    await writeFile(file, JSON.stringify({ ...stored, plan, items }));
    for (const run of await runFolders()) await rm(path.join(cwd, "runs", run), { recursive: true });
    const refused = await cli(cwd, ["queue", "--resume", file, "--template", "x", "--max-cost", "2"]);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/so --template and --max-cost cannot be changed with --resume\. .*--image/u);
    const { code, out } = await cli(cwd, ["queue", "--resume", file, "--environment", "local"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^words {2,}reference {2,}1 of 1 /mu);
    const after = JSON.parse(await readFile(file, "utf8")) as Stored;
    expect(after.plan["environment"]).toBe("local");
    expect(after.plan).not.toHaveProperty("image");
    const image = await cli(cwd, ["queue", "--resume", file, "--image", "mine:1"]);
    expect(image.err).toMatch(/--image goes with a Docker environment, and local-python is not one/u);
  });

  it("takes in from a run folder what a crash kept out of its own file", async () => {
    await cli(cwd, ["queue", "words", ...LOCAL]);
    const [name = ""] = await queueFiles();
    const file = path.join(cwd, "runs", name);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"state": "finished"', '"state": "running"'));
    const { code, out, err } = await cli(cwd, ["queue", "--resume", file]);
    expect(code).toBe(0);
    expect(out).toMatch(/^words {2,}reference {2,}1 of 1 /mu);
    expect(err).not.toContain("checkpoint_1");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ items: [{ state: "finished" }] });
  });

  it("tells trouble of one item, and takes the others", async () => {
    const agents = ["--agent", "gone=replay:nowhere", "--agent", "reference"];
    const { code, out } = await cli(cwd, ["queue", "words", ...agents, ...LOCAL]);
    expect(code).toBe(2);
    expect(out).toMatch(/^words {2,}gone {2,}0 of 1/mu);
    expect(out).toMatch(/^words {2,}reference {2,}1 of 1/mu);
    expect(out).toMatch(/^words · gone: failed: .*nowhere is not a folder/mu);
  });

  it.each([
    [["queue"], /The queue names no problem/u],
    [["queue", "words", "--agent", "magic"], /There is no agent magic/u],
    [["queue", "words", "--policy", "sometimes"], /There is no policy sometimes/u],
    [["queue", "words", "--agent", "model"], /needs --endpoint URL and --model NAME/u],
    [["queue", "words", "--model", "m"], /go with --agent model/u],
    [["queue", "words", "words"], /two problems called words/u],
    [["queue", "words", "--jobs", "0"], /whole number from 1 to 1000/u],
    [["queue", "words", "--resume"], /--resume takes/u],
    [["queue", "nowhere.yaml"], /There is no queue file nowhere\.yaml/u],
  ])("%j gets one line and exit code 2", async (args, expected) => {
    const { code, out, err } = await cli(cwd, [...args, "--environment", "local"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(expected);
  });
});

describe("resume", () => {
  it("takes another command of the run's own kind of agent, and what it is not given from the run", async () => {
    const agent = ["--agent", "command", "--command", "echo '# first' >> words.py"];
    await cli(cwd, ["run", "words", ...agent, ...LOCAL]);
    const [folder = ""] = await runFolders();
    const resume = ["resume", path.join("runs", folder), "--environment", "local", "--yes", "--redo", "1"];
    const solution = path.join(cwd, "runs", folder, "words/checkpoint_1/snapshot/words.py");
    expect((await cli(cwd, [...resume, "--command", "echo '# second' >> words.py"])).code).toBe(0);
    expect(await readFile(solution, "utf8")).toBe("# second\n");
    expect((await cli(cwd, resume)).code).toBe(0);
    expect((await cli(cwd, [...resume, "--thinking", "low"])).err).toContain("--thinking goes with a named");
  });
});

describe("resume of one of several attempts", () => {
  it("names those that never began, and takes them with the same policy and group", async () => {
    const agent = ["--agent", "command", "--command", LOGGING];
    const args = ["run", "words", ...agent, "--policy", "independent(3)", ...LOCAL];
    const first = await interruptedAfterTurn(args);
    expect(first.code).toBe(130);
    const [begun = ""] = await runFolders();
    const resume = ["resume", path.join("runs", begun), "--environment", "local"];
    const plan = await cli(cwd, [...resume, "--dry-run"]);
    expect(plan.out).toContain("attempts 2, 3 of 3: to be taken (never began)");
    expect(await runFolders()).toEqual([begun]);
    const { code, out } = await cli(cwd, [...resume, "--yes"]);
    expect(code).toBe(0);
    expect(out.match(/^run folder: /gmu)).toHaveLength(3);
    const runs = await Promise.all((await runFolders()).map((name) => readRun(path.join(cwd, "runs", name))));
    expect(runs.map(({ attempt }) => attempt?.index).sort()).toEqual([1, 2, 3]);
    expect(new Set(runs.map(({ attempt }) => attempt?.group)).size).toBe(1);
    expect(new Set(runs.map(({ policy }) => JSON.stringify(policy))).size).toBe(1);
    expect((await cli(cwd, [...resume, "--yes"])).err).toContain("nothing is left to do");
  });
});

describe("the line of the whole queue", () => {
  it("tells what is done, what is left and why nothing begins", async () => {
    const loop = new FakeLoop();
    const queue = queueOf(loop, { jobs: 1 });
    queue.add(items(3, 1));
    await settle();
    await loop.step("p1/a1/1");
    queue.pause();
    expect(totalText(queue.status, 62, 0)).toBe(
      "0 of 3 done · 1 running · 2 waiting · 1 of 6 checkpoints · 1:02 · about 5 min left · paused",
    );
    queue.cancelAll();
    await queue.settled();
    expect(totalText(queue.status, 70, 0)).toContain("3 of 3 done · 0 running · 0 waiting");
  });
});
