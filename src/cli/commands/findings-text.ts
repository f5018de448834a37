import type { CloneClass, CloneInstance, QualityReport, RuleMatch } from "../../core/model/quality.js";
import { integer } from "../../core/report/format.js";
import { groupBy } from "../../core/report/group-by.js";
import { renderTable } from "../../core/report/text-table.js";

const RULES_SHOWN = 10;
const CLASSES_SHOWN = 5;
const PLACES_SHOWN = 3;

/** Where verbosity comes from: the rules that match most, each with its first place, and the longest clones. */
export function findingLines({ matches, clones }: QualityReport): string[] {
  return [...ruleLines(matches), ...cloneLines(clones)];
}

function ruleLines(matches: readonly RuleMatch[]): string[] {
  if (matches.length === 0) return [];
  const byRule = groupBy(matches, ({ rule }) => rule);
  const sorted = [...byRule].sort(([a, many], [b, few]) => few.length - many.length || (a < b ? -1 : 1));
  const rows = sorted
    .slice(0, RULES_SHOWN)
    .map(([rule, found]) => [rule, integer(found.length), placeOf(found[0]), found[0]?.message ?? ""]);
  const table = renderTable({
    columns: [
      { title: "rule", align: "left" },
      { title: "matches", align: "right" },
      { title: "first place", align: "left" },
      { title: "what it says", align: "left" },
    ],
    rows,
  });
  return ["", ...table, ...moreLine(sorted.length - RULES_SHOWN)];
}

function cloneLines(clones: readonly CloneClass[]): string[] {
  if (clones.length === 0) return [];
  const sorted = [...clones].sort((a, b) => linesOf(b) - linesOf(a));
  const rows = sorted.slice(0, CLASSES_SHOWN).map((clone) => {
    const places = clone.instances.slice(0, PLACES_SHOWN).map(spanOf).join(", ");
    const more = clone.instances.length > PLACES_SHOWN ? ", …" : "";
    return [integer(linesOf(clone)), integer(clone.instances.length), places + more];
  });
  const table = renderTable({
    columns: [
      { title: "clone lines", align: "right" },
      { title: "copies", align: "right" },
      { title: "places", align: "left" },
    ],
    rows,
  });
  return ["", ...table, ...moreLine(sorted.length - CLASSES_SHOWN)];
}

function linesOf({ instances }: CloneClass): number {
  return instances.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

function placeOf(match: RuleMatch | undefined): string {
  return match === undefined ? "" : `${match.path}:${match.start}`;
}

function spanOf({ path, start, end }: CloneInstance): string {
  return `${path}:${start}–${end}`;
}

function moreLine(count: number): string[] {
  return count > 0 ? [`and ${integer(count)} more; --json has all`] : [];
}
