import { mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startedAs } from "../../../src/cli/started-as.js";
import { cli, lay, wordPack } from "./support.js";

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(os.tmpdir(), "slop-lens-wrong-"));
  await lay(cwd, {
    ...wordPack("packs/words"),
    ...wordPack("a/words"),
    "a.py": "x = 1\n\n\ndef alpha():\n    pass\n",
    "notes.txt": "",
    "empty/.keep": "",
  });
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

describe("what is nearly right", () => {
  it.each([
    [["rnu", "x"], /unknown command 'rnu'; did you mean run\? slop-lens --help tells more$/u],
    [
      ["run", "x", "--polciy", "any"],
      /unknown option '--polciy'; did you mean --policy\? slop-lens run --help/u,
    ],
    [
      ["run", "words"],
      /There is no problem pack words; did you mean "(a|packs).words"\? A name is looked for in/u,
    ],
    [["run", "wrods"], /no problem pack wrods; did you mean "(a|packs).words"\?/u],
    [
      ["run", "packs/words", "--environment", "dokcer"],
      /no environment dokcer; did you mean "docker"\? Name docker or local/u,
    ],
    [
      ["run", "packs/words", "--environment", "gone.yaml"],
      /environment file .*gone\.yaml is missing\. Check the path\.$/u,
    ],
    [
      ["run", "packs/words", "--start", "nowhere"],
      /--start nowhere is no checkpoint of a run with a snapshot\. Give empty, reference, or/u,
    ],
    [["run", "packs/words", "--start", "refrence"], /with a snapshot; did you mean "reference"\?/u],
    [["run", "packs/words", "--attempts", "1000000000"], /Give a whole number from 1 to 1000/u],
    [["queue", "packs/words", "--attempts", "1000000000"], /Give a whole number from 1 to/u],
    [["run", "packs/words", "--policy", "fial-stop"], /no policy fial-stop; did you mean "fail-stop"\?/u],
    [
      ["run", "packs/words", "--template", "just-slove"],
      /no prompt template just-slove; did you mean "just-solve"\?/u,
    ],
    [
      ["run", "packs/words", "--agent", "comand"],
      /no agent comand; did you mean "command"\? Name one of reference, replay/u,
    ],
    [["run", "packs/words", "--agent", "mine"], /your own by its name lies in .*\.slop-lens.agents\.$/u],
    [["queue", "q.yaml", "packs/words"], /q\.yaml is a whole queue and stands alone/u],
    [["run", "packs/words", "--image", "--json"], /--image needs a value, and --json is the next option/u],
    [["queue", "packs/words", "--agent", "cluade"], /no agent cluade; did you mean "claude-code"\?/u],
    [["agents", "cluade"], /no agent cluade; did you mean "claude-code"\?/u],
    [["rules", "exept-pass"], /No rule has the id exept-pass; did you mean "except-pass-silence"\?$/u],
    [["explain", "a.py", "alhpa"], /a\.py has no callable alhpa; did you mean "alpha"\? It has alpha\.$/u],
    [["explain", "a.py", "1"], /Line 1 of a\.py is in no callable\. It has alpha 4–5\.$/u],
    [
      ["explain", "notes.txt"],
      /notes\.txt is in no language that is measured: no language has files in \.txt\. Measured are \.py/u,
    ],
    [
      ["eval", "empty", "--problem", "packs/words", "--checkpoint", "checkpont_1"],
      /has no checkpoint checkpont_1; did you mean "checkpoint_1"\?/u,
    ],
    [
      ["run", "packs/words", "--environment", "local", "--checkpoints", "checkpont_1"],
      /has no checkpont_1; did you mean "checkpoint_1"\?/u,
    ],
  ])("%j is answered with what may be meant", async (args, expected) => {
    const { code, out, err } = await cli(cwd, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trimEnd().split("\n").at(-1)).toMatch(expected);
    expect(err).not.toContain("?.");
  });

  it("an agent by the name of the queue is one of run, too", async () => {
    const args = ["run", "packs/words", "--agent", "reference", "--replay", "x"];
    expect((await cli(cwd, args)).err).toMatch(/--replay goes with --agent replay/u);
  });
});

