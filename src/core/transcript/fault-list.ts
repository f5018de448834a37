import type { Fault } from "../model/problem.js";

/** A file that is broken from end to end must not drown the rest. */
const MOST = 20;

/** Faults of the file that is being read. */
export class FaultList {
  readonly list: Fault[] = [];
  private file = "";

  /** Names the file, as an absolute path, that faults belong to from now on. */
  enter(file: string): void {
    this.file = file;
  }

  add(message: string, line?: number): void {
    if (this.list.length > MOST) return;
    const text = this.list.length < MOST ? message : "More lines cannot be read; they are not listed";
    this.list.push({ file: this.file, line, column: undefined, message: text, severity: "warning" });
  }
}
