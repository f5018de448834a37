import type { Fields } from "../model/fields.js";
import { hashOf } from "../problem/hash-of.js";

/** As much of a hash as tells the few skills of somebody's runs apart. */
const HASH_DIGITS = 6;

/**
 * What SCB's `config.yaml` sets beside agent and model, in a few words: runs that differ in it are of two agents.
 * `thinking high`, `skill after checkpoints b5f281` with a hash for the skill's text, `one shot`.
 * @returns undefined where nothing is set
 */
export function readAgentSettings(config: Fields): string | undefined {
  const thinking = config.text("thinking");
  const skill = config.fields("post_checkpoint_skill");
  const prompt = skill.text("prompt") ?? config.text("post_checkpoint_skill");
  const set = [
    prompt === undefined ? undefined : `skill after checkpoints ${shortHash([prompt, skill.text("run_on")])}`,
    config.fields("one_shot").flag("enabled") === true ? "one shot" : undefined,
    thinking === undefined || thinking === "none" ? undefined : `thinking ${thinking}`,
  ].filter((words) => words !== undefined);
  return set.length === 0 ? undefined : set.join(", ");
}

function shortHash(value: unknown): string {
  return hashOf(value).slice(0, HASH_DIGITS);
}
