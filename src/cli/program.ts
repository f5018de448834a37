import { Command, Option } from "commander";
import { DEFAULT_PROFILE, PROFILES } from "../core/model/quality.js";
import { agentHelp, EXCLUDE_HELP, help, QUEUE_HELP } from "./help.js";
import { analyzeCommand, type AnalyzeOptions } from "./commands/analyze.js";
import type { ExplainOptions } from "./commands/explain.js";
import type { AgentsOptions } from "./commands/agents.js";
import type { EvalOptions } from "./commands/eval.js";
import type { ProblemsOptions } from "./commands/problems.js";
import type { QueueOptions } from "./queue-plan.js";
import type { ResumeOptions } from "./commands/resume.js";
import type { RunOptions } from "./commands/run.js";
import type { ScoresOptions } from "./commands/scores.js";
import type { RulesOptions } from "./commands/rules.js";
import { TRANSCRIPT_OUTPUTS, type TranscriptOptions } from "./transcript-options.js";
import { EXIT, exitCodeFor } from "./exit.js";
import type { Installation } from "./installation.js";
import { type CliIo, warn } from "./io.js";
import { addModelOptions } from "./model-options.js";
import { checkpointNames, gather, numberOf } from "./option-values.js";
import { addPolicyOptions } from "./policy-choice.js";
import { addRuleOptions } from "./rule-choice.js";
import { refuseEmpty, refuseForgotten, usageTrouble } from "./usage.js";

/**
 * Runs the command with its arguments (without node and script).
 * @returns exit code: 0, 1 when a pack has an error, 2 on bad input or trouble of the machinery, 130 when interrupted
 */
export async function runCli(
  args: readonly string[],
  io: CliIo,
  installation: Installation,
): Promise<number> {
  const outcome = { code: EXIT.ok as number };
  const program = buildProgram(args, io, installation, (code) => {
    outcome.code = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return outcome.code;
  } catch (error) {
    return exitCodeFor(error, io, args.includes("--debug"));
  }
}

type SetCode = (code: number) => void;

/** The command with all its options; what it does is not begun. */
export function buildProgram(
  args: readonly string[],
  io: CliIo,
  installation: Installation,
  setCode: SetCode,
): Command {
  const program = new Command(io.program)
    .description("Run SlopCodeBench trajectories, see hidden-test outcomes, and measure how code erodes.")
    .version(installation.version)
    .option("--debug", "print the stack of an error, and what the loop does")
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text) => {
        warn(io, usageTrouble(text, args, program, io));
      },
    })
    .hook("preAction", (_program, command) => {
      refuseEmpty(command);
      refuseForgotten(command);
    })
    .showSuggestionAfterError()
    .addHelpText("after", help(io.program));
  addRun(program, io, installation, setCode);
  addAgents(program, io, installation, setCode);
  addQueue(program, io, installation, setCode);
  addResume(program, io, installation, setCode);
  addEval(program, io, installation, setCode);
  addAnalyze(program, io, installation);
  addExplain(program, io, installation);
  addRules(program, io, installation, setCode);
  addProblems(program, io, installation, setCode);
  addScores(program, io);
  addTranscript(program, io);
  return program;
}

