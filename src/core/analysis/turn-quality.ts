import type { QualityReport } from "../model/quality.js";
import type { TurnQuality } from "../model/turn.js";

const HEAVIEST = 12;

/** What a turn keeps of the report on its snapshot. */
export function toTurnQuality({ profile, rules, totals, functions }: QualityReport): TurnQuality {
  const heaviest = Array.from(functions).sort((a, b) => b.mass - a.mass);
  const { name, count, hash } = rules;
  return { profile, rules: { name, count, hash }, totals, heaviest: heaviest.slice(0, HEAVIEST) };
}
