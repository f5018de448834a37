import path from "node:path";
import { PASS_POLICIES } from "../model/policy.js";
import { Fields } from "../model/fields.js";
import { placeOf, storedPlace } from "../store/places.js";
import { readRunner, type Runner } from "../store/run-record.js";
import { ITEM_STATES, type ItemState, type ItemStatus } from "./item.js";
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
  items: readonly ItemStatus[],
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
      agents: plan.agents.map(({ name, source }) => ({
        name,
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

/** Whether going on with its queue takes an item anew; what the user cancelled stays so. */
export function isUnfinished({ state }: Pick<StoredItem, "state">): boolean {
  return state !== "finished" && state !== "cancelled";
}

function readPlan(fields: Fields, folder: string): QueuePlan | undefined {
  const agents = fields.list("agents").map((agent) => readAgent(new Fields(agent), folder));
  const known = agents.filter((agent) => agent !== undefined);
  if (known.length === 0 || known.length < agents.length || fields.texts("problems").length === 0)
    return undefined;
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
    attempts: fields.numberOr("attempts", PLAN_DEFAULTS.attempts),
    jobs: fields.number("jobs"),
    memoryBytes: fields.numberOr("memoryBytes", PLAN_DEFAULTS.memoryBytes),
    policy: fields.oneOf("policy", PASS_POLICIES) ?? PLAN_DEFAULTS.policy,
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
  return name === undefined || source === undefined ? undefined : { name, source };
}

function readSource(fields: Fields, folder: string): QueueAgent["source"] | undefined {
  const kind = fields.oneOf("kind", ["reference", "replay", "command", "named"]);
  const [place, command] = [fields.text("folder"), fields.text("command")];
  if (kind === "reference") return { kind };
  if (kind === "replay") return place === undefined ? undefined : { kind, folder: placeOf(folder, place) };
  if (kind === "named") return readNamed(fields, folder);
  if (kind === undefined || command === undefined) return undefined;
  return { kind, command, passEnv: fields.texts("passEnv"), timeoutSeconds: fields.number("timeoutSeconds") };
}

function readNamed(fields: Fields, folder: string): QueueAgent["source"] | undefined {
  const agent = fields.text("agent");
  if (agent === undefined) return undefined;
  return {
    kind: "named",
    agent: agent.includes("/") ? placeOf(folder, agent) : agent,
    model: fields.text("model"),
    thinking: fields.text("thinking"),
    timeoutSeconds: fields.number("timeoutSeconds"),
  };
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