function addRun(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  const command = program
    .command("run")
    .summary("take a trajectory through a problem")
    .description("Takes the checkpoints of PROBLEM one after the other and leaves a run folder.")
    .argument("<problem>", "folder of a problem pack, or its name")
    .option(
      "--agent <agent>",
      `what takes the turns: reference, replay, command, model, an agent's name (${io.program} agents lists them) or its YAML file`,
      "replay",
    )
    .option("--thinking <choice>", "how much the agent thinks, by the name of one of its choices")
    .option(
      "--replay <folder>",
      "with --agent replay: recorded solutions or an earlier run (default: the pack's solutions)",
    )
    .option(
      "--command <command>",
      "shell command of the agent; the prompt is on stdin and in $SLOP_LENS_PROMPT_FILE",
    )
    .option("--pass-env <name>", "give the agent this variable of yours; may be repeated", gather)
    .option("--template <name>", "prompt template, by name or file", "just-solve")
    .option("--runs <folder>", "where the run folder is made (default: runs)")
    .option("--checkpoints <range>", "only these, for example 1-3", checkpointNames)
    .addOption(profileOption())
    .option("--fail-on-failed", "exit with 1 when a checkpoint did not pass, for CI", false)
    .option("--json", "print one JSON object a turn", false)
    .option("--verbose", "print the agent's output on standard error", false);
  addPlaceOptions(addModelOptions(addPolicyOptions(command))).addHelpText("after", agentHelp(io.program));
  command.action(async (problem: string, _options, self: Command) => {
    const { runCommand } = await import("./trajectories.js");
    setCode(await runCommand(problem, self.optsWithGlobals<RunOptions>(), io, installation));
  });
}

function addAgents(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  program
    .command("agents")
    .summary("list the agents that take trajectories, and whether their keys are set")
    .description(
      "Lists the agents that come with Slop Lens and those in .slop-lens/agents, with what they need. Shows names of " +
        "variables, never their values. Exit code 1 when an agent's file has an error.",
    )
    .argument("[name]", "only this agent")
    .option("--json", "print one JSON object an agent", false)
    .action(async (name: string | undefined, _options, self: Command) => {
      const { agentsCommand } = await import("./trajectories.js");
      setCode(await agentsCommand(name, self.optsWithGlobals<AgentsOptions>(), io, installation));
    });
}

function addQueue(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  const command = program
    .command("queue")
    .summary("take many trajectories, several at once")
    .description(
      "Takes every PROBLEM by every agent, as many at once as cores and memory allow, or all that a YAML file names. " +
        "Leaves run folders, and beside them the queue's own file, with which an interrupted one goes on.",
    )
    .argument("[problems...]", "folders or names of problem packs, or one YAML file with the whole queue")
    .addOption(
      new Option(
        "--agent <agent>",
        "reference, replay:FOLDER, command:'…', model[:MODEL], or an agent[:MODEL]; may be repeated",
      ).argParser(gather),
    )
    .option(
      "--jobs <number>",
      "at once at most (default: one a core, and 4 GiB of memory each)",
      numberOf("jobs"),
    )
    .option(
      "--memory <GiB>",
      "what one is counted with, and an agent's container may take (default: 4)",
      numberOf("gibibytes"),
    )
    .option(
      "--resume [file]",
      "go on with what did not finish (default: the newest queue in the runs folder); environment, image, jobs and memory can be given anew",
    )
    .option("--pass-env <name>", "give command agents this variable of yours; may be repeated", gather)
    .option("--template <name>", "prompt template, by name or file (default: just-solve)")
    .option("--runs <folder>", "where run folders are made (default: runs)")
    .option("--checkpoints <range>", "only these, for example 1-3", checkpointNames)
    .addOption(profileOption())
    .option("--json", "print one JSON object a turn and one a trajectory", false)
    .option("--verbose", "print the agents' output on standard error", false);
  addPlaceOptions(addModelOptions(addPolicyOptions(command))).addHelpText("after", QUEUE_HELP);
  command.action(async (problems: string[], _options, self: Command) => {
    const { queueCommand } = await import("./trajectories.js");
    setCode(await queueCommand(problems, self.optsWithGlobals<QueueOptions>(), io, installation));
  });
}

