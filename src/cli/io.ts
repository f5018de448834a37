/** What the command reads from and writes to; the process in life, plain objects in tests. */
export interface CliIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches standard error, so that a line may be rewritten there. */
  readonly isTerminal: boolean;
  readonly columns: number;
  /** How the command was started, for messages that name a command to type. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Asks a person, who may say no; undefined where nobody can answer. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Aborts on the first interrupt. */
  readonly signal: AbortSignal;
  /** Sets what is told when a second interrupt ends the process at once; undefined for nothing. */
  readonly setLastWords?: ((words: string | undefined) => void) | undefined;
}

/** One line on standard output. */
export function printLine(io: CliIo, line = ""): void {
  io.out(`${line}\n`);
}

/** One JSON object on a line of its own. */
export function printJson(io: CliIo, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`);
}

/** One line on standard error, with the command's name in front. */
export function warn(io: CliIo, message: string): void {
  io.err(`slop-lens: ${message}\n`);
}
