import * as l10n from "@vscode/l10n";
import { element } from "../dom.js";
import { startWords } from "../language.js";
import { COLUMNS, rowsOf } from "./csv.js";
import type { DrawnSeries } from "./selection.js";

/** Titles of the table; the CSV keeps English ones, so that programs find its columns. */
const TITLES: Partial<Record<string, string>> = {
  Run: l10n.t("Run"),
  Started: l10n.t("Started"),
  Checkpoint: l10n.t("Checkpoint"),
  Verdict: l10n.t("Verdict"),
  Erosion: l10n.t("Erosion"),
  Verbosity: l10n.t("Verbosity"),
  Callables: l10n.t("Callables"),
  "Highest CC": l10n.t("Highest CC"),
  "Failed tests": l10n.t("Failed tests"),
};

const DECIMALS = new Set<string>(["Erosion", "Verbosity"]);

function text(column: string, cell: string | number | null): string {
  if (cell === null) return "–";
  // The CSV keeps the record's own form, for programs.
  if (column === "Started") return startWords(String(cell)) || "–";
  return typeof cell === "number" && DECIMALS.has(column) ? cell.toFixed(2) : String(cell);
}

/** A row is named by its checkpoint. */
function dataCell(column: string, cell: string | number | null): HTMLElement {
  const content = text(column, cell);
  return column === "Checkpoint" ? element("th", { scope: "row" }, content) : element("td", {}, content);
}

/** The same data as a table, for screen readers and for reading exact figures. */
export function dataTable(drawn: readonly DrawnSeries[]): HTMLElement {
  const head = element(
    "tr",
    {},
    ...COLUMNS.map((column) => element("th", { scope: "col" }, TITLES[column] ?? column)),
  );
  const body = rowsOf(drawn).map((cells) =>
    element("tr", {}, ...cells.map((cell, index) => dataCell(COLUMNS[index] ?? "", cell))),
  );
  const caption = element("caption", {}, l10n.t("Runs over checkpoints"));
  return element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...body));
}
