import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { SecretSource } from "../../core/agent/program/secrets.js";
import type { ChatModel } from "../../core/agent/tool-loop/chat-model.js";
import type { RunPolicy } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import type { RunSettings } from "../settings.js";

/** Who takes the turns of a run. */
export type AgentChoice =
  | { readonly kind: "solutions" }
  /** A recording, an earlier run, or any folder with `checkpoint_k` folders. */
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "model"; readonly model: ChatModel }
  /** A program that its file describes. */
  | {
      readonly kind: "program";
      readonly definition: AgentDefinition;
      /** Undefined: the program's own choice. */
      readonly model: string | undefined;
      readonly thinking: string | undefined;
      readonly keys: SecretSource;
    };

/** A run that is there already and is gone on with. */
export interface RunToResume {
  /** Run folder, or the problem's folder in it. */
  readonly folder: string;
  /** Checkpoints that are taken anew although they are finished. */
  readonly redo: readonly string[];
}

/** A run as the user chose it. */
export interface RunPlan {
  readonly problem: Problem;
  readonly agent: AgentChoice;
  /** `docker`, `local`, or the absolute path of an environment YAML. */
  readonly environment: string;
  /** Folder of the workspace that holds the problem, absolute. */
  readonly base: string;
  /** Absolute path. */
  readonly runsFolder: string;
  /** Name of a shipped template, or the absolute path of one. */
  readonly promptTemplate: string;
  readonly policy: RunPolicy;
  /** Absent for a new run. */
  readonly resume?: RunToResume | undefined;
  readonly settings: RunSettings;
}
