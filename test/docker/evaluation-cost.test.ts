import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { pause } from "../../src/core/sandbox/deadline.js";
import { LABEL } from "../../src/core/sandbox/docker/labels.js";
import { formatStamp, ownStamp } from "../../src/core/sandbox/process-stamp.js";
import { temporaryFolder } from "../unit/sandbox/support.js";
import { tryCheckpoint } from "../unit/evaluation/support.js";
import { environment, sandbox } from "./hostile-support.js";
import { engine } from "./sandbox-support.js";

const eventSchema = z.object({
  Action: z.string(),
  Actor: z.object({ Attributes: z.record(z.string(), z.string()) }),
});

/**
 * What the engine did with containers of this process while `work` went on: `kind action`, in order. A container's end
 * is told a moment after its removal was answered, so that it is waited for.
 */
async function eventsOf(work: () => Promise<unknown>): Promise<string[]> {
  const since = Date.now() / 1000;
  await work();
  for (;;) {
    const events = await eventsSince(since);
    const count = (action: string): number => events.filter((event) => event.endsWith(action)).length;
    if (count("create") === count("destroy")) return events;
    await pause(50);
  }
}

async function eventsSince(since: number): Promise<string[]> {
  const filters = JSON.stringify({ type: ["container"], event: ["create", "start", "destroy"] });
  const stream = await engine.getEvents({ since, until: Date.now() / 1000, filters });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => eventSchema.parse(JSON.parse(line)))
    .filter(({ Actor }) => Actor.Attributes[LABEL.process] === formatStamp(ownStamp()))
    .map(({ Action, Actor }) => `${Actor.Attributes[LABEL.kind] ?? "?"} ${Action}`);
}

describe("a checkpoint's evaluation", () => {
  it("starts exactly one container, and one more only for requirements that are new", async () => {
    using folder = temporaryFolder();
    writeFileSync(path.join(folder.path, "adder.py"), "import sys\nprint(sum(map(int, sys.argv[1:])))\n");
    const requirements = path.join(folder.path, "requirements.txt");
    mkdirSync(path.join(folder.path, "nothing"));
    // Asks for what is installed already, under a name that nobody has asked with before.
    writeFileSync(requirements, `pip  # ${process.pid} ${Date.now()}\n`);
    const evaluate = async (): Promise<void> => {
      const trial = await tryCheckpoint(sandbox, environment, "attacked", "checkpoint_1", {
        solution: folder.path,
      });
      expect(trial.evaluation.reason).toBeUndefined();
      expect(Object.values(trial.statuses)).toEqual(["passed", "passed", "passed"]);
    };
    const session = ["session create", "session start", "session destroy"];
    expect(await eventsOf(evaluate)).toEqual(["build create", "build start", "build destroy", ...session]);
    expect(await eventsOf(evaluate)).toEqual(session);
    writeFileSync(requirements, "# nothing any more\n");
    expect(await eventsOf(evaluate)).toEqual(session);
  });
});
