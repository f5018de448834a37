/** What Python's `str.strip()` takes for white space. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** Where Python's `str.splitlines()` breaks, but for three separators that no prompt holds. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

type Method = (text: string, ...args: readonly unknown[]) => unknown;

function edgeClass(characters: unknown): string {
  if (typeof characters !== "string") return `[${SPACE}]`;
  const escaped = characters.replaceAll(/[\\\]^-]/gu, "\\$&");
  return escaped === "" ? "(?!)" : `[${escaped}]`;
}

const trimStart: Method = (text, characters) =>
  text.replace(new RegExp(`^${edgeClass(characters)}+`, "u"), "");

const trimEnd: Method = (text, characters) => {
  const edge = new RegExp(edgeClass(characters), "u");
  let end = text.length;
  while (end > 0 && edge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function split(text: string, separator: unknown): string[] {
  if (typeof separator === "string") return text.split(separator);
  return text.split(new RegExp(`[${SPACE}]+`, "u")).filter((part) => part !== "");
}

function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function replace(text: string, from: unknown, to: unknown, count: unknown): string {
  if (typeof count !== "number" || count < 0) return text.replaceAll(asText(from), () => asText(to));
  const parts = text.split(asText(from));
  const head = parts.slice(0, count + 1).join(asText(to));
  return [head, ...parts.slice(count + 1)].join(asText(from));
}

const METHODS: Readonly<Record<string, Method>> = {
  strip: (text, characters) => trimEnd(asText(trimStart(text, characters)), characters),
  lstrip: trimStart,
  rstrip: trimEnd,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
  title: (text) => text.toLowerCase().replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
  startswith: (text, part) => text.startsWith(asText(part)),
  endswith: (text, part) => text.endsWith(asText(part)),
  removeprefix: (text, part) => (text.startsWith(asText(part)) ? text.slice(asText(part).length) : text),
  removesuffix: (text, part) =>
    asText(part) !== "" && text.endsWith(asText(part)) ? text.slice(0, -asText(part).length) : text,
  find: (text, part) => text.indexOf(asText(part)),
  count: (text, part) => text.split(asText(part)).length - 1,
  replace,
  split,
  splitlines: splitLines,
  join: (text, parts) => (Array.isArray(parts) ? parts.join(text) : ""),
};

/** A method of Python's `str`, bound to `text`; undefined when there is none of that name here. */
export function pythonMethod(
  text: string,
  name: string,
): ((...args: readonly unknown[]) => unknown) | undefined {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  return method === undefined ? undefined : (...args) => method(text, ...args);
}

/** A value as Python's `str()` writes it, where JavaScript would write it differently. */
export function pythonText(value: unknown): unknown {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  return value;
}
