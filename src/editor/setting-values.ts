/**
 * Whether a setting's value has the form of its default: VS Code hands on what stands in a file of settings as it is.
 * @param example the default; a list is one of texts
 */
export function hasFormOf<T>(value: unknown, example: T): value is T {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((one) => typeof one === "string");
  if (typeof value !== typeof example || Array.isArray(value)) return false;
  if (typeof value === "number") return Number.isFinite(value) && value >= 0;
  return value !== null;
}

/** A setting as it stands, and what it is by default. */
export interface StandingSetting {
  readonly key: string;
  readonly value: unknown;
  readonly byDefault: unknown;
  /** The only values that it may have; undefined where there is no such list. */
  readonly choices: readonly unknown[] | undefined;
}

/** Keys of the settings whose values cannot be used, so that their defaults hold. */
export function unusableSettings(settings: readonly StandingSetting[]): string[] {
  const isUsable = ({ value, byDefault, choices }: StandingSetting): boolean =>
    hasFormOf(value, byDefault) && (choices === undefined || choices.includes(value));
  return settings.filter((setting) => !isUsable(setting)).map(({ key }) => key);
}
