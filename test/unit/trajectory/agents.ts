import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Agent, AgentResult, AgentTurn } from "../../../src/core/agent/agent.js";
import { NO_USAGE } from "../../../src/core/model/blank-turn.js";

/** What a scripted agent does at a turn; it writes `shelf.py` in any case. */
export interface Part extends Partial<AgentResult> {
  /** Keeps this as its conversation. */
  readonly said?: string;
}

/** An agent that does as told and notes each turn that it was given. */
export function scripted(
  parts: (turn: AgentTurn, count: number) => Part,
): Agent & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    notes,
    description: { type: "command", version: undefined, model: "m", detail: "x" },
    origin: "agent",
    secrets: [],
    layer: undefined,
    check: () => Promise.resolve(),
    takeTurn: async (turn) => {
      const { said, ...result } = parts(turn, notes.length + 1);
      notes.push(await noteOf(turn));
      const text = await before(turn);
      await writeFile(path.join(turn.workspaceAfter, "shelf.py"), `${text}${turn.checkpoint.name}\n`);
      const { stateAfter } = turn.session;
      if (said !== undefined && stateAfter !== undefined) {
        await mkdir(stateAfter, { recursive: true });
        await writeFile(path.join(stateAfter, "talk"), said);
      }
      return { status: "done", reason: undefined, retryable: false, usage: NO_USAGE, ...result };
    },
  };
}

/** `checkpoint_2#1 continued(hello) sees shelf.py`: checkpoint, retry, session with what it remembers, workspace. */
async function noteOf(turn: AgentTurn): Promise<string> {
  const { checkpoint, attempt, session, workspaceBefore } = turn;
  const files = (await readdir(workspaceBefore)).join(" ");
  const talk =
    session.stateBefore === undefined ? "-" : await readFile(path.join(session.stateBefore, "talk"), "utf8");
  return `${checkpoint.name}#${attempt} ${session.mode}(${talk}) sees ${files === "" ? "nothing" : files}`;
}

function before({ workspaceBefore }: AgentTurn): Promise<string> {
  return readFile(path.join(workspaceBefore, "shelf.py"), "utf8").catch(() => "");
}
