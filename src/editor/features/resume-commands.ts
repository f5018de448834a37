import * as vscode from "vscode";
import { SlopLensError } from "../../core/model/errors.js";
import { DEFAULT_POLICY } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import type { Turn } from "../../core/model/turn.js";
import type { ProblemRun, Run } from "../../core/model/run.js";
import { attemptLabel } from "../../core/report/run-label.js";
import { storedAgent } from "../../core/trajectory/stored-agent.js";
import { COMMANDS } from "../ids.js";
import { problemNamed, type LibraryState } from "../library/state.js";
import { resumeLines } from "../product.js";
import { askTo } from "../run/ask-to.js";
import { askMissing } from "../run/choose-program.js";
import { chooseAgent, placeOf, planOf, refuseUntrusted, type RunChoices } from "../run/choose.js";
import { choosePolicy } from "../run/choose-policy.js";
import type { AgentChoice, RunPlan, RunToResume } from "../run/plan.js";
import type { Choice } from "../run/questions.js";
import type { Feature, Services } from "../services.js";
import { checkpointLabel, startWords, stateWords } from "../words.js";
import { registerCommands } from "./commands.js";
import { checkpointOf, targetOf } from "./targets.js";

/** Resume Run…, Run Checkpoint Again…, Fork From Here…. */
export const resumeCommands: Feature = (services) =>
  registerCommands(services.errors, {
    [COMMANDS.resumeRun]: async (value) => {
      const target = targetOf(value);
      const asked = target?.kind === "run" ? target : undefined;
      const chosen = await askTo(services, vscode.l10n.t("Resume Run"), async (choices) => {
        const part = asked ?? (await chooseRunToResume(choices));
        return part === undefined ? undefined : planToResume(choices, part, []);
      });
      if (chosen !== undefined) await resume(services, chosen);
    },
    [COMMANDS.rerunCheckpoint]: async (value) => {
      const { run, turn } = checkpointOf(value) ?? {};
      const part = run?.problems.find(({ problem }) => problem === turn?.problem);
      if (run === undefined || turn === undefined || part === undefined) return;
      const chosen = await askTo(services, vscode.l10n.t("Run Checkpoint Again"), (choices) =>
        planToResume(choices, { run, part }, [turn.checkpoint]),
      );
      if (chosen !== undefined) await resume(services, chosen);
    },
    [COMMANDS.forkRun]: (value) => fork(services, value),
  });

interface Part {
  readonly run: Run;
  readonly part: ProblemRun;
}

interface PartPlan extends Part {
  readonly plan: RunPlan & { readonly resume: RunToResume };
}

async function chooseRunToResume({ ask, state }: RunChoices): Promise<Part | undefined> {
  const items = state.runs
    .filter((run) => run.state !== "running")
    .flatMap((run) => run.problems.map((part): Part => ({ run, part })))
    .map(({ run, part }): Choice<Part> => ({
      label: `${part.problem}: ${attemptLabel(run)}`,
      description: [stateWords(run.state), startWords(run.startedAt)].join(" · "),
      value: { run, part },
    }));
  if (items.length === 0)
    throw new SlopLensError("bad-input", vscode.l10n.t("There is no run that could be resumed"));
  const placeHolder = vscode.l10n.t("Choose a run to go on with. Its plan is shown first");
  return ask.pick({ id: "resumed", step: vscode.l10n.t("Run"), placeHolder }, items);
}

async function planToResume(
  choices: RunChoices,
  { run, part }: Part,
  redo: readonly string[],
): Promise<PartPlan | undefined> {
  refuseUntrusted();
  const problem = packOf(choices.state, part);
  const agent = await agentOfRun(choices, run, problem);
  if (agent === undefined) return undefined;
  const resumed = { folder: part.folder, redo };
  return { run, part, plan: { ...planOf(problem, agent, run.policy ?? DEFAULT_POLICY), resume: resumed } };
}

async function resume({ library, runner, files }: Services, { run, part, plan }: PartPlan): Promise<void> {
  const lines = await resumeLines(files, plan);
  if (lines === undefined) {
    await vscode.window.showInformationMessage(vscode.l10n.t("Nothing is left to do in this run."));
    return;
  }
  const [again] = plan.resume.redo;
  const go = again === undefined ? vscode.l10n.t("Resume") : vscode.l10n.t("Run Again");
  const question =
    again === undefined
      ? vscode.l10n.t("Resume {0} on {1}?", attemptLabel(run), part.problem)
      : vscode.l10n.t(
          "Run {0} of {1} on {2} again?",
          checkpointLabel(again).toLowerCase(),
          attemptLabel(run),
          part.problem,
        );
  const detail = lines.join("\n");
  const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, go);
  if (chosen !== go) return;
  library.select(run.folder);
  void runner.start(plan);
}

async function fork(services: Services, value: unknown): Promise<void> {
  const { run, turn } = checkpointOf(value) ?? {};
  if (run === undefined || turn === undefined) return;
  const problem = packOf(services.library.state, turn);
  if (problem.checkpoints.at(-1)?.name === turn.checkpoint) {
    throw new SlopLensError(
      "bad-input",
      vscode.l10n.t(
        "{0} is the last one, so there is nothing to go on with",
        checkpointLabel(turn.checkpoint),
      ),
      vscode.l10n.t("Fork from an earlier one."),
    );
  }
  const title = vscode.l10n.t("Fork From {0}", checkpointLabel(turn.checkpoint));
  const plan = await askTo(services, title, async (choices) => {
    refuseUntrusted();
    const agent = await chooseAgent(choices, problem);
    if (agent === undefined) return undefined;
    const { base, settings } = placeOf(problem);
    const seconds = settings.agentTimeoutSeconds;
    const policy = await choosePolicy(choices.ask, { base, seconds }, true);
    if (policy === undefined) return undefined;
    const start = { kind: "snapshot", run: run.folder, turn: turn.id } as const;
    return planOf(problem, agent, { ...policy, start });
  });
  if (plan !== undefined) void services.runner.start(plan);
}

function packOf(
  state: LibraryState,
  { problem: name, folder }: Pick<Turn | ProblemRun, "problem" | "folder">,
): Problem {
  const problem = problemNamed(state, name, folder);
  if (problem !== undefined) return problem;
  const hint = vscode.l10n.t("Open the folder that holds the pack.");
  throw new SlopLensError("bad-input", vscode.l10n.t("The pack of {0} is not in this window", name), hint);
}

/** The agent that a run's record names; what is not known here, or not told enough of, is asked for. */
async function agentOfRun(
  choices: RunChoices,
  { agent }: Run,
  problem: Problem,
): Promise<AgentChoice | undefined> {
  const { ask, host } = choices;
  const stored = storedAgent(agent);
  if (stored?.kind === "replay") return stored.source;
  if (stored?.kind === "command") return stored;
  const known = stored === undefined ? [] : await host.agentsIn(placeOf(problem).base);
  const definition = known.find(({ name }) => name === stored?.name);
  if (stored === undefined || definition === undefined) return chooseAgent(choices, problem);
  if (!(await askMissing(ask, definition, host.keys))) return undefined;
  return { kind: "program", definition, model: stored.model, thinking: stored.thinking, keys: host.keys };
}