describe("a wrong place", () => {
  it.each([
    [["resume", "packs/words"], /words is a problem pack, not a run folder\. Runs are in the folder runs/u],
    [["resume", "gone"], /gone does not exist\. Name a run folder\.$/u],
    [["resume", "notes.txt"], /notes\.txt is a file, not a folder\. Name a run folder\.$/u],
    [
      ["eval", "notes.txt", "--problem", "packs/words"],
      /notes\.txt is a file\. Name the folder with the solution/u,
    ],
    [["eval", "packs/words", "--problem", "packs/words"], /is a problem pack, not a run folder/u],
    [["problems", "notes.txt"], /notes\.txt is a file, not a folder\. Name a pack, or a folder of packs\.$/u],
    [
      ["eval", "gone", "--checkpoint", "1"],
      /gone does not exist\. Name a folder with a solution, or a run folder\.$/u,
    ],
    [["scores", "empty"], /No run folder in empty/u],
    [
      ["run", "packs"],
      /packs is no problem pack: it has no config\.yaml that names checkpoints\. It holds packs.words\.$/u,
    ],
    [["run", "empty"], /empty is no problem pack: .*\. Give the folder that holds/u],
    [["run", ""], /The value of problem is empty\. Give one, or leave it out\.$/u],
    [["analyze", "a.py", ""], /The value of paths is empty/u],
    [["run", "packs/words", "--image", ""], /The value of --image is empty/u],
  ])("%j is told what it is", async (args, expected) => {
    const { code, out, err } = await cli(cwd, args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trimEnd()).toMatch(expected);
  });

  it("packs two levels down are found, and one that is begun is told all that it lacks", async () => {
    await lay(cwd, { "deep/x/y/.keep": "", "begun/min/config.yaml": "name: min\n" });
    await lay(path.join(cwd, "deep/x"), wordPack("words"));
    expect((await cli(cwd, ["problems", "deep"])).out).toMatch(/^words /mu);
    const { code, out } = await cli(cwd, ["problems", "begun/min"]);
    expect(code).toBe(1);
    for (const key of ["version", "description", "tags", "entry_file", "checkpoints"]) {
      expect(out).toContain(`"${key}"`);
    }
  });

  it("several packs of one name are told with their folders, and none is taken by the name", async () => {
    await symlink(path.join(cwd, "a", "words"), path.join(cwd, "words"));
    await symlink(path.join(cwd, "packs", "words"), path.join(cwd, "others"));
    const listed = await cli(cwd, ["problems"]);
    expect(listed.out.split("\n").map((line) => line.split(/ {2,}/u)[1])).toEqual(
      expect.arrayContaining(["folder", "others", "words"]),
    );
    expect((await cli(cwd, ["problems", "packs"])).out).not.toContain("folder");
  });

  it("a rule that is switched off and is none is told of all the rules", async () => {
    const { code, err } = await cli(cwd, ["analyze", "a.py", "--no-cache", "--rule-off", "except-pas"]);
    expect(code).toBe(0);
    expect(err).toMatch(/rules: no rule has the id except-pas, .*; did you mean "except-pass-silence"\?$/mu);
  });
});

describe("the command that messages name", () => {
  it.each([
    ["/usr/local/bin/slop-lens", {}, "/home", "slop-lens"],
    ["/tmp/npx/dist/cli.js", { npm_command: "exec" }, "/home", "npx slop-lens"],
    ["/repo/dist/cli.js", {}, "/repo", "node dist/cli.js"],
    ["/repo/dist/cli.js", {}, "/home", "node /repo/dist/cli.js"],
    ["/my repo/dist/cli.js", {}, "/home", "node '/my repo/dist/cli.js'"],
    [undefined, {}, "/home", "slop-lens"],
  ])("is the one that was typed: %j", (script, env, from, expected) => {
    expect(startedAs(script, env, from)).toBe(expected);
  });

  it("stands in usage, help and trouble", async () => {
    const part = { program: "node dist/cli.js" };
    expect((await cli(cwd, ["run", "--help"], part)).out).toMatch(/^Usage: node dist\/cli\.js run /u);
    const { out } = await cli(cwd, ["--help"], part);
    expect(out).toContain("  node dist/cli.js run examples/shelf\n");
    expect(out).not.toContain("  slop-lens ");
    expect((await cli(cwd, ["run"], part)).err).toContain("node dist/cli.js run --help tells more");
  });
});
