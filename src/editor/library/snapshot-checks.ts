import type { Turn } from "../../core/model/turn.js";

export interface CheckServices {
  /** Whether a turn's snapshot is another one than the turn was judged by. */
  readonly isEdited: (turn: Turn) => Promise<boolean>;
  readonly keep: (turn: Turn, isEdited: boolean) => void;
  /** Takes an error that nobody waits for. */
  readonly note: (error: unknown, where: string) => void;
}

/** Looks whether snapshots are as their runs left them: when somebody looks at one, because all its files are read. */
export class SnapshotChecks {
  private readonly looked = new WeakSet<Turn>();

  constructor(private readonly services: CheckServices) {}

  /** For views, which ask at each drawing: a turn that is still the same object is looked at once. */
  readonly once = (turn: Turn): void => {
    if (this.looked.has(turn)) return;
    void this.look(turn);
  };

  /** Looks now. Never rejects. */
  async look(turn: Turn): Promise<void> {
    this.looked.add(turn);
    if (turn.snapshotHash === null || turn.verdict === undefined) return;
    try {
      this.services.keep(turn, await this.services.isEdited(turn));
    } catch (error) {
      this.services.note(error, `Looking at the snapshot of ${turn.folder}`);
    }
  }
}
