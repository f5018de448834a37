/** How figures are written, the same in every view and on the terminal. A missing value is a dash, never 0. */

/** Stands where there is no figure. */
export const MISSING = "–";
const THIN_SPACE = "\u202f";

type Maybe = number | null | undefined;

/** Erosion, verbosity: two decimals, `0.68`. */
export function ratio(value: Maybe): string {
  return value == null ? MISSING : value.toFixed(2);
}

/** A part of a whole from 0 to 1 as `46 %`. */
export function share(value: Maybe): string {
  return value == null ? MISSING : `${Math.round(value * 100)}${THIN_SPACE}%`;
}

/** An integer with groups of three, `1 256`. */
export function integer(value: Maybe): string {
  if (value == null) return MISSING;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

/** Least-squares change per checkpoint with its sign, `+0.052`. */
export function slope(value: Maybe): string {
  if (value == null) return MISSING;
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

/**
 * Change between two figures as `▲ 0.22`, `▼ 0.04` or `± 0.00`, taken between the rounded values so that the eye can
 * check it. Empty when there is nothing to compare with.
 */
export function change(value: Maybe, before: Maybe, digits = 2): string {
  if (value == null || before == null) return "";
  const difference = Number(value.toFixed(digits)) - Number(before.toFixed(digits));
  const size = Math.abs(difference).toFixed(digits);
  if (Number(size) === 0) return `± ${size}`;
  return `${difference > 0 ? "▲" : "▼"} ${size}`;
}

/** US dollars, `$0.25`. */
export function dollars(value: Maybe): string {
  return value == null ? MISSING : `$${value.toFixed(2)}`;
}

/** `41 ms`, `1.4 s`. */
export function milliseconds(value: Maybe): string {
  if (value == null) return MISSING;
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A running clock, `1:42`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A length of time for reading, `38 s`, `49 min`, `4 h 43 min`. */
export function duration(seconds: Maybe): string {
  if (seconds == null) return MISSING;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

let days: { readonly language: string; readonly format: Intl.DateTimeFormat } | undefined;

/**
 * `2 Jun`. English dates are written with the day first, whatever the country. The format is made when a date is told,
 * because the first one of a process takes a good part of the time in which an extension should have started.
 */
function dayWords(day: Date, language: string): string {
  if (days?.language !== language) {
    const locale = language === "" || language.startsWith("en") ? "en-GB" : language;
    days = { language, format: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }) };
  }
  return days.format.format(day);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/**
 * `2 Jun 20:28` in local time, the form of dates in every view; empty when the time is not known.
 * @param iso ISO 8601; local where it names no zone
 * @param language of the editor, for the month's name; empty for English
 */
export function dateWords(iso: string | undefined, language: string): string {
  const at = iso === undefined ? undefined : new Date(iso);
  if (at === undefined || Number.isNaN(at.getTime())) return "";
  return `${dayWords(at, language)} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

/** `20:28:05` in local time; what is no time stays as it is. */
export function timeWords(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":");
}
