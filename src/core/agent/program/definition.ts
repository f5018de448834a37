import type { TurnLimits } from "../../model/policy.js";
import type { UsageParser } from "../../transcript/usage-meter.js";

/** An agent that is a command-line program, as a YAML file describes it; docs/AGENTS.md tells every key. */
export interface AgentDefinition {
  /** By which a user names it; also the file's name by custom. */
  readonly name: string;
  readonly title: string;
  /** Pinned; undefined for an agent that the image brings along. */
  readonly version: string | undefined;
  /** Absolute path of the YAML file. */
  readonly file: string;
  readonly install: Installation;
  /** Shell command with placeholders. */
  readonly command: string;
  /** How a conversation is gone on with; undefined when the program cannot. */
  readonly resume: Resumption | undefined;
  /** What is offered to choose from; any other model can be named too. */
  readonly models: readonly string[];
  /** By the name that a user chooses. */
  readonly thinking: ReadonlyMap<string, ThinkingChoice>;
  /** Each is a choice of names, of which one must be set. */
  readonly requiredSecrets: readonly (readonly string[])[];
  readonly optionalSecrets: readonly string[];
  /** Variables of the host that are passed on when they are set, and are no secret. */
  readonly variables: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The agent's own; the tighter of these and the run's holds. */
  readonly limits: Partial<TurnLimits>;
  /** Folders of HOME that hold a conversation, relative. */
  readonly state: readonly string[];
  /** Where transcripts lie when the program has ended, by the folder below the turn's `agent/` that takes them. */
  readonly transcripts: ReadonlyMap<string, TranscriptPlace>;
  readonly usage: UsageParser;
  readonly prices: {
    /** For models that `byModel` does not name. */
    readonly any: Prices | undefined;
    readonly byModel: ReadonlyMap<string, Prices>;
  };
}

export interface Installation {
  /** Release of Node.js that is brought along; undefined for none. */
  readonly node: string | undefined;
  readonly npm: readonly string[];
  readonly pip: readonly string[];
  /** Shell commands that come last. */
  readonly commands: readonly string[];
}

export interface Resumption {
  /** What `{continue}` stands for then. */
  readonly flags: string;
  /** What a retry says; the conversation holds the task already. */
  readonly prompt: string;
}

export interface ThinkingChoice {
  /** What `{thinking}` stands for. */
  readonly flags: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface TranscriptPlace {
  readonly root: "home" | "workspace";
  /** Folder, POSIX, relative to the root. */
  readonly folder: string;
}

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