function addResume(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  const command = program
    .command("resume")
    .summary("go on with a run that did not come to its end")
    .description(
      "Shows for each checkpoint of RUN what is kept, redone or taken, and why; then does it in the same folder. What is " +
        "redone is moved aside, nothing is deleted. Also for runs of slop-code, with the agent given anew.",
    )
    .argument("<run>", "a run folder; of one with several problems RUN/PROBLEM")
    .option("--dry-run", "show the plan and do nothing", false)
    .option("--yes", "go on without a question", false)
    .addOption(
      new Option("--agent-errors <what>", "turns whose agent failed or ran out of time")
        .choices(["retry", "keep"])
        .default("retry"),
    )
    .option("--redo <range>", "take these anew, for example 2 or 2-3", checkpointNames)
    .option("--problem <problem>", "the problem's pack (default: where it was)")
    .option("--agent <agent>", "what takes the turns: as for run (default: the run's own)")
    .option("--thinking <choice>", "how much the agent thinks, by the name of one of its choices")
    .option("--replay <folder>", "with --agent replay: recorded solutions or an earlier run")
    .option("--command <command>", "with --agent command: shell command of the agent")
    .option("--pass-env <name>", "give the agent this variable of yours; may be repeated", gather)
    .option("--template <name>", "prompt template (default: the run's own)")
    .addOption(profileOption())
    .option("--json", "print one JSON object a planned checkpoint and one a turn", false)
    .option("--verbose", "print the agent's output on standard error", false);
  addPlaceOptions(addModelOptions(command)).action(async (run: string, _options, self: Command) => {
    const { resumeCommand } = await import("./trajectories.js");
    setCode(await resumeCommand(run, self.optsWithGlobals<ResumeOptions>(), io, installation));
  });
}

function addEval(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  const command = program
    .command("eval")
    .summary("run hidden tests on a folder, or again on a run's snapshots")
    .description(
      "With --checkpoint: runs that checkpoint's hidden tests on the folder TARGET. Without: runs them on every " +
        "snapshot of the run folder TARGET and compares with what it holds. Writes nothing.",
    )
    .argument("<target>", "a folder with a solution, or a run folder")
    .option("--problem <problem>", "problem pack; for a run also a folder of packs")
    .option("--checkpoint <name>", "checkpoint whose tests are run, by name or number")
    .option("--checkpoints <range>", "only these checkpoints of a run", checkpointNames)
    .option("--json", "print one JSON object a snapshot", false);
  addPlaceOptions(command).action(async (target: string, _options, self: Command) => {
    const { evalCommand } = await import("./trajectories.js");
    setCode(await evalCommand(target, self.optsWithGlobals<EvalOptions>(), io, installation));
  });
}

function addAnalyze(program: Command, io: CliIo, installation: Installation): void {
  const command = program
    .command("analyze")
    .summary("measure erosion, verbosity, complexity and clones")
    .description("Measures all PATHS together, clones across them included.")
    .argument("<paths...>", "files and folders")
    .addOption(
      new Option(
        "--exclude <glob>",
        "leave out what matches, beside tools, builds and foreign packages; may be repeated",
      ).argParser(gather),
    );
  addRuleOptions(command)
    .addOption(profileOption())
    .option("--json", "print scb-check's keys, and every function, clone and match", false)
    .option("--cache <folder>", "keep measures there, and use what is kept (default: the user's cache)")
    .option("--no-cache", "measure everything, keep nothing")
    .addHelpText("after", EXCLUDE_HELP)
    .action(async (paths: string[], _options, self: Command) => {
      await analyzeCommand(paths, self.optsWithGlobals<AnalyzeOptions>(), io, installation);
    });
}

function addRules(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  const command = program
    .command("rules")
    .summary("list the rules, or show one with its examples")
    .description(
      "Lists the rules with their languages, families and messages, and what is wrong with those that cannot be used. " +
        "With an ID: shows the rules of that id. Exit code 1 when a rule or a file of rules has an error.",
    )
    .argument("[id]", "only this rule, with its note and its examples");
  addRuleOptions(command)
    .option("--json", "print one JSON object a rule", false)
    .action(async (id: string | undefined, _options, self: Command) => {
      const { rulesCommand } = await import("./commands/rules.js");
      setCode(await rulesCommand(id, self.optsWithGlobals<RulesOptions>(), io, installation));
    });
}

