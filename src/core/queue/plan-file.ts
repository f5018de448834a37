import { readFile } from "node:fs/promises";
import path from "node:path";
import { SlopLensError } from "../model/errors.js";
import { DEFAULT_LIMITS, PASS_POLICIES } from "../model/policy.js";
import { YamlSource, type YamlMap } from "../problem/yaml-source.js";
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
const KINDS = ["reference", "replay", "command", "agent"];
const AGENT_KEYS = ["name", ...KINDS, "model", "thinking", "pass_env", "timeout"];
const GIB = 1024 ** 3;

/**
 * Reads a queue from a YAML file. Relative paths in it start at its own folder.
 * @throws SlopLensError bad-input with `file:line:column` of the first fault
 */
export async function readPlanFile(file: string): Promise<QueuePlan> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new SlopLensError("bad-input", `The queue file ${file} cannot be read`, "Check the path.", {
      cause: error,
    });
  });
  return parsePlan(text, file);
}

/** {@link readPlanFile} for the text of a file. @throws SlopLensError bad-input */
export function parsePlan(text: string, file: string): QueuePlan {
  const source = new YamlSource(file, text);
  const root = source.root();
  if (root === undefined) source.fault("A queue must be a mapping", { line: 1, column: 1 });
  const plan = root === undefined || source.hasErrors ? undefined : readRoot(root, path.dirname(file));
  const [first] = source.faults.filter(({ severity }) => severity === "error");
  if (plan !== undefined && first === undefined) return plan;
  const { line = 1, column = 1, message = "Not a queue" } = first ?? {};
  throw new SlopLensError("bad-input", `${file}:${line}:${column}: ${message}`, "Correct the queue file.");
}

function readRoot(root: YamlMap, base: string): QueuePlan {
  root.rejectUnknown(KEYS);
  root.require("problems");
  root.require("agents");
  const memory = root.positiveNumber("memory");
  return {
    problems: root.texts("problems") ?? [],
    base,
    agents: readAgents(root, base),
    attempts: readCount(root, "attempts") ?? PLAN_DEFAULTS.attempts,
    jobs: readCount(root, "jobs"),
    memoryBytes: memory === undefined ? PLAN_DEFAULTS.memoryBytes : Math.round(memory * GIB),
    policy: root.oneOf("policy", PASS_POLICIES) ?? PLAN_DEFAULTS.policy,
    environment: pathOf(root.text("environment"), base),
    image: root.text("image"),
    template: pathOf(root.text("template"), base) ?? PLAN_DEFAULTS.template,
    runs: path.resolve(base, root.text("runs") ?? "runs"),
    checkpoints: root.texts("checkpoints"),
  };
}

function readCount(root: YamlMap, key: string): number | undefined {
  const number = root.wholeNumber(key);
  if (number === undefined || number >= 1) return number;
  root.fault(`"${key}" must be at least 1`, key);
  return undefined;
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
      return agentOfWord(item, base, { passEnv: [], timeoutSeconds: DEFAULT_LIMITS.seconds });
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
  return { name: map.text("name") ?? usualName(source), source };
}

function readSource(map: YamlMap, base: string): QueueAgent["source"] | undefined {
  const [key, more] = KINDS.filter((kind) => map.has(kind));
  if (key === undefined || more !== undefined) {
    map.fault("An agent has one of reference, replay, command and agent", more ?? "name");
    return undefined;
  }
  if (key === "reference") {
    if (map.flag("reference") !== true) map.fault('"reference" must be true', key);
    return { kind: "reference" };
  }
  const value = map.requiredText(key);
  if (value === undefined) return undefined;
  if (key === "replay") return { kind: "replay", folder: path.resolve(base, value) };
  if (key === "agent") {
    const limits = { timeoutSeconds: readTimeout(map) };
    return namedAgent(value, map.text("model"), base, limits, map.text("thinking"));
  }
  return {
    kind: "command",
    command: value,
    passEnv: map.texts("pass_env") ?? [],
    timeoutSeconds: readTimeout(map),
  };
}

/** 0 is no limit. */
function readTimeout(map: YamlMap): number | undefined {
  if (!map.has("timeout")) return DEFAULT_LIMITS.seconds;
  return map.peek("timeout") === "0" || map.wholeNumber("timeout") === 0
    ? undefined
    : map.positiveNumber("timeout");
}
