/** Python writes these into JSON, where `JSON.parse` refuses them. Strings are matched first and left alone. */
const BARE_NUMBERS = /"(?:[^"\\]|\\.)*"|(?<bare>-?Infinity|NaN)/gu;

/** Reads JSON as Python writes it. `NaN` becomes null, infinities stay; a byte order mark is passed over. @throws SyntaxError */
export function parsePythonJson(marked: string): unknown {
  const text = marked.startsWith("\uFEFF") ? marked.slice(1) : marked;
  const clean = /Infinity|NaN/u.test(text)
    ? text.replaceAll(BARE_NUMBERS, (match) => {
        if (match === "NaN") return "null";
        return match === "Infinity" ? "1e999" : match === "-Infinity" ? "-1e999" : match;
      })
    : text;
  return JSON.parse(clean);
}
