import path from "node:path";
import type { AmountKind } from "../../model/amounts.js";
import { SlopLensError } from "../../model/errors.js";
import type { TurnLimits } from "../../model/policy.js";
import type { Fault } from "../../model/problem.js";
import { readingTrouble, readText } from "../../model/read-text.js";
import { YamlSource, type YamlMap } from "../../problem/yaml-source.js";
import { templateFault } from "./command-template.js";
import type {
  AgentDefinition,
  Installation,
  Prices,
  Resumption,
  ThinkingChoice,
  TranscriptPlace,
} from "./definition.js";
import { USAGE_PARSERS } from "../../transcript/usage-meter.js";

const KEYS = [
  "name",
  "title",
  "version",
  "install",
  "command",
  "continue",
  "models",
  "thinking",
  "secrets",
  "variables",
  "env",
  "limits",
  "state",
  "transcripts",
  "usage",
  "prices",
];

const GO_ON = "You were interrupted. Go on where you stopped, until the task is done.";

export interface DefinitionReading {
  readonly file: string;
  /** Undefined when there is an error among the faults. */
  readonly definition: AgentDefinition | undefined;
  readonly faults: readonly Fault[];
}

/**
 * Reads an agent's file.
 * @param file absolute path
 * @throws SlopLensError bad-input when it cannot be read
 */
export async function readDefinition(file: string): Promise<DefinitionReading> {
  const text = await readText(file).catch((error: unknown) => {
    throw new SlopLensError(
      "bad-input",
      `The agent file ${file} ${readingTrouble(error)}`,
      "Check the path.",
      {
        cause: error,
      },
    );
  });
  return parseDefinition(text, file);
}

/** Reads the text of an agent's file. An unknown key is an error, so that a misspelt one is not passed over. */
export function parseDefinition(text: string, file: string): DefinitionReading {
  const source = new YamlSource(file, text);
  const root = source.root();
  if (root === undefined) source.fault("An agent must be a mapping", { line: 1, column: 1 });
  const definition = root === undefined || source.hasErrors ? undefined : readRoot(root, file);
  return { file, definition: source.hasErrors ? undefined : definition, faults: source.faults };
}

function readRoot(root: YamlMap, file: string): AgentDefinition {
  root.rejectUnknown(KEYS);
  const name = root.text("name") ?? path.parse(file).name;
  if (!/^[a-z0-9][a-z0-9-]*$/u.test(name)) {
    root.fault(`"name" may hold small letters, digits and hyphens, and not ${JSON.stringify(name)}`, "name");
  }
  const version = root.text("version");
  return {
    name,
    title: root.text("title") ?? name,
    version,
    file,
    install: readInstall(root, version),
    command: readCommand(root),
    resume: readResumption(root),
    models: root.texts("models") ?? [],
    thinking: readThinking(root),
    ...readSecrets(root),
    variables: readNames(root, "variables"),
    env: root.textMap("env"),
    limits: readLimits(root),
    state: readFolders(root, "state"),
    transcripts: readTranscripts(root),
    usage: root.oneOf("usage", USAGE_PARSERS) ?? "none",
    prices: readPrices(root),
  };
}

function section(root: YamlMap, key: string, known: readonly string[]): YamlMap | undefined {
  const map = root.map(key, `"${key}"`);
  map?.rejectUnknown(known);
  return map;
}

function readInstall(root: YamlMap, version: string | undefined): Installation {
  const install = section(root, "install", ["node", "npm", "pip", "commands"]);
  const pinned = (key: string): string[] =>
    (install?.texts(key) ?? []).map((text) => withVersion(install, key, text, version));
  const [npm, pip] = [pinned("npm"), pinned("pip")];
  const node = install?.text("node");
  if (npm.length > 0 && node === undefined) {
    install?.fault(`"npm" needs "node", the release of Node.js to install with`, "npm");
  }
  return { node, npm, pip, commands: pinned("commands") };
}

function withVersion(
  install: YamlMap | undefined,
  key: string,
  text: string,
  version: string | undefined,
): string {
  if (version === undefined && text.includes("{version}")) {
    install?.fault(`"${key}" names {version}, and there is no "version"`, key);
  }
  return text.replaceAll("{version}", version ?? "");
}

function readCommand(root: YamlMap): string {
  const command = root.requiredText("command") ?? "";
  const fault = templateFault(command);
  if (fault !== undefined) root.fault(fault, "command");
  return command;
}

