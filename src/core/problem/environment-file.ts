import { SlopLensError } from "../model/errors.js";
import type { DockerSettings, Environment } from "../model/environment.js";
import { readingTrouble, readText } from "../model/read-text.js";
import { DEFAULT_IGNORE_GLOBS } from "./snapshot-filter.js";
import { errorLine, YamlSource } from "./yaml-source.js";
import type { YamlMap } from "./yaml-source.js";

const TYPES: readonly Environment["type"][] = ["docker", "local"];
const COMPRESSIONS = ["gz", "bz2", "xz", "none"] as const;

/**
 * Reads an environment file of SCB's form.
 * @throws SlopLensError bad-input when the file cannot be read, environment-invalid as {@link parseEnvironment}
 */
export async function readEnvironment(file: string): Promise<Environment> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SlopLensError(
      "bad-input",
      `The environment file ${file} ${readingTrouble(error)}`,
      "Check the path.",
      {
        cause: error,
      },
    );
  });
  return parseEnvironment(text, file);
}

/**
 * Reads the text of an environment file. As in SCB, an unknown key is an error.
 * @param file how the text is called in errors
 * @throws SlopLensError environment-invalid with `file:line:column` of all faults
 */
export function parseEnvironment(text: string, file: string): Environment {
  const source = new YamlSource(file, text);
  const root = source.root();
  if (root === undefined) source.fault("An environment must be a mapping", { line: 1, column: 1 });
  const environment = root === undefined || source.hasErrors ? undefined : readRoot(root, text);
  if (environment === undefined || source.hasErrors) throw invalid(source);
  return environment;
}

function invalid(source: YamlSource): SlopLensError {
  const what = errorLine(source.file, source.faults) ?? `${source.file} is no environment`;
  return new SlopLensError("environment-invalid", what, "Correct the environment file.");
}

const SECTIONS = ["type", "name", "environment", "setup", "commands", "snapshot"];

function readRoot(root: YamlMap, source: string): Environment | undefined {
  const type = root.require("type") ? root.oneOf("type", TYPES) : undefined;
  root.rejectUnknown([...SECTIONS, ...(type === undefined ? TYPES : [type])]);
  const name = root.requiredText("name");
  const environment = {
    ...readVariables(root),
    setup: readSetup(root),
    commands: readCommands(root),
    snapshot: readSnapshot(root),
    docker: type === "docker" ? readDocker(root) : undefined,
    local: readLocal(root),
    source,
  };
  return type === undefined || name === undefined ? undefined : { ...environment, type, name };
}

function readVariables(root: YamlMap): Pick<Environment, "env" | "includeOsEnv"> {
  const variables = section(root, "environment", ["env", "include_os_env"]);
  return { env: variables?.textMap("env") ?? {}, includeOsEnv: variables?.flag("include_os_env") ?? false };
}

function section(root: YamlMap, key: string, known: readonly string[]): YamlMap | undefined {
  const map = root.map(key, `"${key}"`);
  map?.rejectUnknown(known);
  return map;
}

function readSetup(root: YamlMap): Environment["setup"] {
  const setup = section(root, "setup", ["commands", "eval_commands", "resume_commands"]);
  return {
    commands: setup?.texts("commands") ?? [],
    evalCommands: setup?.texts("eval_commands") ?? [],
    resumeCommands: setup?.texts("resume_commands") ?? [],
  };
}

function readCommands(root: YamlMap): Environment["commands"] {
  const commands = section(root, "commands", ["entry_file", "command", "agent_command"]);
  const entryFile = commands?.text("entry_file") ?? "{entry_file}";
  const rest = entryFile.replaceAll(/\{\{|\}\}|\{entry_file\}/gu, "");
  if (/[{}]/u.test(rest)) {
    commands?.fault(`"entry_file" may hold {entry_file} and no other field`, "entry_file");
  }
  return {
    entryFile,
    command: commands?.text("command") ?? "python",
    agentCommand: commands?.text("agent_command"),
  };
}

function readSnapshot(root: YamlMap): Environment["snapshot"] {
  const known = ["keep_globs", "ignore_globs", "compression", "archive_save_dir"];
  const snapshot = section(root, "snapshot", known);
  // SCB packs snapshots into archives; here they are plain folders, so these two have no effect.
  snapshot?.oneOf("compression", COMPRESSIONS);
  snapshot?.text("archive_save_dir");
  return {
    keepGlobs: snapshot?.texts("keep_globs"),
    ignoreGlobs: snapshot?.texts("ignore_globs") ?? DEFAULT_IGNORE_GLOBS,
  };
}

function readDocker(root: YamlMap): DockerSettings | undefined {
  if (!root.require("docker")) return undefined;
  const known = ["image", "binary", "workdir", "mount_workspace", "extra_mounts", "network", "user"];
  const docker = section(root, "docker", known);
  if (docker === undefined) return undefined;
  // The engine is spoken to directly, and files are copied in and out: these two have no effect here.
  docker.text("binary");
  docker.flag("mount_workspace");
  return {
    image: docker.requiredText("image") ?? "",
    workdir: docker.text("workdir") ?? "/workspace",
    extraMounts: readMounts(docker),
    network: docker.text("network"),
    user: docker.text("user"),
  };
}

function readMounts(docker: YamlMap): Readonly<Record<string, string>> {
  const mounts: Record<string, string> = {};
  const map = docker.map("extra_mounts", `"extra_mounts"`);
  for (const host of map?.keys ?? []) {
    const target = map === undefined ? undefined : readMount(map, host);
    if (target !== undefined) mounts[host] = target;
  }
  return mounts;
}

/** `container`, `container:mode`, or SCB's long form `{bind: container, mode: ro}`. */
function readMount(mounts: YamlMap, host: string): string | undefined {
  if (!mounts.isMapping(host)) return mounts.text(host);
  const long = mounts.map(host, `the mount of ${host}`);
  long?.rejectUnknown(["bind", "mode"]);
  const target = long?.requiredText("bind");
  const mode = long?.text("mode");
  return target === undefined || mode === undefined ? target : `${target}:${mode}`;
}

function readLocal(root: YamlMap): Environment["local"] {
  const local = section(root, "local", ["requires_tty", "shell"]);
  return { requiresTty: local?.flag("requires_tty") ?? false, shell: local?.text("shell") };
}
