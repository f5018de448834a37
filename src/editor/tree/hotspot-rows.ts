/** Rows of the Hotspots view, and the same as a table to be copied. */
import { change, integer, share } from "../../core/report/format.js";
import { HIGH_CC } from "../../core/model/quality.js";
import { INTERNAL_COMMANDS, NODE_TRAITS } from "../ids.js";
import { checkpointLabel } from "../words.js";
import type { Hotspot } from "./hotspots.js";
import { node, type TreeNode } from "./node.js";
import { HIGH_SPARK, LOW_SPARK, sparkIcon } from "./spark.js";

/** A hotspot and where a click leads. */
export interface PlacedHotspot extends Hotspot {
  /** URI of the file that holds it. */
  readonly uri: string;
}

/** One row a hotspot, in the order given. */
export function hotspotRows(hotspots: readonly PlacedHotspot[]): TreeNode[] {
  return hotspots.map(hotspotRow);
}

export function hotspotRowId({ uri, callable }: PlacedHotspot): string {
  return `hotspot:${uri}#${callable.qualifiedName}:${callable.start}`;
}

function hotspotRow(hotspot: PlacedHotspot): TreeNode {
  const { callable, uri, masses } = hotspot;
  const { qualifiedName, path, cc, start, end, sloc, mass } = callable;
  return node({
    id: hotspotRowId(hotspot),
    label: qualifiedName,
    description: `${share(hotspot.share)} · CC ${cc}${changeWords(hotspot)}`,
    tooltip: [
      `${path}, lines ${start} to ${end}`,
      `CC ${cc}, ${sloc} SLOC, mass ${integer(mass)}`,
      historyLine(hotspot),
      `Profile ${hotspot.profile}`,
    ]
      .filter((line) => line !== "")
      .join("\n"),
    icon: sparkIcon(masses, cc > HIGH_CC ? HIGH_SPARK : LOW_SPARK),
    spoken: `${qualifiedName}, ${Math.round(hotspot.share * 100)} percent of the mass, complexity ${cc}${spokenChange(hotspot)}`,
    contextValue: NODE_TRAITS.callable,
    action: {
      command: INTERNAL_COMMANDS.revealLines,
      title: "Go to Function",
      arguments: [uri, start, start],
    },
    target: { kind: "callable", file: uri, callable },
  });
}

/** ` ▲ 54` against the checkpoint before, ` new` where it was not there; empty where neither is known. */
function changeWords({ callable, before }: Hotspot): string {
  if (before === undefined) return "";
  return before === null ? " new" : ` ${change(callable.cc, before, 0)}`;
}

function spokenChange({ callable, before, since }: Hotspot): string {
  if (before === undefined || since === undefined) return "";
  const at = checkpointLabel(since).toLowerCase();
  if (before === null) return `, new since ${at}`;
  if (callable.cc === before) return `, unchanged since ${at}`;
  return `, ${callable.cc > before ? "up" : "down"} ${Math.abs(callable.cc - before)} since ${at}`;
}

function historyLine({ masses }: Hotspot): string {
  if (masses.length < 2) return "";
  return `Mass by checkpoint: ${masses.map((mass) => (mass === undefined ? "not kept" : integer(mass))).join(", ")}`;
}

/** The hotspots as tab-separated lines with titles, for a spreadsheet. */
export function hotspotTable(hotspots: readonly PlacedHotspot[]): string {
  const titles = ["callable", "path", "line", "share", "mass", "CC", "CC before", "SLOC"];
  const rows = hotspots.map(({ callable, share: part, before }) => [
    callable.qualifiedName,
    callable.path,
    callable.start,
    part.toFixed(4),
    callable.mass.toFixed(2),
    callable.cc,
    before ?? "",
    callable.sloc,
  ]);
  return [titles, ...rows].map((cells) => `${cells.join("\t")}\n`).join("");
}
