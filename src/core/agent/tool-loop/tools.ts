import { z } from "zod";

import type { ChatTool } from "./chat-model.js";

/** Ends the loop; everything else is a tool of `harness/tool_server.py`. */
export const FINISH = "finish";

/** Seconds that a command may take unless the model asks for more, and at most. */
const COMMAND_SECONDS = 120;
export const MOST_COMMAND_SECONDS = 900;

const file = z.string().min(1).describe("path, relative to the workspace");
const line = z.int().min(1);

const SCHEMAS = {
  read_file: z.object({
    path: file,
    start_line: line.optional().describe("first line, counted from 1"),
    end_line: line.optional().describe("last line, included"),
  }),
  write_file: z.object({ path: file, content: z.string() }),
  edit_file: z.object({
    path: file,
    old: z.string().min(1).describe("text as it stands in the file, exactly, with its spaces"),
    new: z.string(),
    replace_all: z.boolean().optional(),
  }),
  list_files: z.object({
    path: file.optional(),
    depth: z.int().min(1).max(10).optional().describe("levels of folders, default 3"),
  }),
  search: z.object({
    pattern: z.string().min(1).describe("Python regular expression, looked for in each line"),
    path: file.optional(),
    glob: z.string().min(1).optional().describe("only files like this, for example *.py"),
  }),
  bash: z.object({
    command: z.string().min(1),
    seconds: z
      .number()
      .positive()
      .max(MOST_COMMAND_SECONDS)
      .default(COMMAND_SECONDS)
      .describe("after which it is killed"),
  }),
  [FINISH]: z.object({
    summary: z.string().optional().describe("what was done, one or two sentences"),
  }),
} as const;

export type ToolName = keyof typeof SCHEMAS;

const DESCRIPTIONS: Readonly<Record<ToolName, string>> = {
  read_file: "Reads a text file, or some of its lines.",
  write_file: "Writes a whole text file; folders above it are made.",
  edit_file: "Replaces a text in a file that stands there exactly once (or everywhere, with replace_all).",
  list_files: "Lists files and folders with their sizes.",
  search: "Finds lines by a regular expression, as file:line: text.",
  bash:
    "Runs a shell command in the workspace and gives its output and exit code. Each call is a shell of its own, " +
    "without a terminal or input, and nothing that it starts goes on after it.",
  [FINISH]: "Ends the work, once everything that was asked for is done and tested.",
};

/** The tools as a model is told of them. */
export const CHAT_TOOLS: readonly ChatTool[] = toolNames().map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  parameters: parametersOf(SCHEMAS[name]),
}));

/** A call that can be made, or what a model is to be told about one that cannot. */
export type CheckedCall =
  | { readonly name: ToolName; readonly input: Readonly<Record<string, unknown>> }
  | { readonly refusal: string; readonly input: Readonly<Record<string, unknown>> };

/** Holds a call of a model to the tools that there are and to what they take. */
export function checkCall(name: string, text: string): CheckedCall {
  const input = parse(text);
  if (!isToolName(name)) {
    return {
      refusal: `There is no tool ${name}. The tools are ${toolNames().join(", ")}.`,
      input: input ?? {},
    };
  }
  if (input === undefined) {
    return { refusal: "The arguments are not a JSON object. Call the tool again.", input: { input: text } };
  }
  const checked = SCHEMAS[name].safeParse(input);
  if (checked.success) return { name, input: checked.data };
  const faults = checked.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
  return { refusal: `The arguments do not fit ${name}: ${faults.join("; ")}`, input };
}

function toolNames(): ToolName[] {
  return Object.keys(SCHEMAS).filter(isToolName);
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(SCHEMAS, name);
}

/** Models write nothing at all for a tool that they give no arguments. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return z.record(z.string(), z.unknown()).safeParse(value).data;
  } catch {
    return undefined;
  }
}

function parametersOf(schema: z.ZodType): Record<string, unknown> {
  return { ...z.toJSONSchema(schema, { io: "input" }), $schema: undefined };
}
