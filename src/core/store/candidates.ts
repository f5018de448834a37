import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Turn } from "../model/turn.js";
import { moveTo, OWN_FOLDER, setAside, settle } from "./aside.js";
import { DocumentReader } from "./documents.js";
import { makeFolder, writeDurably } from "./durable.js";
import { Fields } from "../model/fields.js";
import { turnRecordState } from "./read-turn.js";
import type { ResultRow } from "./results-file.js";
import { readTurnRecord, TURN_RECORD } from "./turn-record.js";

/** In the folder of a try: its line for `checkpoint_results.jsonl`, should it be chosen. */
const ROW = path.join(OWN_FOLDER, "row.json");

/** A try that was finished and whose record no longer tells anything. */
export interface LostTry {
  readonly folder: string;
  /** Its number; undefined for the chosen one, whose place does not tell it. */
  readonly index: number | undefined;
}

/**
 * The tries of roundwise attempts. The chosen one of a checkpoint lies where SCB's readers look for the checkpoint, the
 * others in `.slop-lens/attempts/<problem>.<checkpoint>/<number>` of the run folder.
 */
export class Candidates {
  constructor(
    private readonly runFolder: string,
    private readonly problem: string,
  ) {}

  /** Where the try that is chosen, or being taken, lies. */
  chosenFolder(checkpoint: string): string {
    return path.join(this.runFolder, this.problem, checkpoint);
  }

  /** Where a try lies that is not chosen. */
  placeOf(checkpoint: string, index: number): string {
    return path.join(this.folderOf(checkpoint), String(index));
  }

  /** Keeps a try's line with it. */
  async keepRow(turnFolder: string, text: string): Promise<void> {
    await makeFolder(path.join(turnFolder, OWN_FOLDER));
    await writeDurably(path.join(turnFolder, ROW), text);
  }

  /** The finished tries of a checkpoint, by number, each with the folder in which it lies now. */
  async read(checkpoint: string): Promise<Turn[]> {
    const beside = this.folderOf(checkpoint);
    const names = await readdir(beside).catch(() => []);
    const places = [this.chosenFolder(checkpoint), ...names.map((name) => path.join(beside, name))];
    const turns = await Promise.all(places.map((place) => this.#readTry(place)));
    return turns
      .filter((turn) => turn !== undefined)
      .sort((left, right) => (left.candidate?.index ?? 0) - (right.candidate?.index ?? 0));
  }

  /**
   * The finished tries of a checkpoint whose records are gone or cannot be read. One whose number another try has was
   * taken anew already. In the chosen one's place a try without a record was cut short, which is no loss.
   */
  async lost(checkpoint: string): Promise<LostTry[]> {
    const beside = this.folderOf(checkpoint);
    const known = new Set((await this.read(checkpoint)).map(({ candidate }) => candidate?.index));
    const tries = (await readdir(beside).catch(() => [])).map((name) => ({
      folder: path.join(beside, name),
      index: Number.parseInt(name, 10),
    }));
    const chosen = this.chosenFolder(checkpoint);
    const isChosenLost = (await turnRecordState(chosen, this.runFolder)) === "unreadable";
    return [
      ...(isChosenLost ? [{ folder: chosen, index: undefined }] : []),
      ...tries.filter(({ index }) => Number.isInteger(index) && !known.has(index)),
    ];
  }

  /** Moves a try aside that says nothing about the agent, so that its number is free. */
  async discard({ folder }: Pick<Turn, "folder">): Promise<void> {
    await setAside(this.runFolder, folder);
  }

  /** Moves the finished try that lies in the chosen one's place to the others. @returns where it lies then */
  async park(checkpoint: string): Promise<string | undefined> {
    const folder = this.chosenFolder(checkpoint);
    const turn = await this.#readTry(folder);
    if (turn?.candidate === undefined) return undefined;
    await settle(folder);
    await makeFolder(this.folderOf(checkpoint));
    return moveTo(folder, this.placeOf(checkpoint, turn.candidate.index));
  }

  /**
   * Puts a try in the chosen one's place, and the one that is there to the others.
   * @returns its line for `checkpoint_results.jsonl`; undefined when it cannot be read
   */
  async choose(checkpoint: string, index: number): Promise<ResultRow | undefined> {
    const folder = this.chosenFolder(checkpoint);
    const there = await this.#readTry(folder);
    if (there?.candidate?.index !== index) {
      await this.park(checkpoint);
      await moveTo(this.placeOf(checkpoint, index), folder);
    }
    const row = await new DocumentReader().json(path.join(folder, ROW));
    return typeof row === "object" && row !== null ? { ...row } : undefined;
  }

  async #readTry(folder: string): Promise<Turn | undefined> {
    const document = await new DocumentReader().record(path.join(folder, TURN_RECORD));
    if (new Fields(document).fields("candidate").number("index") === undefined) return undefined;
    const record = readTurnRecord(document, this.runFolder);
    return record === undefined ? undefined : { ...record, folder };
  }

  /** Where the tries of a checkpoint lie that are not chosen. */
  folderOf(checkpoint: string): string {
    return path.join(this.runFolder, OWN_FOLDER, "attempts", `${this.problem}.${checkpoint}`);
  }
}
