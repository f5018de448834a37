import { element } from "../dom.js";
import { COLUMNS, rowsOf } from "./csv.js";
import type { DrawnSeries } from "./selection.js";

const DECIMALS = new Set<string>(["Erosion", "Verbosity"]);

function text(column: string, cell: string | number | null): string {
  if (cell === null) return "–";
  return typeof cell === "number" && DECIMALS.has(column) ? cell.toFixed(2) : String(cell);
}

/** The same data as a table, for screen readers and for reading exact figures. */
export function dataTable(drawn: readonly DrawnSeries[]): HTMLElement {
  const head = element("tr", {}, ...COLUMNS.map((column) => element("th", { scope: "col" }, column)));
  const body = rowsOf(drawn).map((cells) =>
    element("tr", {}, ...cells.map((cell, index) => element("td", {}, text(COLUMNS[index] ?? "", cell)))),
  );
  const caption = element("caption", {}, "Runs over checkpoints");
  return element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...body));
}
