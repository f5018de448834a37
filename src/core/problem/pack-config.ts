import path from "node:path";
import { GROUPS, MARKERS } from "../model/problem.js";
import type {
  Checkpoint,
  CheckpointState,
  CustomMarker,
  Difficulty,
  Problem,
  StaticAsset,
} from "../model/problem.js";
import { MOST_COMPARED, nearestWord } from "./suggest.js";
import type { YamlMap } from "./yaml-source.js";

const DIFFICULTIES: readonly Difficulty[] = ["Easy", "Medium", "Hard"];
const STATES: readonly CheckpointState[] = ["Draft", "Core Tests", "Full Tests", "Verified"];
const PROBLEM_KEYS = [
  ...["name", "version", "description", "tags", "entry_file", "checkpoints", "author", "category"],
  ...["difficulty", "inspiration", "design_doc", "static_assets", "markers", "test_dependencies"],
  ...["env", "timeout"],
];
const CHECKPOINT_KEYS = [
  ...["version", "order", "state", "include_prior_tests", "timeout", "env", "name", "spec_override"],
];

/** What a checkpoint takes from its problem. */
interface Inherited {
  readonly timeoutSeconds: number | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Whether a mapping can be the `config.yaml` of a pack, however faulty: other tools use that file name too. */
export function looksLikePack(keys: readonly string[]): boolean {
  return keys.includes("checkpoints") || keys.includes("entry_file");
}

/**
 * Reads a pack's `config.yaml` by SCB's schema. Faults go to the source of `root`.
 * @returns what could be read; a problem only when there is no error among the faults
 */
export function readPackConfig(root: YamlMap, folder: string): Problem {
  warnOfMisspelledKeys(root);
  const inherited = { timeoutSeconds: root.amount("timeout", "timeout"), env: root.textMap("env") };
  return {
    folder,
    name: readName(root),
    version: requiredVersion(root),
    description: (root.require("description") ? root.text("description") : undefined) ?? "",
    tags: readTags(root),
    category: root.text("category") ?? "NOT_SET",
    difficulty: root.oneOf("difficulty", DIFFICULTIES) ?? "Easy",
    author: root.text("author"),
    entryFile: readEntryFile(root),
    checkpoints: readCheckpoints(root, folder, inherited),
    staticAssets: readStaticAssets(root, folder),
    markers: readMarkers(root),
    testDependencies: root.texts("test_dependencies") ?? [],
  };
}

function readName(root: YamlMap): string {
  const name = root.requiredText("name") ?? "";
  return name !== "" && isFolderName(root, "name", name, `"name"`) ? name : "";
}

/** Run folders have a folder called by each of these names, and a pack of somebody else's must not choose its place. */
function isFolderName(fields: YamlMap, key: string, name: string, subject: string): boolean {
  if (!/^\.|[/\\\p{Cc}]/u.test(name)) return true;
  fields.fault(
    `${subject} must be usable as the name of a folder: no slash, no control character, no dot in front`,
    key,
  );
  return false;
}

function requiredVersion(fields: YamlMap): number {
  return (fields.require("version") ? fields.wholeNumber("version") : undefined) ?? 0;
}

/** Unknown keys at the top are ignored by SCB, so that a misspelled one is silently without effect. */
function warnOfMisspelledKeys(root: YamlMap): void {
  const absent = PROBLEM_KEYS.filter((key) => !root.has(key));
  const others = root.keys.filter((candidate) => !PROBLEM_KEYS.includes(candidate));
  for (const key of others.slice(0, MOST_COMPARED)) {
    const nearest = nearestWord(key, absent);
    if (nearest !== undefined) {
      root.fault(
        `"${key}" is not a key of a problem and is ignored; did you mean "${nearest}"?`,
        key,
        "warning",
      );
    }
  }
}

function readTags(root: YamlMap): readonly string[] {
  if (!root.require("tags")) return [];
  const tags = root.texts("tags") ?? [];
  if (tags.length === 0 && root.isList("tags")) root.fault(`"tags" needs at least one tag`, "tags");
  return tags;
}

function readEntryFile(root: YamlMap): string {
  const entryFile = root.requiredText("entry_file");
  if (entryFile === undefined) return "";
  if (/[/\\]/u.test(entryFile)) root.fault(`"entry_file" must be a bare name without folders`, "entry_file");
  if (entryFile.endsWith(".py")) {
    root.fault(
      `"entry_file" is a name without suffix; the environment makes "${entryFile}.py" of it`,
      "entry_file",
      "warning",
    );
  }
  return entryFile;
}

function readCheckpoints(root: YamlMap, folder: string, inherited: Inherited): readonly Checkpoint[] {
  if (!root.require("checkpoints")) return [];
  if (root.isList("checkpoints")) {
    root.fault(
      `"checkpoints" is a list of names, as in packs of before December 2025; write a mapping from name to settings and put each spec beside config.yaml as <name>.md`,
      "checkpoints",
    );
    return [];
  }
  const map = root.map("checkpoints", "checkpoints");
  if (map?.keys.length === 0) root.fault("A problem needs at least one checkpoint", "checkpoints");
  const checkpoints = (map?.keys ?? []).flatMap((name, index) => {
    if (map !== undefined && !isFolderName(map, name, name, "A checkpoint's name")) return [];
    const fields = map?.map(name, `checkpoint "${name}"`);
    if (map !== undefined && fields === undefined && !map.require(name)) return [];
    return fields === undefined ? [] : [readCheckpoint(fields, name, index + 1, folder, inherited)];
  });
  return sortCheckpoints(checkpoints);
}

function readCheckpoint(
  fields: YamlMap,
  name: string,
  position: number,
  folder: string,
  inherited: Inherited,
): Checkpoint {
  fields.rejectUnknown(CHECKPOINT_KEYS);
  return {
    name,
    version: requiredVersion(fields),
    order: fields.wholeNumber("order") ?? position,
    state: fields.oneOf("state", STATES) ?? "Draft",
    includePriorTests: fields.flag("include_prior_tests") ?? true,
    timeoutSeconds: fields.amount("timeout", "timeout") ?? inherited.timeoutSeconds,
    env: { ...inherited.env, ...fields.textMap("env") },
    specPath: path.join(folder, `${name}.md`),
  };
}

/** By order, then name, as SCB walks them; positions then count from 1 without gaps. */
function sortCheckpoints(checkpoints: readonly Checkpoint[]): readonly Checkpoint[] {
  const byName = (left: string, right: string): number => (left < right ? -1 : 1);
  return [...checkpoints]
    .sort((left, right) => left.order - right.order || byName(left.name, right.name))
    .map((checkpoint, index) => ({ ...checkpoint, order: index + 1 }));
}

function readStaticAssets(root: YamlMap, folder: string): readonly StaticAsset[] {
  const map = root.map("static_assets", "static_assets");
  return (map?.keys ?? []).flatMap((name) => {
    const fields = map?.map(name, `static asset "${name}"`);
    if (fields === undefined) return [];
    fields.rejectUnknown(["path", "save_path"]);
    const source = relativePath(fields, "path", fields.requiredText("path"));
    const savePath = relativePath(fields, "save_path", fields.text("save_path")) ?? source;
    if (source === undefined || savePath === undefined) return [];
    return [{ name, source: path.join(folder, source), savePath }];
  });
}

/** A path that stays inside the folder it is relative to, in POSIX form without `.` parts. */
function relativePath(fields: YamlMap, key: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const clean = path.posix.normalize(value.replaceAll("\\", "/")).replace(/\/$/u, "");
  const inside = clean !== ".." && !clean.startsWith("../") && !path.posix.isAbsolute(clean);
  if (inside && !path.win32.isAbsolute(clean)) return clean;
  fields.fault(`"${key}" must be a relative path without ".."`, key);
  return undefined;
}

function readMarkers(root: YamlMap): readonly CustomMarker[] {
  const map = root.map("markers", "markers");
  for (const name of map?.keys.slice(0, MOST_COMPARED) ?? []) {
    const nearest = MARKERS.includes(name) ? undefined : nearestWord(name, MARKERS);
    if (nearest === undefined) continue;
    map?.fault(
      `"${name}" becomes a marker of its own beside "${nearest}", which needs no entry; is it misspelt?`,
      name,
      "warning",
    );
  }
  return (map?.keys ?? []).flatMap((name) => {
    const fields = map?.map(name, `marker "${name}"`);
    if (fields === undefined) return [];
    fields.rejectUnknown(["description", "group"]);
    const description = fields.require("description") ? fields.text("description") : undefined;
    const group = fields.require("group") ? fields.oneOf("group", GROUPS) : undefined;
    return description === undefined || group === undefined ? [] : [{ name, description, group }];
  });
}
