/** What unit tests get of VS Code: texts as they stand in the source, with their values put in. */

export const env = { language: "en" };

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d+)\}/g, (whole, index: string) => {
      const value = values[Number(index)];
      return value === undefined ? whole : String(value);
    }),
};
