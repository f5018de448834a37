import { Fields } from "../model/fields.js";
import type { ToolCall } from "../model/transcript.js";
import { records } from "./formats/format.js";

/** What a call changes in a file. */
export interface FileEdit {
  /** As the agent gives it: absolute in its sandbox, or relative to where it works. */
  readonly path: string;
  /** Passages that are replaced; `before` is undefined for a whole new text. */
  readonly changes: readonly { readonly before: string | undefined; readonly after: string }[];
}

const PATHS = ["file_path", "filePath", "path", "notebook_path", "target_file", "absolute_path"];
const BEFORE = ["old_string", "oldString", "old_str", "oldText", "old"];
const AFTER = ["new_string", "newString", "new_str", "newText", "new"];
const WHOLE = ["content", "contents", "file_text", "fileText", "new_source", "text"];
const WRITER = /write|edit|create|replace|patch|save/iu;

/** Inputs of a call that hold texts to be written, not places. */
export const WRITTEN_KEYS: ReadonlySet<string> = new Set([...BEFORE, ...AFTER, ...WHOLE, "edits", "edit"]);

/** The files that a call writes, by what the usual agents' tools are given; empty for every other call. */
export function fileEdits(call: ToolCall): FileEdit[] {
  const input = new Fields(call.input);
  const patch = patchIn(call);
  if (patch !== undefined) return readPatch(patch);
  const listed = records(input.list("changes")).flatMap((change) => change.text("path") ?? []);
  if (listed.length > 0) return listed.map((path) => ({ path, changes: [] }));
  const file = firstText(input, PATHS);
  if (file === undefined) return [];
  const nested = records([...input.list("edits"), ...input.list("edit"), input.value("edit")]);
  const changes = [input, ...nested].flatMap(replacement);
  if (changes.length > 0) return [{ path: file, changes }];
  const whole = firstText(input, WHOLE);
  return whole === undefined || !WRITER.test(`${call.name} ${input.text("command") ?? ""}`)
    ? []
    : [{ path: file, changes: [{ before: undefined, after: whole }] }];
}

function replacement(fields: Fields): FileEdit["changes"] {
  const [before, after] = [firstText(fields, BEFORE), firstText(fields, AFTER)];
  if (after === undefined) return [];
  return [{ before, after }];
}

function firstText(fields: Fields, keys: readonly string[]): string | undefined {
  const key = keys.find((candidate) => fields.text(candidate) !== undefined);
  return key === undefined ? undefined : fields.text(key);
}

const PATCH_START = "*** Begin Patch";
const PATCH_FILE = /^\*\*\* (?:Add|Update|Delete) File: (?<path>.+)$/u;

/** Codex' patch, which comes as the input of a tool or as an argument of a command. */
function patchIn({ input }: ToolCall): string | undefined {
  const texts = Object.values(input).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
  return texts.find((value): value is string => typeof value === "string" && value.includes(PATCH_START));
}

/** Hunks become passages: context and removed lines before, context and added lines after. */
function readPatch(patch: string): FileEdit[] {
  const edits: { path: string; changes: { before: string | undefined; after: string }[] }[] = [];
  let hunk: { readonly before: string[]; readonly after: string[] } | undefined;
  const finish = (): void => {
    if (hunk !== undefined && hunk.before.length + hunk.after.length > 0) {
      edits.at(-1)?.changes.push({ before: hunk.before.join("\n"), after: hunk.after.join("\n") });
    }
    hunk = { before: [], after: [] };
  };
  for (const line of patch.slice(patch.indexOf(PATCH_START)).split("\n").slice(1)) {
    const file = PATCH_FILE.exec(line)?.groups?.["path"];
    if (file !== undefined || line.startsWith("@@") || line.startsWith("*** End Patch")) finish();
    if (file !== undefined) edits.push({ path: file.trim(), changes: [] });
    else if (line.startsWith("*** End Patch")) break;
    else if (hunk !== undefined) addLine(hunk, line);
  }
  finish();
  return edits;
}

function addLine(hunk: { readonly before: string[]; readonly after: string[] }, line: string): void {
  const text = line.slice(1);
  if (line.startsWith("+")) hunk.after.push(text);
  else if (line.startsWith("-")) hunk.before.push(text);
  else if (line.startsWith(" ")) {
    hunk.before.push(text);
    hunk.after.push(text);
  }
}
