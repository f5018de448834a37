/** The Hotspots view: the callables that hold most of the open file's mass. */
import { share } from "../../core/report/format.js";
import { HIGH_CC, type CallableMetrics, type QualityReport } from "../../core/model/quality.js";
import { COLORS, INTERNAL_COMMANDS } from "../ids.js";
import { node, type TreeNode } from "./node.js";

const MOST = 12;

/**
 * Rows by mass, the largest first; none when no callable is above the threshold.
 * @param document URI of the document that was measured
 */
export function hotspotRows(report: QualityReport | undefined, document: string): TreeNode[] {
  if (report?.functions.some(({ cc }) => cc > HIGH_CC) !== true) return [];
  return [...report.functions]
    .sort((a, b) => b.mass - a.mass)
    .slice(0, MOST)
    .map((callable) => hotspotRow(callable, report, document));
}

function hotspotRow(
  callable: CallableMetrics,
  { totals: { totalMass }, profile }: QualityReport,
  document: string,
): TreeNode {
  const { qualifiedName, cc, sloc, start, end } = callable;
  const part = totalMass === 0 ? 0 : callable.mass / totalMass;
  const high = cc > HIGH_CC;
  return node({
    id: `hotspot:${document}#${qualifiedName}:${start}`,
    label: qualifiedName,
    description: `${share(part)} · CC ${cc}`,
    tooltip: `${qualifiedName}, lines ${start} to ${end}\nCC ${cc}, ${sloc} SLOC\nProfile ${profile}`,
    icon: { codicon: "symbol-method", ...(high ? { color: COLORS.massAccent } : {}) },
    spoken: `${qualifiedName}, ${Math.round(part * 100)} percent of the mass, complexity ${cc}`,
    action: {
      command: INTERNAL_COMMANDS.revealLines,
      title: "Go to Function",
      arguments: [document, start, start],
    },
    target: { kind: "callable", file: document, callable },
  });
}
