import { readdir } from "node:fs/promises";
import path from "node:path";
import type { AmountKind } from "../model/amounts.js";
import { SlopLensError } from "../model/errors.js";
import {
  DEFAULT_LIMITS,
  isHost,
  PASS_POLICIES,
  type AgentNetwork,
  type Attempts,
  type RunPolicy,
  type TurnLimits,
} from "../model/policy.js";
import { SHIPPED_POLICIES, shippedPolicy } from "../model/shipped-policies.js";
import { readingTrouble, readText } from "../model/read-text.js";
import { suggestion } from "../problem/suggest.js";
import { errorLine, YamlSource, type YamlMap } from "../problem/yaml-source.js";

/** Where a workspace keeps policies of its own. */
export const POLICIES_FOLDER = path.join(".slop-lens", "policies");
/** The policies that a workspace keeps, by file; what cannot be read is in `faults`. */
export async function readPolicies(
  workspace: string,
): Promise<{ readonly policies: readonly RunPolicy[]; readonly faults: readonly SlopLensError[] }> {
  const folder = path.join(workspace, POLICIES_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const policies: RunPolicy[] = [];
  const faults: SlopLensError[] = [];
  for (const name of names.filter((one) => /\.ya?ml$/u.test(one)).sort()) {
    try {
      policies.push(await readPolicyFile(path.join(folder, name)));
    } catch (error) {
      faults.push(SlopLensError.from(error));
    }
  }
  return { policies, faults };
}

/**
 * Finds a policy by its shipped name, the name of one that the workspace keeps, or the path of a file.
 * @throws SlopLensError bad-input
 */
export async function findPolicy(nameOrFile: string, workspace: string): Promise<RunPolicy> {
  const shipped = shippedPolicy(nameOrFile);
  if (shipped !== undefined) return shipped;
  if (/[\\/]|\.ya?ml$/u.test(nameOrFile)) return readPolicyFile(path.resolve(workspace, nameOrFile));
  for (const ending of [".yaml", ".yml"]) {
    const file = path.join(workspace, POLICIES_FOLDER, `${nameOrFile}${ending}`);
    const text = await readText(file).catch(() => undefined);
    if (text !== undefined) return parsePolicy(text, file);
  }
  const own = (await readdir(path.join(workspace, POLICIES_FOLDER)).catch(() => [])).map(
    (name) => path.parse(name).name,
  );
  const known = [...SHIPPED_POLICIES, ...own];
  throw new SlopLensError(
    "bad-input",
    `There is no policy ${nameOrFile}${suggestion(nameOrFile, known)}`,
    `Name one of ${known.join(", ")}, or a YAML file; those in ${POLICIES_FOLDER} are found by their name.`,
  );
}

/** @throws SlopLensError bad-input */
async function readPolicyFile(file: string): Promise<RunPolicy> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SlopLensError("bad-input", `The policy ${file} ${readingTrouble(error)}`, "Check the path.", {
      cause: error,
    });
  });
  return parsePolicy(text, file);
}

const KEYS = ["pass", "attempts", "start", "session", "limits"];

/**
 * Reads the text of a policy; what it leaves out is as in the policy `any`. An unknown key is an error.
 * @param file how the text is called in errors; its name without ending is the policy's
 * @throws SlopLensError bad-input with `file:line:column` of all faults
 */
export function parsePolicy(text: string, file: string): RunPolicy {
  const source = new YamlSource(file, text);
  const root = source.root();
  if (root === undefined) {
    source.fault(`A policy must be a mapping of ${KEYS.join(", ")}`, { line: 1, column: 1 });
  }
  const policy = root === undefined ? undefined : readRoot(root, path.parse(file).name);
  const errors = errorLine(file, source.faults);
  if (errors === undefined && policy !== undefined) return policy;
  throw new SlopLensError(
    "bad-input",
    errors ?? `${file} is no policy`,
    "Correct the policy; docs/POLICIES.md has all its keys.",
  );
}

function readRoot(root: YamlMap, name: string): RunPolicy {
  root.rejectUnknown(KEYS);
  return {
    name,
    pass: root.oneOf("pass", PASS_POLICIES) ?? "any",
    attempts: readAttempts(root),
    start: { kind: root.oneOf("start", ["empty", "reference"]) ?? "empty" },
    session: root.oneOf("session", ["fresh", "continued"]) ?? "fresh",
    limits: readLimits(root),
  };
}

function readAttempts(root: YamlMap): Attempts {
  const map = root.map("attempts", `"attempts"`, "{ independent: 4 }");
  if (map === undefined) return { kind: "single" };
  map.rejectUnknown(["independent", "roundwise", "beam"]);
  const [whole, rounds] = [map.amount("independent", "attempts"), map.amount("roundwise", "attempts")];
  if (rounds === undefined) {
    if (map.has("beam")) map.fault(`"beam" goes with "roundwise"`, "beam");
    return whole === undefined ? { kind: "single" } : { kind: "independent", count: whole };
  }
  if (whole !== undefined) map.fault("Attempts are either independent or roundwise", "roundwise");
  const beam = map.amount("beam", "attempts") ?? 1;
  if (beam > rounds) map.fault(`"beam" must be at most the ${rounds} tries of "roundwise"`, "beam");
  return { kind: "roundwise", count: rounds, beam };
}

/** Each limit's key in a file, its name in the model, and what it counts. */
const LIMITS = {
  seconds: ["seconds", "seconds"],
  steps: ["steps", "steps"],
  cost_usd: ["costUsd", "dollars"],
  problem_cost_usd: ["problemCostUsd", "dollars"],
  idle_seconds: ["idleSeconds", "seconds"],
  memory_bytes: ["memoryBytes", "memoryBytes"],
  cpus: ["cpus", "cpus"],
  pids: ["pids", "pids"],
  disk_bytes: ["diskBytes", "diskBytes"],
  retries: ["retries", "retries"],
} as const satisfies Readonly<Record<string, readonly [keyof TurnLimits, AmountKind]>>;

function readLimits(root: YamlMap): TurnLimits {
  const map = root.map("limits", `"limits"`, "{ seconds: 3600 }");
  if (map === undefined) return DEFAULT_LIMITS;
  map.rejectUnknown([...Object.keys(LIMITS), "network"]);
  const told = Object.entries(LIMITS).flatMap(([key, [name, kind]]) => {
    const amount = map.amount(key, kind);
    return amount === undefined ? [] : [[name, amount === 0 ? undefined : amount] as const];
  });
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(told), network: readNetwork(map) };
}

const NETWORKS = ["bridge", "none"] as const;

function readNetwork(limits: YamlMap): AgentNetwork | undefined {
  if (limits.isList("network")) return { hosts: readHosts(limits) };
  return limits.oneOf("network", NETWORKS, ", or a list of hosts such as [api.example.com]");
}

function readHosts(limits: YamlMap): readonly string[] {
  const hosts = limits.texts("network") ?? [];
  for (const host of hosts.filter((one) => !isHost(one))) {
    limits.fault(
      `"network" lists hosts, api.example.com, host:8080 or "*.example.com", and not ${JSON.stringify(host)}`,
      "network",
    );
  }
  return hosts;
}