function readResumption(root: YamlMap): Resumption | undefined {
  const map = section(root, "continue", ["flags", "prompt"]);
  if (map === undefined) return undefined;
  return { flags: map.text("flags") ?? "", prompt: map.text("prompt") ?? GO_ON };
}

function readThinking(root: YamlMap): Map<string, ThinkingChoice> {
  const map = root.map("thinking", `"thinking"`);
  const choices = new Map<string, ThinkingChoice>();
  for (const name of map?.keys ?? []) {
    const choice = map?.map(name, `thinking "${name}"`);
    choice?.rejectUnknown(["flags", "env"]);
    choices.set(name, { flags: choice?.text("flags") ?? "", env: choice?.textMap("env") ?? {} });
  }
  return choices;
}

function readSecrets(root: YamlMap): Pick<AgentDefinition, "requiredSecrets" | "optionalSecrets"> {
  const map = section(root, "secrets", ["required", "optional"]);
  const required = (map?.texts("required") ?? []).map((text) => text.split("|").map((name) => name.trim()));
  for (const name of required.flat()) checkName(map, "required", name);
  return { requiredSecrets: required, optionalSecrets: map === undefined ? [] : readNames(map, "optional") };
}

function readNames(map: YamlMap, key: string): readonly string[] {
  const names = map.texts(key) ?? [];
  for (const name of names) checkName(map, key, name);
  return names;
}

function checkName(map: YamlMap | undefined, key: string, name: string): void {
  if (/^[A-Za-z_]\w*$/u.test(name)) return;
  map?.fault(
    `"${key}" holds names of variables, and ${JSON.stringify(name)} is none; values do not belong here`,
    key,
  );
}

function readLimits(root: YamlMap): Partial<TurnLimits> {
  const map = section(root, "limits", ["seconds", "steps", "cost_usd", "idle_seconds", "retries"]);
  if (map === undefined) return {};
  const limit = (key: string, kind: AmountKind): number | undefined => {
    const amount = map.amount(key, kind);
    return amount === 0 ? undefined : amount;
  };
  return {
    seconds: limit("seconds", "seconds"),
    steps: limit("steps", "steps"),
    costUsd: limit("cost_usd", "dollars"),
    idleSeconds: limit("idle_seconds", "seconds"),
    retries: map.amount("retries", "retries"),
  };
}

function readFolders(root: YamlMap, key: string): readonly string[] {
  const folders = root.texts(key) ?? [];
  for (const folder of folders) if (!isInside(folder)) root.fault(outside(key, folder), key);
  return folders;
}

function readTranscripts(root: YamlMap): Map<string, TranscriptPlace> {
  const places = new Map<string, TranscriptPlace>();
  for (const [target, text] of Object.entries(root.textMap("transcripts"))) {
    const { root: place, folder } = /^(?<root>home|workspace)\/(?<folder>.+)$/u.exec(text)?.groups ?? {};
    if (folder === undefined || !isInside(folder) || !isInside(target)) {
      root.fault(`"transcripts" maps a folder to home/… or workspace/…, and not to ${text}`, "transcripts");
    } else places.set(target, { root: place === "home" ? "home" : "workspace", folder });
  }
  return places;
}

function isInside(folder: string): boolean {
  const normal = path.posix.normalize(folder);
  return folder !== "" && !normal.startsWith("..") && normal !== "." && !path.posix.isAbsolute(normal);
}

function outside(key: string, folder: string): string {
  return `"${key}" holds folders below HOME, relative to it, and not ${JSON.stringify(folder)}`;
}

const PRICE_KEYS = ["input", "output", "cache_read", "cache_write"];

/** Prices of every model, or a map of them by the model's name. */
function readPrices(root: YamlMap): AgentDefinition["prices"] {
  const map = root.map("prices", `"prices"`);
  const byModel = new Map<string, Prices>();
  const models = (map?.keys ?? []).filter((key) => map?.isMapping(key) === true);
  for (const model of models) {
    const own = map?.map(model, `prices of "${model}"`);
    if (own !== undefined) byModel.set(model, priceList(own, PRICE_KEYS));
  }
  const isFlat = map !== undefined && (models.length === 0 || map.keys.length > models.length);
  return { any: isFlat ? priceList(map, [...PRICE_KEYS, ...models]) : undefined, byModel };
}

function priceList(map: YamlMap, known: readonly string[]): Prices {
  map.rejectUnknown(known);
  const [input, output] = [map.amount("input", "price"), map.amount("output", "price")];
  map.require("input");
  map.require("output");
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: map.amount("cache_read", "price") ?? input ?? 0,
    cacheWrite: map.amount("cache_write", "price") ?? input ?? 0,
  };
}
