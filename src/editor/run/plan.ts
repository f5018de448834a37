import type { AgentDefinition } from "../../core/agent/program/definition.js";
import type { SecretSource } from "../../core/agent/program/secrets.js";
import type { AgentSource } from "../../core/agent/agent-source.js";
import type { ChatModel } from "../../core/agent/tool-loop/chat-model.js";
import type { RunPolicy } from "../../core/model/policy.js";
import type { Problem } from "../../core/model/problem.js";
import type { ItemStatus, QueueItem } from "../../core/queue/item.js";
import type { PlannedRun, QueuePlan } from "../../core/queue/queue-plan.js";
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
    }
  /** As a queue keeps it. */
  | { readonly kind: "source"; readonly source: AgentSource; readonly keys: SecretSource };

/** A run that is there already and is gone on with. */
export interface RunToResume {
  /** Run folder, or the problem's folder in it. */
  readonly folder: string;
  /** Checkpoints that are taken anew although they are finished. */
  readonly redo: readonly string[];
}

/** A run that is an item of a queue that is kept. */
export interface QueuedRun {
  readonly item: QueueItem<PlannedRun>;
  readonly plan: QueuePlan;
  /** Name of the queue's file. */
  readonly queue: string;
  /** Where it stands as it begins: it goes on in the run folder of an earlier try. */
  readonly before: ItemStatus;
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
  /** Absent for a run that stands alone. */
  readonly queued?: QueuedRun | undefined;
  readonly settings: RunSettings;
}
