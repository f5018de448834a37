import { MISSING } from "./format.js";

export interface TableColumn {
  readonly title: string;
  readonly align: "left" | "right";
}

export interface TextTable {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = "  ";

/** A table as aligned lines for a monospaced place, titles first, without trailing blanks. */
export function renderTable(table: TextTable): string[] {
  const titles = table.columns.map((column) => column.title);
  const lines = [titles, ...table.rows];
  const widths = table.columns.map((_, index) =>
    Math.max(...lines.map((cells) => width(cells[index] ?? ""))),
  );
  return lines.map((cells) =>
    table.columns
      .map((column, index) => pad(cells[index] ?? "", widths[index] ?? 0, column.align))
      .join(GAP)
      .trimEnd(),
  );
}

/** The table without the columns that hold no value in any row. */
export function withoutEmptyColumns({ columns, rows }: TextTable): TextTable {
  const isKept = (_: unknown, index: number): boolean =>
    rows.some((cells) => ![MISSING, "", undefined].includes(cells[index]));
  return { columns: columns.filter(isKept), rows: rows.map((cells) => cells.filter(isKept)) };
}

function pad(text: string, wanted: number, align: TableColumn["align"]): string {
  const blanks = " ".repeat(Math.max(0, wanted - width(text)));
  return align === "left" ? text + blanks : blanks + text;
}

/** Counts characters, not UTF-16 units; every sign we write is one cell wide. */
function width(text: string): number {
  return Array.from(text).length;
}
