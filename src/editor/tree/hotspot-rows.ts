/** Rows of the Hotspots view, and the same as a table to be copied. */
import { l10n } from "vscode";
import { change, integer, share } from "../../core/report/format.js";
import { HIGH_CC } from "../../core/model/quality.js";
import { INTERNAL_COMMANDS, NODE_TRAITS } from "../ids.js";
import { checkpointWords, listed } from "../words.js";
import type { Hotspot } from "./hotspots.js";
import { node, type TreeNode } from "./node.js";
import { FOLD } from "./test-rows.js";
import { HIGH_SPARK, LOW_SPARK, sparkIcon } from "./spark.js";

/** A hotspot and where a click leads. */
export interface PlacedHotspot extends Hotspot {
  /** URI of the file that holds it. */
  readonly uri: string;
  /** Name of the workspace folder, where there are several. */
  readonly root?: string | undefined;
}

/** Hotspots that are not known yet. */
export interface UnreadHotspots {
  readonly count: number;
  /** All hotspots, once they are read. */
  readonly read: () => Promise<readonly PlacedHotspot[]>;
}

/** How many stand at the top, and how many in each row of more. */
const MOST = 12;
const PAGE = 100;

/** One row a hotspot, in the order given; those behind the first twelve are folded. */
export function hotspotRows(hotspots: readonly PlacedHotspot[], unread?: UnreadHotspots): TreeNode[] {
  const rows = hotspots.slice(0, MOST).map(hotspotRow);
  const count = hotspots.length - rows.length + (unread?.count ?? 0);
  if (hotspots.length === 0 || count === 0) return rows;
  const top = hotspots.slice(0, MOST).reduce((sum, one) => sum + one.share, 0);
  const all = unread === undefined ? () => Promise.resolve(hotspots) : unread.read;
  const more = moreRow(MOST, count, 1 - top, async () => pageRows(await all(), MOST));
  return [...rows, more];
}

/** The hotspots from one on, and a row that holds those behind the page. */
function pageRows(hotspots: readonly PlacedHotspot[], from: number): TreeNode[] {
  const page = hotspots.slice(from, from + PAGE);
  const rest = hotspots.slice(from + PAGE);
  const rows = page.map(hotspotRow);
  if (rest.length === 0) return rows;
  const together = rest.reduce((sum, one) => sum + one.share, 0);
  const next = from + PAGE;
  return [...rows, moreRow(next, rest.length, together, () => pageRows(hotspots, next))];
}

function moreRow(from: number, count: number, together: number, children: TreeNode["children"]): TreeNode {
  const label = l10n.t("{0} more", integer(count));
  const part = Math.max(0, together);
  return node({
    id: `more:${from}`,
    label,
    description: l10n.t("{0} together", share(part)),
    icon: { codicon: "ellipsis" },
    spoken: l10n.t("{0}, {1} percent of the mass together", label, Math.round(part * 100)),
    contextValue: FOLD,
    children,
  });
}

export function hotspotRowId({ uri, callable }: PlacedHotspot): string {
  return `hotspot:${uri}#${callable.qualifiedName}:${callable.start}`;
}

function hotspotRow(hotspot: PlacedHotspot): TreeNode {
  const { callable, uri, masses } = hotspot;
  const { qualifiedName, path, cc, start, end, sloc, mass } = callable;
  return node({
    id: hotspotRowId(hotspot),
    label: hotspot.was === undefined ? qualifiedName : l10n.t("{0} (was {1})", qualifiedName, hotspot.was),
    description: `${share(hotspot.share)} · CC ${cc}${changeWords(hotspot)}${hotspot.root === undefined ? "" : ` · ${hotspot.root}`}`,
    tooltip: [
      l10n.t("{0}, lines {1} to {2}", path, start, end),
      l10n.t("CC {0}, {1} SLOC, mass {2}", cc, sloc, integer(mass)),
      historyLine(hotspot),
      l10n.t("Profile {0}", hotspot.profile),
    ]
      .filter((line) => line !== "")
      .join("\n"),
    icon: sparkIcon(masses, cc > HIGH_CC ? HIGH_SPARK : LOW_SPARK),
    spoken: listed([
      l10n.t("{0}, {1} percent of the mass", qualifiedName, Math.round(hotspot.share * 100)),
      hotspot.was === undefined ? "" : l10n.t("earlier called {0}", hotspot.was),
      l10n.t("complexity {0}", cc),
      spokenChange(hotspot),
      hotspot.root ?? "",
    ]),
    contextValue: NODE_TRAITS.callable,
    action: {
      command: INTERNAL_COMMANDS.revealLines,
      title: l10n.t("Go to Function"),
      arguments: [uri, start, start],
    },
    target: { kind: "callable", file: uri, callable },
  });
}

/** ` ▲ 54` against the checkpoint before, ` new` where it was not there; empty where neither is known. */
function changeWords({ callable, before }: Hotspot): string {
  if (before === undefined) return "";
  return ` ${before === null ? l10n.t("new") : change(callable.cc, before, 0)}`;
}

function spokenChange({ callable, before, since }: Hotspot): string {
  if (before === undefined || since === undefined) return "";
  const at = checkpointWords(since);
  if (before === null) return l10n.t("new since {0}", at);
  if (callable.cc === before) return l10n.t("unchanged since {0}", at);
  const size = Math.abs(callable.cc - before);
  return callable.cc > before ? l10n.t("up {0} since {1}", size, at) : l10n.t("down {0} since {1}", size, at);
}

function historyLine({ masses }: Hotspot): string {
  if (masses.length < 2) return "";
  const told = masses.map((mass) => (mass === undefined ? l10n.t("not kept") : integer(mass)));
  return l10n.t("Mass by checkpoint: {0}", told.join(", "));
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
