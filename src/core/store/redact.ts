import { MASK, maskable, masked } from "../agent/masking.js";

/** Words in a variable's name that say its value is not for others. */
const SECRET_NAME = /(?:^|_|-)(?:api_?key|key|token|secret|passw(?:or)?d|credentials?|auth)(?:$|_|-)/iu;
/** `NAME=value` and `--name value` in a command line. */
const ASSIGNMENT = /(?<name>[A-Za-z_][A-Za-z0-9_]*)=(?<value>"[^"]*"|'[^']*'|[^\s;&|]+)/gu;
const OPTION = /(?<name>--[a-z][a-z0-9-]*)(?<gap>[ =])(?<value>"[^"]*"|'[^']*'|[^\s;&|-][^\s;&|]*)/giu;

/** Keeps secrets out of what is written to a run folder. */
export class Redactor {
  readonly #secrets: readonly string[];

  /** @param secrets values that must not appear anywhere, for example the API key handed to an agent */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = maskable(secrets);
  }

  text(text: string): string {
    return masked(text, this.#secrets);
  }

  /** A command line, with the values of assignments and options that sound secret masked as well. */
  command(text: string): string {
    return this.text(text)
      .replaceAll(ASSIGNMENT, (match, name: string) => (isSecretName(name) ? `${name}=${MASK}` : match))
      .replaceAll(OPTION, (match, name: string, gap: string) =>
        isSecretName(name.slice(2)) ? `${name}${gap}${MASK}` : match,
      );
  }

  /** Environment variables; values whose name sounds secret are masked. */
  variables(variables: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(variables);
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isSecretName(name) ? MASK : this.text(value)]),
    );
  }
}

/** Whether a variable's name says that its value is not for others. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
