import path from "node:path";
import type { AgentSource } from "../agent/agent-source.js";
import { Fields } from "../model/fields.js";
import { placeOf, storedPlace } from "../store/places.js";
import { policyDocument, policyFault, readPolicy } from "../store/policy-record.js";
import { readRunner, type Runner } from "../store/run-record.js";
import { ITEM_STATES, type ItemState } from "./item.js";
import { PLAN_DEFAULTS, type QueueAgent, type QueuePlan } from "./queue-plan.js";

const SCHEMA = 1;

/** What is kept of an item. */
export interface StoredItem {
  readonly id: string;
  readonly state: ItemState;
  /** Absolute in memory, relative to the file on disk; so are those of `left`. */
  readonly folder: string | undefined;
  readonly left: readonly string[];
  readonly reason: string | undefined;
}

/** What of an item's status is stored. */
export interface KeptItem extends Omit<StoredItem, "id"> {
  readonly item: Pick<StoredItem, "id">;
}

/** A queue as it lies beside the runs that it makes. */
export interface StoredQueue {
  readonly plan: QueuePlan;
  readonly items: readonly StoredItem[];
  readonly runner: Runner | undefined;
}

/** @param file where it is going to lie: places are stored relative to it */
export function queueDocument(
  file: string,
  plan: QueuePlan,
  items: readonly KeptItem[],
  runner: Runner,
): Readonly<Record<string, unknown>> {
  const stored = (folder: string): string => storedPlace(path.dirname(file), folder);
  const word = (nameOrPath: string | undefined): string | undefined =>
    nameOrPath !== undefined && path.isAbsolute(nameOrPath) ? asPath(stored(nameOrPath)) : nameOrPath;
  return {
    schema: SCHEMA,
    plan: {
      ...plan,
      problems: plan.problems.map(word),
      base: undefined,
      runs: undefined,
      environment: word(plan.environment),
      template: word(plan.template),
      policy: policyDocument(plan.policy, path.dirname(file)),
      agents: plan.agents.map(({ name, source, timeoutSeconds }) => ({
        ...{ name, timeoutSeconds },
        ...source,
        ...(source.kind === "replay" ? { folder: stored(source.folder) } : {}),
        ...(source.kind === "named" ? { agent: word(source.agent) } : {}),
      })),
    },
    items: items.map(({ item, state, folder, left, reason }) => ({
      id: item.id,
      state,
      folder: folder === undefined ? undefined : stored(folder),
      left: left.map(stored),
      reason,
    })),
    runner,
  };
}

/** A path that cannot be taken for a name. */
function asPath(place: string): string {
  return place.includes("/") ? place : `./${place}`;
}

/** @returns undefined when the document is not a queue of a schema known here @param folder where its file lies */
export function readQueueDocument(document: unknown, folder: string): StoredQueue | undefined {
  const fields = new Fields(document);
  const plan = fields.number("schema") === SCHEMA ? readPlan(fields.fields("plan"), folder) : undefined;
  if (plan === undefined) return undefined;
  const items = fields.list("items").flatMap((item) => readItem(new Fields(item), folder));
  return { plan, items, runner: readRunner(fields.fields("runner")) };
}

function readPlan(fields: Fields, folder: string): QueuePlan | undefined {
  const agents = fields.list("agents").map((agent) => readAgent(new Fields(agent), folder));
  const known = agents.filter((agent) => agent !== undefined);
  if (known.length === 0 || known.length < agents.length || fields.texts("problems").length === 0)
    return undefined;
  if (fields.has("policy") && policyFault(fields) !== undefined) return undefined;
  const word = (key: string): string | undefined => {
    const text = fields.text(key);
    return text?.includes("/") === true ? placeOf(folder, text) : text;
  };
  return {
    problems: fields
      .texts("problems")
      .map((problem) => (problem.includes("/") ? placeOf(folder, problem) : problem)),
    base: folder,
    agents: known,
    jobs: fields.number("jobs"),
    memoryBytes: fields.number("memoryBytes"),
    policy: readPolicy(fields, folder) ?? PLAN_DEFAULTS.policy,
    environment: word("environment"),
    image: fields.text("image"),
    template: word("template") ?? PLAN_DEFAULTS.template,
    runs: folder,
    checkpoints: fields.isList("checkpoints") ? fields.texts("checkpoints") : undefined,
  };
}

function readAgent(fields: Fields, folder: string): QueueAgent | undefined {
  const name = fields.text("name");
  const source = readSource(fields, folder);
  if (name === undefined || source === undefined) return undefined;
  return { name, source, timeoutSeconds: fields.number("timeoutSeconds") };
}

function readSource(fields: Fields, folder: string): AgentSource | undefined {
  switch (fields.oneOf("kind", ["reference", "replay", "command", "named", "model"])) {
    case "reference":
      return { kind: "reference" };
    case "replay": {
      const place = fields.text("folder");
      return place === undefined ? undefined : { kind: "replay", folder: placeOf(folder, place) };
    }
    case "command": {
      const command = fields.text("command");
      return command === undefined
        ? undefined
        : { kind: "command", command, passEnv: fields.texts("passEnv") };
    }
    case "named":
      return readNamed(fields, folder);
    case "model":
      return readModel(fields);
    case undefined:
      return undefined;
  }
}

function readNamed(fields: Fields, folder: string): AgentSource | undefined {
  const agent = fields.text("agent");
  if (agent === undefined) return undefined;
  return {
    kind: "named",
    agent: agent.includes("/") ? placeOf(folder, agent) : agent,
    model: fields.text("model"),
    thinking: fields.text("thinking"),
  };
}

function readModel(fields: Fields): AgentSource | undefined {
  const [endpoint, model] = [fields.text("endpoint"), fields.text("model")];
  if (endpoint === undefined || model === undefined) return undefined;
  const told = fields.fields("prices");
  const [input, output] = [told.number("input"), told.number("output")];
  const prices =
    input === undefined || output === undefined
      ? undefined
      : { input, output, cachedInput: told.number("cachedInput") };
  const [keyEnv, contextTokens] = [fields.text("keyEnv"), fields.number("contextTokens")];
  return { kind: "model", endpoint, model, keyEnv, contextTokens, prices };
}

function readItem(fields: Fields, folder: string): StoredItem[] {
  const [id, state, own] = [fields.text("id"), fields.oneOf("state", ITEM_STATES), fields.text("folder")];
  if (id === undefined || state === undefined) return [];
  return [
    {
      id,
      state,
      folder: own === undefined ? undefined : placeOf(folder, own),
      left: fields.texts("left").map((left) => placeOf(folder, left)),
      reason: fields.text("reason"),
    },
  ];
}