function addExplain(program: Command, io: CliIo, installation: Installation): void {
  program
    .command("explain")
    .summary("open a callable's numbers to the lines that they are made of")
    .description(
      "Tells line by line what adds to the cyclomatic and to the cognitive complexity of the callables of FILE, and " +
        "what each is of the file's mass and erosion.",
    )
    .argument("<file>", "a source file")
    .argument("[callable]", "only this: a name, a qualified name such as Shelf.add, or a line inside")
    .addOption(profileOption())
    .option("--json", "print one JSON object", false)
    .action(async (file: string, callable: string | undefined, _options, self: Command) => {
      const { explainCommand } = await import("./commands/explain.js");
      await explainCommand(file, callable, self.optsWithGlobals<ExplainOptions>(), io, installation);
    });
}

function profileOption(): Option {
  return new Option("--profile <profile>", "release of the metric definitions")
    .choices(PROFILES)
    .default(DEFAULT_PROFILE);
}

function addProblems(program: Command, io: CliIo, installation: Installation, setCode: SetCode): void {
  program
    .command("problems")
    .summary("list problem packs and what is wrong in them")
    .description(
      "Lists problem packs and what is wrong in them. Exit code 1 when a pack has an error; warnings leave it at 0.",
    )
    .argument("[folder]", "a pack, or a folder that holds packs", ".")
    .option("--json", "print one JSON object a pack", false)
    .action(async (folder: string, _options, self: Command) => {
      const { problemsCommand } = await import("./trajectories.js");
      setCode(await problemsCommand(folder, self.optsWithGlobals<ProblemsOptions>(), io, installation));
    });
}

function addScores(program: Command, io: CliIo): void {
  program
    .command("scores")
    .summary("score runs over several attempts and problems")
    .description(
      "Scores all runs below FOLDERS, those of one agent (name, version, model, command or setting) and prompt together, " +
        "each run an attempt: strict, isolated, " +
        "core and partial over turns; MT@k, completion, aptitude, consistency and unbiased pass@k over attempts. " +
        "Behind an attempt's first failed checkpoint nothing counts.",
    )
    .argument("<folders...>", "run folders, or folders that hold some")
    .option("--k <attempts>", "attempts that MT@k, completion and pass@k look at", numberOf("attempts"), 4)
    .addOption(
      new Option("--passed-by <score>", "the score by which a checkpoint of an attempt is passed")
        .choices(["strict", "isolated", "core"])
        .default("strict"),
    )
    .option("--json", "print one JSON array", false)
    .action(async (folders: string[], _options, self: Command) => {
      const { scoresCommand } = await import("./trajectories.js");
      await scoresCommand(folders, self.optsWithGlobals<ScoresOptions>(), io);
    });
}

function addTranscript(program: Command, io: CliIo): void {
  program
    .command("transcript")
    .summary("read what an agent did, whatever agent it was")
    .description(
      "Prints the transcripts of PLACE: messages, thoughts, tool calls with their answers, tokens and cost, and what an " +
        "auditor should look at. Reads what slop-code keeps of its agents, what ours leave, and ATIF.",
    )
    .argument(
      "<place>",
      "a run folder, a problem or a checkpoint in it, an agent's folder, or a transcript file",
    )
    .addOption(
      new Option(
        "--format <format>",
        "text, json (our model) or atif (Harbor's trajectories); of several: one a line",
      )
        .choices(TRANSCRIPT_OUTPUTS)
        .default("text"),
    )
    .action(async (place: string, _options, self: Command) => {
      const { transcriptCommand } = await import("./trajectories.js");
      await transcriptCommand(place, self.optsWithGlobals<TranscriptOptions>(), io);
    });
}

function addPlaceOptions(command: Command): Command {
  return command
    .option(
      "--environment <environment>",
      "docker, local, or an environment YAML file (default: docker, or local without an engine)",
    )
    .option("--image <image>", "Docker image instead of the environment's; Python 3.9 or newer");
}
