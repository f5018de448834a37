import path from "node:path";
import type { Profile } from "../../core/model/quality.js";
import type { Run, RunEvent, RunListener } from "../../core/model/run.js";
import type { Turn } from "../../core/model/turn.js";
import { readTemplate, WORKSPACE_TEMPLATES } from "../../core/prompt/prompt.js";
import { failedTestLines, failedTests } from "../../core/report/failed-tests.js";
import {
  notAskedLine,
  ownTestsLines,
  reasonLines,
  runHeading,
  trajectoryTable,
} from "../../core/report/trajectory-table.js";
import { renderTable } from "../../core/report/text-table.js";
import { Redactor } from "../../core/store/redact.js";
import { readOutcomes } from "../../core/store/turn-details.js";
import { takeAttempts } from "../../core/trajectory/attempts.js";
import { type AgentOptions, chosenAgent } from "../agent-choice.js";
import { EXIT } from "../exit.js";
import { type CliIo, printJson, printLine, warn } from "../io.js";
import type { Installation } from "../installation.js";
import { choosePlace, type PlaceOptions } from "../place.js";
import { choosePolicy, type PolicyOptions } from "../policy-choice.js";
import { findProblem } from "../packs.js";
import { ProgressLine } from "../progress.js";
import { trajectoryServices } from "../sandboxes.js";
import { nearPath, shellWord } from "../started-as.js";
import { turnToJson } from "../turn-json.js";

export interface RunOptions extends PlaceOptions, PolicyOptions, AgentOptions {
  readonly template: string;
  readonly runs: string | undefined;
  readonly checkpoints: readonly string[] | undefined;
  readonly profile: Profile;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

type OutputOptions = Pick<RunOptions, "json" | "verbose" | "debug">;

/** `slop-lens run`: takes a trajectory and prints a table of its turns, or one JSON object a turn. */
export async function runCommand(
  problemName: string,
  options: RunOptions,
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const policy = await choosePolicy(options, io.cwd);
  const agent = await chosenAgent(options, io, installation);
  const problem = await findProblem(problemName, io.cwd);
  const prompt = await readTemplate(
    templatePath(options.template, io.cwd),
    path.join(io.cwd, WORKSPACE_TEMPLATES),
    installation.files.templates,
  );
  const place = await choosePlace(options, io, installation);
  await using analyzer = installation.createAnalyzer();
  // What a solution does with the agent's keys may come back in a test's words.
  const redactor = new Redactor(agent.secrets);
  const masked: CliIo = {
    ...io,
    out: (text) => {
      io.out(redactor.text(text));
    },
  };
  const listener = makeListener(options, masked);
  const runs = await takeAttempts(
    {
      problem,
      agent,
      environment: place.environment,
      prompt,
      runsFolder: path.resolve(io.cwd, options.runs ?? "runs"),
      policy,
      analysis: { ...installation.analysis, profile: options.profile },
      checkpoints: options.checkpoints,
    },
    trajectoryServices(installation, place.sandbox, analyzer),
    listener,
    io.signal,
  );
  return await endOfRuns(runs, options, masked);
}

/** Prints how runs ended. @returns the exit code of the command */
export async function endOfRuns(
  runs: readonly Run[],
  options: Pick<RunOptions, "json">,
  io: CliIo,
): Promise<number> {
  for (const run of runs) {
    if (!options.json) await printRun(run, io);
    if (run.state === "cancelled") {
      warn(io, `cancelled; ${goOnWords(run, io)}`);
    }
  }
  return Math.max(...runs.map(exitCodeOf));
}

/** Where an interrupted run lies, and what to type to go on with it. */
function goOnWords({ folder }: Run, io: CliIo): string {
  const resume = `${io.program} resume ${shellWord(nearPath(folder, io.cwd))}`;
  return `${folder} keeps the finished turns. ${resume} goes on with it`;
}

/** A path is taken relative to where the user stands; a bare name is looked up among the user's and the shipped ones. */
export function templatePath(template: string, cwd: string): string {
  const isName = /^[\w-]+$/u.test(template);
  return isName ? template : path.resolve(cwd, template);
}

/** Prints what a run does, as its options ask. */
export function makeListener(options: OutputOptions, io: CliIo): RunListener {
  const progress = new ProgressLine(io, options.json);
  return (event) => {
    progress.listen(event);
    if ("run" in event)
      io.setLastWords?.(event.run.state === "finished" ? undefined : goOnWords(event.run, io));
    if (options.json) for (const turn of endedTurns(event)) printJson(io, turnToJson(turn));
    if (event.type === "log" && isWanted(event, options)) {
      progress.clear();
      if (event.level === "warn" || event.level === "error") warn(io, event.message);
      else io.err(`${event.message.trimEnd()}\n`);
    }
  };
}

/** Turns of which nothing more will be told. */
function endedTurns(event: RunEvent): readonly Turn[] {
  if (event.type === "turn-finished") return [event.turn];
  return event.type === "run-finished" ? untakenTurns(event.run) : [];
}

/** Turns that a run was to take and did not come to. */
export function untakenTurns(run: Run): Turn[] {
  return run.problems.flatMap(({ turns }) => turns).filter(({ verdict }) => verdict === "not-reached");
}

/** Whether a log entry is for the user, by what was asked for. */
export function isWanted(
  { level }: Extract<RunEvent, { type: "log" }>,
  options: Pick<RunOptions, "verbose" | "debug">,
): boolean {
  switch (level) {
    case "warn":
    case "error":
      return true;
    case "info":
      return options.verbose || options.debug;
    case "debug":
      return options.debug;
  }
}

/** Prints a run as a table, with reasons and failed tests below. */
async function printRun(run: Run, io: CliIo): Promise<void> {
  for (const trajectory of run.problems) {
    printLine(io, runHeading(run, trajectory));
    printLine(io);
    for (const line of renderTable(trajectoryTable(trajectory))) printLine(io, line);
    const notes = [notAskedLine(trajectory) ?? [], reasonLines(trajectory), ownTestsLines(trajectory)];
    printBelow(notes.flat(), io);
    for (const kept of trajectory.turns) {
      // What went wrong in a turn of an earlier process is only in its folder.
      const isBare = failedTests(kept).some(({ message }) => message === undefined);
      const turn = isBare ? { ...kept, outcomes: await readOutcomes(kept) } : kept;
      printBelow(failedTestLines(turn, path.join(turn.folder, "evaluation", "report.json")), io);
    }
  }
  printLine(io);
  printLine(io, `run folder: ${run.folder}`);
}

/** A block of its own, when there is something to say. */
function printBelow(lines: readonly string[], io: CliIo): void {
  if (lines.length > 0) printLine(io);
  for (const line of lines) printLine(io, line);
}

/** Verdicts are data; only a turn that could not be judged and an interrupt are told by the exit code. */
function exitCodeOf(run: Run): number {
  if (run.state === "cancelled") return EXIT.interrupted;
  const turns = run.problems.flatMap((trajectory) => trajectory.turns);
  return turns.some(({ verdict }) => verdict === "infrastructure") ? EXIT.trouble : EXIT.ok;
}
