import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import type { AgentSource } from "../agent/agent-source.js";
import type { Prices } from "../agent/tool-loop/prices.js";
import type { RunPolicy } from "../model/policy.js";
import { withAttempts } from "../model/policy-attempts.js";
import { readingTrouble, readText } from "../model/read-text.js";
import { errorLine, YamlSource, type YamlMap } from "../problem/yaml-source.js";
import { findPolicy } from "../trajectory/policy-file.js";
import { agentOfWord, namedAgent, usualName } from "./agent-word.js";
import { PLAN_DEFAULTS, type QueueAgent, type QueuePlan } from "./queue-plan.js";

const KEYS = [
  "problems",
  "agents",
  "attempts",
  "jobs",
  "memory",
  "policy",
  "environment",
  "image",
  "template",
  "runs",
  "checkpoints",
];
const KINDS = ["reference", "replay", "command", "agent", "endpoint"];
const AGENT_KEYS = [
  ...["name", ...KINDS, "model", "thinking", "pass_env", "timeout"],
  ...["key_env", "context", "prices"],
];
const GIB = 1024 ** 3;

/**
 * Reads a queue from a YAML file. Relative paths in it start at its own folder.
 * @param workspace whose policies are found by their names
 * @throws SlopLensError bad-input with `file:line:column` of all faults
 */
export async function readPlanFile(file: string, workspace: string): Promise<QueuePlan> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SlopLensError(
      "bad-input",
      `The queue file ${file} ${readingTrouble(error)}`,
      "Check the path.",
      {
        cause: error,
      },
    );
  });
  return parsePlan(text, file, workspace);
}

/** {@link readPlanFile} for the text of a file. @throws SlopLensError bad-input */
export async function parsePlan(text: string, file: string, workspace: string): Promise<QueuePlan> {
  const source = new YamlSource(file, text);
  const root = source.root();
  if (root === undefined) source.fault("A queue must be a mapping", { line: 1, column: 1 });
  const plan =
    root === undefined || source.hasErrors ? undefined : await readRoot(root, path.dirname(file), workspace);
  const errors = errorLine(file, source.faults);
  if (plan !== undefined && errors === undefined) return plan;
  throw new SlopLensError("bad-input", errors ?? `${file} is no queue`, "Correct the queue file.");
}

async function readRoot(root: YamlMap, base: string, workspace: string): Promise<QueuePlan> {
  root.rejectUnknown(KEYS);
  root.require("problems");
  root.require("agents");
  const memory = root.amount("memory", "gibibytes");
  return {
    problems: root.texts("problems") ?? [],
    base,
    agents: readAgents(root, base),
    jobs: root.amount("jobs", "jobs"),
    memoryBytes: memory === undefined ? undefined : Math.round(memory * GIB),
    policy: await readPolicy(root, base, workspace),
    environment: pathOf(root.text("environment"), base),
    image: root.text("image"),
    template: pathOf(root.text("template"), base) ?? PLAN_DEFAULTS.template,
    runs: path.resolve(base, root.text("runs") ?? "runs"),
    checkpoints: root.texts("checkpoints"),
  };
}

/** By its name or the path of its file. */
async function readPolicy(root: YamlMap, base: string, workspace: string): Promise<RunPolicy> {
  const policy = root.text("policy");
  try {
    const found = policy === undefined ? PLAN_DEFAULTS.policy : await foundPolicy(policy, base, workspace);
    return withAttempts(found, root.amount("attempts", "attempts"), undefined);
  } catch (error) {
    const { message, hint } = SlopLensError.from(error);
    root.fault(`${message}. ${hint}`, "policy");
    return PLAN_DEFAULTS.policy;
  }
}

function foundPolicy(policy: string, base: string, workspace: string): Promise<RunPolicy> {
  const isFile = /[\\/]|\.ya?ml$/u.test(policy);
  return findPolicy(isFile ? path.resolve(base, policy) : policy, workspace);
}

/** A bare name stays one: environments and templates are also found by name. */
function pathOf(value: string | undefined, base: string): string | undefined {
  return value === undefined || /^[\w-]+$/u.test(value) ? value : path.resolve(base, value);
}

/** A list whose items are words such as `reference`, or mappings. */
function readAgents(root: YamlMap, base: string): QueueAgent[] {
  return root.items("agents", "an agent").flatMap((item) => {
    if (typeof item !== "string") return readAgent(item, base) ?? [];
    try {
      return agentOfWord(item, base, { passEnv: [], model: undefined });
    } catch (error) {
      root.fault(SlopLensError.from(error).message, "agents");
      return [];
    }
  });
}

function readAgent(map: YamlMap, base: string): QueueAgent | undefined {
  map.rejectUnknown(AGENT_KEYS);
  const source = readSource(map, base);
  if (source === undefined) return undefined;
  return {
    name: map.text("name") ?? usualName(source),
    source,
    timeoutSeconds: map.amount("timeout", "seconds"),
  };
}

function readSource(map: YamlMap, base: string): AgentSource | undefined {
  const [key, more] = KINDS.filter((kind) => map.has(kind));
  if (key === undefined || more !== undefined) {
    map.fault("An agent has one of reference, replay, command, agent and endpoint", more ?? "name");
    return undefined;
  }
  if (key === "reference") {
    if (map.flag("reference") !== true) map.fault('"reference" must be true', key);
    return { kind: "reference" };
  }
  const value = map.requiredText(key);
  return value === undefined ? undefined : sourceOf(key, value, map, base);
}

function sourceOf(key: string, value: string, map: YamlMap, base: string): AgentSource | undefined {
  if (key === "replay") return { kind: "replay", folder: path.resolve(base, value) };
  if (key === "agent") return namedAgent(value, map.text("model"), base, map.text("thinking"));
  if (key === "endpoint") return readModel(map, value);
  return { kind: "command", command: value, passEnv: map.texts("pass_env") ?? [] };
}

function readModel(map: YamlMap, endpoint: string): AgentSource | undefined {
  const model = map.requiredText("model");
  if (model === undefined) return undefined;
  return {
    ...{ kind: "model", endpoint, model, keyEnv: map.text("key_env") },
    ...{ contextTokens: map.amount("context", "tokens"), prices: readPrices(map) },
  };
}

/** Dollars for a million tokens. */
function readPrices(map: YamlMap): Prices | undefined {
  const told = map.map("prices", '"prices"');
  told?.rejectUnknown(["input", "output", "cached_input"]);
  const [input, output] = [told?.amount("input", "price"), told?.amount("output", "price")];
  if (told === undefined) return undefined;
  if (input !== undefined && output !== undefined)
    return { input, output, cachedInput: told.amount("cached_input", "price") };
  map.fault('"prices" tells an input and an output', "prices");
  return undefined;
}
