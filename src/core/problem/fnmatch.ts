import { literalPattern } from "../model/literal-pattern.js";

/**
 * A pattern of Python's `fnmatch` as a regular expression over the whole name: `*` and `?` also match `/`; a set is
 * `[abc]`, `[a-z]`, `[!abc]`; a `[` that nothing closes stands for itself.
 */
export function fnmatch(pattern: string): RegExp {
  let source = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const end = character === "[" ? endOfSet(pattern, at) : -1;
    if (end > 0) {
      source += setSource(pattern.slice(at + 1, end));
      at = end;
    } else if (character === "*") source += "[^]*";
    else if (character === "?") source += "[^]";
    else source += literalPattern(character);
  }
  return new RegExp(`^${source}$`, "u");
}

/** Index of the `]` that closes the set opened at `open`; a `]` in the first position is a member. */
function endOfSet(pattern: string, open: number): number {
  const first = pattern.charAt(open + 1) === "!" ? open + 2 : open + 1;
  return pattern.indexOf("]", first + 1);
}

function setSource(set: string): string {
  const negated = set.startsWith("!");
  const members = negated ? set.slice(1) : set;
  let source = "";
  for (let at = 0; at < members.length; at += 1) {
    const from = members.charAt(at);
    const to = members.charAt(at + 2);
    if (members.charAt(at + 1) !== "-" || to === "") {
      source += escaped(from);
      continue;
    }
    // Python drops a range that runs backwards; as a regular expression it would be an error.
    if (from <= to) source += `${escaped(from)}-${escaped(to)}`;
    at += 2;
  }
  if (source === "") return negated ? "[^]" : "[]";
  return `[${negated ? "^" : ""}${source}]`;
}

function escaped(character: string): string {
  return character.replace(/[\\\][^-]/u, "\\$&");
}
