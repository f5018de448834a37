import type { AgentDefinition } from "./definition.js";

/** Where a host keeps values that are not for others: its environment, or a store of its own. */
export interface SecretSource {
  /** The value of a name; undefined when there is none. Never written anywhere. */
  get(name: string): Promise<string | undefined>;
}

/** Values of the host's environment; an empty one counts as not set. */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): SecretSource {
  return {
    get: (name) => {
      const value = env[name];
      return Promise.resolve(value === "" ? undefined : value);
    },
  };
}

/** Several sources, of which the first that knows a name is believed. */
export function firstOf(sources: readonly SecretSource[]): SecretSource {
  return {
    get: async (name) => {
      for (const source of sources) {
        const value = await source.get(name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

export interface SecretsFound {
  /** By name. */
  readonly values: Readonly<Record<string, string>>;
  /** Choices of names of which none is set. */
  readonly missing: readonly (readonly string[])[];
}

/** The secrets of an agent as they are now. */
export async function findSecrets(
  { requiredSecrets, optionalSecrets }: Pick<AgentDefinition, "requiredSecrets" | "optionalSecrets">,
  source: SecretSource,
): Promise<SecretsFound> {
  const values: Record<string, string> = {};
  for (const name of new Set([...requiredSecrets.flat(), ...optionalSecrets])) {
    const value = await source.get(name);
    if (value !== undefined) values[name] = value;
  }
  const missing = requiredSecrets.filter((names) => !names.some((name) => name in values));
  return { values, missing };
}
