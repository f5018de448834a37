import path from "node:path";
import { stringify } from "yaml";
import type { Environment } from "../model/environment.js";
import type { RunPolicy } from "../model/policy.js";
import type { Checkpoint, Problem } from "../model/problem.js";
import type { RunAgent } from "../model/run.js";
import type { Redactor } from "./redact.js";

type Document = Readonly<Record<string, unknown>>;

/** Who provides the model, in `config.yaml` of a run of ours. */
export const OWN_PROVIDER = "slop-lens";

/** YAML that PyYAML reads as it is meant: `on`, `1:30` and the like are quoted. */
export function yamlText(document: Document): string {
  return stringify(document, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false });
}

/** What the documents of a run need to know of it. */
export interface RunSetting {
  readonly agent: RunAgent;
  readonly environment: Environment;
  readonly prompt: { readonly name: string; readonly source: string };
  readonly policy: RunPolicy;
}

/** SCB's `config.yaml`: the run as it was asked for. */
export function configDocument(
  run: RunSetting,
  problems: readonly Problem[],
  folderName: string,
  redactor: Redactor,
): Document {
  const { agent } = run;
  const detail = agent.detail === undefined ? undefined : redactor.command(agent.detail);
  return {
    agent: { type: agent.type, version: agent.version ?? null, ...(detail === undefined ? {} : { detail }) },
    agent_config_path: null,
    environment: environmentDocument(run.environment, redactor),
    environment_config_path: null,
    model: { name: modelName(agent), provider: OWN_PROVIDER },
    one_shot: { enabled: false, prefix: "", include_first_prefix: false },
    output_path: folderName,
    pass_policy: run.policy.pass,
    problems: problems.map(({ name }) => name),
    prompt_content: run.prompt.source,
    prompt_path: `${run.prompt.name}.jinja`,
    save_dir: "",
    save_template: folderName,
    thinking: null,
    thinking_max_tokens: null,
  };
}

/** SCB asks for a model; an agent without one stands for itself. */
export function modelName(agent: RunAgent): string {
  return agent.model ?? agent.type;
}

/** SCB's `environment.yaml`, with all defaults filled in. */
export function environmentDocument(environment: Environment, redactor: Redactor): Document {
  const { setup, commands, snapshot, docker, local } = environment;
  return {
    type: environment.type,
    name: environment.name,
    environment: { env: redactor.variables(environment.env), include_os_env: environment.includeOsEnv },
    setup: {
      commands: setup.commands.map((command) => redactor.command(command)),
      eval_commands: setup.evalCommands.map((command) => redactor.command(command)),
      resume_commands: setup.resumeCommands.map((command) => redactor.command(command)),
    },
    commands: {
      entry_file: commands.entryFile,
      command: commands.command,
      agent_command: commands.agentCommand ?? null,
    },
    snapshot: {
      keep_globs: snapshot.keepGlobs ?? null,
      ignore_globs: snapshot.ignoreGlobs,
      compression: "gz",
      archive_save_dir: null,
    },
    ...(docker === undefined ? {} : { docker: dockerDocument(docker) }),
    ...(environment.type === "local"
      ? { local: { requires_tty: local.requiresTty, shell: local.shell ?? null } }
      : {}),
  };
}

function dockerDocument(docker: NonNullable<Environment["docker"]>): Document {
  return {
    image: docker.image,
    binary: "docker",
    workdir: docker.workdir,
    mount_workspace: true,
    extra_mounts: docker.extraMounts,
    network: docker.network ?? null,
    user: docker.user ?? null,
  };
}

/** SCB's `problem.yaml`: the pack's configuration with everything inherited spelled out. */
export function problemDocument(problem: Problem, redactor: Redactor): Document {
  const checkpoints = problem.checkpoints.map((checkpoint): [string, Document] => [
    checkpoint.name,
    checkpointDocument(checkpoint, redactor),
  ]);
  const assets = problem.staticAssets.map(({ name, source, savePath }): [string, Document] => [
    name,
    { path: path.relative(problem.folder, source).split(path.sep).join("/"), save_path: savePath },
  ]);
  const markers = problem.markers.map(({ name, description, group }): [string, Document] => [
    name,
    { description, group },
  ]);
  return {
    name: problem.name,
    version: problem.version,
    description: problem.description,
    tags: problem.tags,
    author: problem.author ?? null,
    category: problem.category,
    difficulty: problem.difficulty,
    entry_file: problem.entryFile,
    checkpoints: Object.fromEntries(checkpoints),
    static_assets: Object.fromEntries(assets),
    markers: Object.fromEntries(markers),
    test_dependencies: problem.testDependencies,
    path: problem.folder,
  };
}

/** SCB's `checkpoint.yaml`. */
export function checkpointDocument(checkpoint: Checkpoint, redactor: Redactor): Document {
  return {
    name: checkpoint.name,
    version: checkpoint.version,
    order: checkpoint.order,
    state: checkpoint.state,
    env: redactor.variables(checkpoint.env),
    timeout: checkpoint.timeoutSeconds ?? null,
    include_prior_tests: checkpoint.includePriorTests,
  };
}
