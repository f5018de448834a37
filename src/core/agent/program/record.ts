/** How a run's record names an agent that a file describes, there and back. */

/** The type of an agent as SCB writes it: `claude_code` for `claude-code`. */
export function agentType(name: string): string {
  return name.replaceAll("-", "_");
}

/** The name behind {@link agentType}; names hold no underscore. */
export function agentName(type: string): string {
  return type.replaceAll("_", "-");
}

const THINKING = "thinking ";

/** A thinking choice as a detail of a run's agent. */
export function thinkingDetail(choice: string | undefined): string | undefined {
  return choice === undefined ? undefined : `${THINKING}${choice}`;
}

/** The choice behind {@link thinkingDetail}; undefined for any other detail. */
export function thinkingIn(detail: string | undefined): string | undefined {
  return detail?.startsWith(THINKING) === true ? detail.slice(THINKING.length) : undefined;
}
