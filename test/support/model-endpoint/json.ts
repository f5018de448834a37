/** Reading of requests that others wrote: every step may lead nowhere. */
export type Json = Readonly<Record<string, unknown>>;

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A conversation as items from oldest to newest: words of the user, answers of tools, everything else. */
export interface Item {
  readonly kind: "user" | "answer" | "other";
  readonly text: string;
}

/** The newest words of the user, and the answers of tools behind them. */
export function newest(items: readonly Item[]): { prompt: string; answers: number; answer: string } {
  const from = items.findLastIndex(({ kind }) => kind === "user");
  const answers = items.slice(from + 1).filter(({ kind }) => kind === "answer");
  return { prompt: items[from]?.text ?? "", answers: answers.length, answer: answers.at(-1)?.text ?? "" };
}

/** The names of tools, wherever the dialect keeps them. */
export function names(tools: unknown): string[] {
  return list(tools).map((tool) => text(record(tool)["name"]));
}
