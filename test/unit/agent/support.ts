import type { AgentTurn } from "../../../src/core/agent/agent.js";
import { DEFAULT_LIMITS } from "../../../src/core/model/policy.js";

/** A turn's first try, in a conversation of its own that nobody goes on with. */
export const FIRST_TRY: Pick<AgentTurn, "session" | "limits" | "attempt"> = {
  session: { mode: "fresh", stateBefore: undefined, stateAfter: undefined },
  limits: DEFAULT_LIMITS,
  attempt: 0,
};
