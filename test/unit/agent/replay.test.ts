import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replayAgent } from "../../../src/core/agent/replay.js";
import { findReplayFolders } from "../../../src/core/agent/replay-source.js";
import type { AgentTurn } from "../../../src/core/agent/agent.js";
import { aProblem, anEnvironment, noSandbox } from "../trajectory/samples.js";
import { FIRST_TRY } from "./support.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), "slop-lens-replay-"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function lay(files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
}

function turn(checkpoint: number, after: string): AgentTurn {
  const problem = aProblem(path.join(root, "pack"), 2);
  const chosen = problem.checkpoints[checkpoint - 1];
  if (chosen === undefined) throw new Error("no such checkpoint");
  return {
    problem,
    checkpoint: chosen,
    environment: anEnvironment(),
    sandbox: noSandbox,
    image: () => Promise.reject(new Error("a replay needs no image")),
    owner: { run: "run", turn: "turn" },
    prompt: "",
    workspaceBefore: path.join(root, "before"),
    workspaceAfter: after,
    keep: (relative) => !relative.startsWith("venv"),
    transcriptFolder: path.join(root, "transcripts"),
    ...FIRST_TRY,
    onOutput: () => undefined,
  };
}

describe("finding what can be replayed", () => {
  it("takes the pack's own solutions", async () => {
    await lay({ "pack/solutions/checkpoint_1/shelf.py": "", "pack/solutions/checkpoint_2/shelf.py": "" });
    const folders = await findReplayFolders({ kind: "solutions" }, aProblem(path.join(root, "pack"), 2));
    expect([...folders.keys()]).toEqual(["checkpoint_1", "checkpoint_2"]);
  });

  it("takes a run folder, a problem's folder in it, and a plain folder", async () => {
    await lay({
      "run/sample/checkpoint_1/snapshot/shelf.py": "",
      "run/sample/checkpoint_1/prompt.txt": "",
      "plain/checkpoint_1/shelf.py": "",
    });
    const problem = aProblem(path.join(root, "pack"), 2);
    const find = async (folder: string): Promise<string | undefined> =>
      (await findReplayFolders({ kind: "folder", folder: path.join(root, folder) }, problem)).get(
        "checkpoint_1",
      );
    const snapshot = path.join(root, "run/sample/checkpoint_1/snapshot");
    expect(await find("run")).toBe(snapshot);
    expect(await find("run/sample")).toBe(snapshot);
    expect(await find("plain")).toBe(path.join(root, "plain/checkpoint_1"));
  });

  it("does not take a recording's own folder called snapshot for a run's", async () => {
    await lay({ "plain/checkpoint_1/snapshot/a.txt": "", "plain/checkpoint_1/shelf.py": "" });
    const folders = await findReplayFolders(
      { kind: "folder", folder: path.join(root, "plain") },
      aProblem(path.join(root, "pack"), 2),
    );
    expect(folders.get("checkpoint_1")).toBe(path.join(root, "plain/checkpoint_1"));
  });

  it("does not take a checkpoint that left no snapshot for an empty recording", async () => {
    await lay({ "run/sample/checkpoint_1/prompt.txt": "" });
    const folders = await findReplayFolders(
      { kind: "folder", folder: path.join(root, "run") },
      aProblem(path.join(root, "pack"), 2),
    );
    expect(folders.size).toBe(0);
  });
});

describe("the replay agent", () => {
  it("names what is missing before anything starts", async () => {
    await lay({ "pack/solutions/checkpoint_1/shelf.py": "" });
    const agent = replayAgent({ kind: "solutions" });
    await expect(agent.check(aProblem(path.join(root, "pack"), 3))).rejects.toMatchObject({
      code: "agent-invalid",
      message: "Nothing to replay for checkpoint_2, checkpoint_3 in the solutions of sample",
    });
    const gone = replayAgent({ kind: "folder", folder: path.join(root, "nowhere") });
    await expect(gone.check(aProblem(root, 1))).rejects.toMatchObject({ code: "agent-invalid" });
  });

  it("copies the recording as it is: modes, links, only what a snapshot keeps", async () => {
    await lay({
      "pack/solutions/checkpoint_1/shelf.py": "print(1)\n",
      "pack/solutions/checkpoint_1/bin/tool": "#!/bin/sh\n",
      "pack/solutions/checkpoint_1/venv/lib.py": "",
    });
    const folder = path.join(root, "pack/solutions/checkpoint_1");
    await chmod(path.join(folder, "bin/tool"), 0o755);
    await symlink("/etc", path.join(folder, "outside"));
    const after = path.join(root, "after");
    await mkdir(after);
    const result = await replayAgent({ kind: "solutions" }).takeTurn(
      turn(1, after),
      new AbortController().signal,
    );
    expect(result.status).toBe("done");
    expect((await readdir(after)).sort()).toEqual(["bin", "outside", "shelf.py"]);
    expect(await readFile(path.join(after, "shelf.py"), "utf8")).toBe("print(1)\n");
    expect((await stat(path.join(after, "bin/tool"))).mode & 0o111).toBe(0o111);
    expect(await readlink(path.join(after, "outside"))).toBe("/etc");
  });

  it("calls the pack's solutions the reference, and everything else a replay", () => {
    expect(replayAgent({ kind: "solutions" }).origin).toBe("reference");
    expect(replayAgent({ kind: "folder", folder: "/runs/1" })).toMatchObject({
      origin: "replay",
      description: { type: "replay", detail: "/runs/1" },
    });
  });
});
