/** The language that the editor speaks, for dates and times; undefined for English, whose dates are as the system has them. */
export function dateLanguage(): string | undefined {
  const { lang } = document.documentElement;
  return lang === "" || lang.startsWith("en") ? undefined : lang;
}
